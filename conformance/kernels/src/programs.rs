//! Small simulations that programs run.

/// Steps whose state plain Rust can also compute.
#[imminent_core::kernels]
pub mod steps {
    #[derive(Row)]
    pub struct Counter {
        pub n: u64,
    }

    #[derive(Row)]
    pub struct Entity {
        pub time: u64,
        pub seed: u64,
        pub events: u32,
    }

    #[derive(Row)]
    pub struct Clock {
        pub time: u64,
    }

    #[derive(Row)]
    pub struct Line {
        pub used: u32,
        pub items: Lanes<u64>,
    }

    /// Adds one to every row; returns the greatest.
    #[kernel(reduce = max)]
    pub fn bump(me: &mut Counter) -> u64 {
        me.n += 1;
        me.n
    }

    #[derive(Params)]
    pub struct Raise {
        pub by: u64,
    }

    /// Adds the same to every row.
    #[kernel]
    pub fn raise(me: &mut Counter, raise: &Raise) {
        me.n += raise.by;
    }

    /// A number on its way to 1, with the counts of numbers and of finished sequences.
    #[derive(Row)]
    pub struct Walk {
        pub n: u64,
        pub start: u64,
        pub steps: u64,
    }

    /// Starts from the next number.
    #[kernel(reduce = max)]
    pub fn set_out(me: &mut Walk) -> u64 {
        me.start += 1;
        me.n = me.start;
        me.start
    }

    /// Performs one step of the Collatz sequence. Dividing by `n` faults at 0.
    #[kernel(reduce = max)]
    pub fn walk(me: &mut Walk) -> u64 {
        let one = me.n / me.n;
        me.steps += one;
        if me.n % 2 == 0 {
            me.n = me.n / 2;
        } else if me.n != 1 {
            me.n = me.n * 3 + 1;
        }
        me.n
    }

    /// Adds the previous row of another table to every row.
    #[kernel]
    pub fn spread(me: &mut Counter, before: &Rows<Counter>, id: u32) {
        let left = if id == 0 { before.len() - 1 } else { id - 1 };
        me.n = before.get(id).n * 3 + before.get(left).n + 1;
    }

    /// Rows of a circle.
    pub const CIRCLE: u32 = 256;

    /// Adds the next row of the same circle, of another table.
    #[kernel]
    pub fn pass(me: &mut Counter, before: &Rows<Counter>, id: u32) {
        let next = id / CIRCLE * CIRCLE + (id + 1) % CIRCLE;
        me.n = before.get(id).n * 3 + before.get(next).n + 1;
    }

    /// Counts a step of every circle, each of which has a counter of its own, and those that have made enough.
    #[kernel(group = 256)]
    pub fn count(
        group: &mut Group<u32>,
        made: &mut Counter,
        rows: &Each<Counter>,
        enough: &Each<Counter>,
        full: &Tally<u32>,
    ) {
        let odd = group.count((rows, enough), |lane, (row, enough)| {
            lane.set(enough.n as u32);
            row.n % 2 == 1
        });
        made.n += 1 + ((odd as u64) << 32);
        if made.n as u32 >= group.get(0) {
            full.add(0, 1);
        }
    }

    /// Returns the sum of all rows.
    #[kernel(reduce = sum)]
    pub fn total(me: &Counter) -> u64 {
        me.n
    }

    /// Returns the number of odd rows.
    #[kernel(reduce = count)]
    pub fn odd(me: &Counter) -> bool {
        me.n % 2 == 1
    }

    /// Returns the least row and its position.
    #[kernel(reduce = argmin)]
    pub fn least(me: &Counter) -> u64 {
        me.n
    }

    /// Returns the time of the imminent entities.
    #[kernel(reduce = min)]
    pub fn next_event(me: &Entity) -> u64 {
        me.time
    }

    /// Executes the imminent entities.
    #[kernel]
    pub fn execute(me: &mut Entity, clock: &Rows<Clock>) {
        if me.time == clock.get(0).time {
            me.seed = me.seed * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407;
            me.time += 1 + (me.seed >> 58);
            me.events += 1;
        }
    }

    /// Adds an item to every line, and returns the next length of the fullest in a tally.
    #[kernel]
    pub fn push(me: &mut Line, fullest: &Tally<u32>, id: u32) {
        me.items.set(me.used, me.used as u64 * 1000 + id as u64);
        me.used += 1;
        fullest.max(0, me.used);
    }

    /// Faults when a row reaches five.
    #[kernel(reduce = max)]
    pub fn bump_below_five(me: &mut Counter) -> u64 {
        assert!(me.n < 5);
        me.n += 1;
        me.n
    }

    #[derive(Row)]
    pub struct Signed {
        pub n: i64,
        pub x: f32,
        pub small: i32,
    }

    /// Counts down through zero.
    #[kernel(reduce = min)]
    pub fn down(me: &mut Signed) -> i64 {
        me.n -= 1_500_000_000;
        me.n
    }

    /// Counts down through zero, in 32 bits.
    #[kernel(reduce = min)]
    pub fn down_small(me: &mut Signed) -> i32 {
        me.small -= 3;
        me.small
    }

    /// Halves, which is exact on every device.
    #[kernel(reduce = max)]
    pub fn halve(me: &mut Signed) -> f32 {
        me.x *= 0.5;
        me.x
    }

    /// Returns `true` if any row has reached this value.
    #[kernel(reduce = any)]
    pub fn at_twenty(me: &Counter) -> bool {
        me.n == 20
    }
}
