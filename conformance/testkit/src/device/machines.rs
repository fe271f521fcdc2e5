//! Kernels for the tests of launches and programs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, dead_code, unreachable_pub)]

#[imminent_core::kernels]
pub mod machines {
    /// A machine with a counter and some history.
    #[derive(Row)]
    pub struct Machine {
        pub clock: u64,
        pub step: u32,
        pub past: [u32; 3],
        pub balance: i64,
    }

    /// A row of one word.
    #[derive(Row)]
    pub struct Number {
        pub value: u32,
    }

    /// A row with lanes.
    #[derive(Row)]
    pub struct Line {
        pub length: u32,
        pub waiting: Lanes<u64>,
        pub tag: Lanes<u32>,
    }

    #[derive(Params)]
    pub struct Rule {
        pub factor: u64,
        pub shift: u32,
        pub limit: u32,
    }

    /// Mixes the clock and stores it in the history.
    #[kernel]
    pub fn tick(me: &mut Machine, rule: &Rule, row: u32) {
        me.clock = (me.clock + row as u64) * rule.factor ^ (me.clock >> rule.shift);
        me.past[(me.step % 3) as usize] = me.clock as u32;
        me.step += 1;
        me.balance -= (me.clock & 0xff) as i64;
    }

    /// Reads the neighbour's clock, cyclically.
    #[kernel]
    pub fn look(me: &mut Machine, all: &Rows<Machine>, row: u32) {
        let next = if row + 1 == all.len() { 0 } else { row + 1 };
        me.clock ^= all.get(next).clock << 1;
    }

    #[kernel(reduce = min)]
    pub fn least(me: &Machine) -> u64 {
        me.clock
    }

    #[kernel(reduce = max)]
    pub fn greatest(me: &Machine) -> i64 {
        me.balance
    }

    #[kernel(reduce = sum)]
    pub fn sum(me: &Machine) -> u64 {
        me.clock
    }

    #[kernel(reduce = count)]
    pub fn odd(me: &Machine) -> bool {
        me.clock % 2 == 1
    }

    #[kernel(reduce = any)]
    pub fn any_above(me: &Machine, rule: &Rule) -> bool {
        me.step > rule.limit
    }

    #[kernel(reduce = argmin)]
    pub fn first_least(me: &Machine, rule: &Rule) -> u64 {
        me.clock % rule.factor
    }

    #[kernel(reduce = sum)]
    pub fn float_sum(_me: &Number, row: u32) -> f32 {
        1.0 / (row + 1) as f32
    }

    /// Counts clocks by their low bits, and keeps the largest step.
    #[kernel]
    pub fn census(me: &Machine, counts: &Tally<u32>, sums: &Tally<u64>, rule: &Rule) {
        counts.add((me.clock % rule.limit as u64) as u32, 1);
        sums.add(0, me.clock);
    }

    /// Divides by zero in some rows, and indexes past the end in others.
    #[kernel]
    pub fn faulty(me: &mut Machine, rule: &Rule, row: u32) {
        if row % rule.limit == rule.shift {
            me.past[(row + 3) as usize] = 1;
        }
        me.step = 100 / (row + 1 - rule.limit);
    }

    /// Fails in every row from the given one on.
    #[kernel]
    pub fn fails_late(me: &mut Machine, rule: &Rule, row: u32) {
        assert!(row < rule.limit, "the row is below the limit");
        me.step += 1;
    }

    /// Fails at a certain step of every row.
    #[kernel(reduce = max)]
    pub fn fails_at_step(me: &mut Machine, rule: &Rule) -> u32 {
        me.step += 1;
        assert!(me.step < rule.limit);
        me.step
    }

    /// Puts the row's number into every lane.
    #[kernel]
    pub fn queue_up(me: &mut Line, rule: &Rule, row: u32) {
        let mut lane = 0;
        while lane < me.waiting.capacity() {
            me.waiting.set(lane, rule.factor * row as u64 + lane as u64);
            me.tag.set(lane, row);
            lane += 1;
        }
        me.length = lane;
    }

    #[kernel(reduce = sum)]
    pub fn waiting(me: &Line) -> u64 {
        let mut sum = 0;
        for lane in 0..me.length {
            sum += me.waiting.get(lane) + me.tag.get(lane) as u64;
        }
        sum
    }

    /// Performs a Collatz step; the loop ends when no row is above one.
    #[kernel(reduce = max)]
    pub fn collatz(me: &mut Machine) -> u64 {
        if me.clock > 1 {
            me.clock = if me.clock % 2 == 0 { me.clock / 2 } else { 3 * me.clock + 1 };
            me.step += 1;
        }
        me.clock
    }

    #[kernel]
    pub fn double(me: &mut Number, row: u32) {
        me.value = 2 * me.value + row;
    }
}
