//! Own rows, whole tables, lanes, row numbers and parameter blocks.

/// Kinds of kernel arguments.
#[imminent_core::kernels]
pub mod tables {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub wide: u64,
        pub next: u32,
        pub pair: [i32; 2],
    }

    #[derive(Row)]
    pub struct Out {
        pub x: u64,
    }

    pub struct Event {
        pub time: u64,
        pub kind: u32,
    }

    #[derive(Row)]
    pub struct Line {
        pub used: u32,
        pub times: Lanes<u64>,
        pub events: Lanes<Event>,
        pub total: u64,
    }

    pub enum Choice {
        No,
        Yes = 5,
    }

    #[derive(Params)]
    pub struct Everything {
        pub flag: bool,
        pub unsigned: u32,
        pub signed: i32,
        pub wide: u64,
        pub wide_signed: i64,
        pub single: f32,
        pub numbers: [u32; 3],
        pub event: Event,
        pub choice: Choice,
    }

    #[derive(Row)]
    pub struct Copied {
        pub flag: bool,
        pub unsigned: u32,
        pub signed: i32,
        pub wide: u64,
        pub wide_signed: i64,
        pub single: f32,
        pub sum: u32,
        pub time: u64,
        pub choice: u32,
    }

    #[kernel]
    pub fn row_number(out: &mut Out, id: u32) {
        out.x = id as u64 * 3 + 1;
    }

    #[kernel]
    pub fn length(all: &Rows<Cell>, out: &mut Out) {
        out.x = all.len() as u64;
    }

    /// Follows `next` through the whole table.
    #[kernel]
    pub fn chase(me: &Cell, all: &Rows<Cell>, out: &mut Out) {
        let mut sum = me.wide;
        let mut at = me.next;
        for step in 0..5u32 {
            let cell = all.get(at);
            sum = sum * 3 + cell.wide + cell.value as u64;
            sum ^= cell.pair[(step % 2) as usize] as u64;
            at = all.get(at).next;
        }
        out.x = sum;
    }

    fn weight(cell: &Cell, all: &Rows<Cell>) -> u64 {
        cell.wide + all.get(cell.next).wide
    }

    /// Passes own rows, rows of other tables and whole tables to functions.
    #[kernel]
    pub fn passed_on(me: &Cell, all: &Rows<Cell>, out: &mut Out) {
        let other = all.get(me.next);
        out.x = weight(me, all) * 7 + weight(other, all) * 11 + weight(all.get(other.next), all);
    }

    /// Reads a row of a table next to a row of another that is written.
    #[kernel]
    pub fn swap_roles(me: &mut Cell, before: &Rows<Cell>, id: u32) {
        let left = before.get(if id == 0 { before.len() - 1 } else { id - 1 });
        me.value = left.value + 1;
        me.wide = left.wide ^ id as u64;
        me.pair[(id % 2) as usize] -= left.pair[0];
    }

    /// Pushes into the lanes and adds them up.
    #[kernel]
    pub fn push(me: &mut Line, id: u32) {
        if me.used < me.times.capacity() {
            me.times.set(me.used, id as u64 * 1_000_000_007);
            me.events.set(me.used, Event { time: me.used as u64, kind: id });
            me.used += 1;
        }
        let mut total = 0;
        for lane in 0..me.used {
            let event = me.events.get(lane);
            total += me.times.get(lane) + event.time * 3 + me.events.get(lane).kind as u64;
        }
        me.total = total;
    }

    fn largest(line: &Lanes<u64>, used: u32) -> u64 {
        let mut most = 0;
        for lane in 0..used {
            most = most.max(line.get(lane));
        }
        most
    }

    fn shift_up(line: &mut Lanes<u64>, by: u64) {
        for lane in 0..line.capacity() {
            line.set(lane, line.get(lane) + by);
        }
    }

    /// Passes lanes to functions.
    #[kernel]
    pub fn lanes_passed_on(me: &mut Line, others: &Rows<Cell>, id: u32) {
        shift_up(&mut me.times, others.get(id).wide);
        me.total = largest(&me.times, me.used) + me.times.capacity() as u64;
    }

    /// Reads another row's lanes.
    #[kernel]
    pub fn lanes_of_others(all: &Rows<Line>, out: &mut Out, id: u32) {
        let other = all.get((id + 1) % all.len());
        let mut x = other.times.capacity() as u64;
        for lane in 0..other.used {
            x = x * 5 + other.times.get(lane) + other.events.get(lane).kind as u64;
        }
        out.x = x;
    }

    fn from_block(block: &Everything) -> u32 {
        block.numbers[0] + block.numbers[1] * 10 + block.numbers[2] * 100 + block.event.kind * 1000
    }

    #[kernel]
    pub fn parameters(out: &mut Copied, block: &Everything, id: u32) {
        out.flag = block.flag;
        out.unsigned = block.unsigned + id;
        out.signed = block.signed;
        out.wide = block.wide;
        out.wide_signed = block.wide_signed;
        out.single = block.single;
        out.sum = from_block(block) + block.numbers[(id % 3) as usize];
        out.time = block.event.time;
        out.choice = block.choice as u32;
    }

    #[derive(Params)]
    pub struct First {
        pub add: u64,
    }

    #[kernel]
    pub fn two_parameter_blocks(out: &mut Out, first: &First, block: &Everything) {
        out.x = first.add + block.wide;
    }

    /// Uses many tables at once.
    #[kernel]
    pub fn many(a: &Cell, b: &Out, c: &mut Out, d: &Rows<Cell>, e: &Rows<Out>, id: u32) {
        c.x = a.wide + b.x + d.get(a.next).wide + e.get(id).x;
    }
}

/// A parameter block and a table with `f64`, separate for devices without it.
#[imminent_core::kernels]
pub mod doubles {
    #[derive(Row)]
    pub struct Double {
        pub x: f64,
        pub n: u32,
    }

    #[derive(Params)]
    pub struct Scale {
        pub by: f64,
    }

    #[kernel]
    pub fn scale(me: &mut Double, scale: &Scale) {
        me.x *= scale.by;
    }
}

/// Values of the own row, just written, or of another table: which of both, a condition says.
#[imminent_core::kernels]
pub mod chosen {
    #[derive(Row)]
    pub struct Cell {
        pub from_other: bool,
        pub written: u32,
        pub read: u32,
        pub values: [u32; 4],
        pub at_once: u32,
        pub in_steps: u32,
    }

    #[derive(Row)]
    pub struct Other {
        pub values: [u32; 4],
    }

    /// Writes a value, then reads one by an expression, and by statements.
    #[kernel]
    pub fn write_and_choose(me: &mut Cell, other: &Rows<Other>, row: u32) {
        me.values[(me.written % 4) as usize] = row * 3 + 1;
        let at = me.read % 4;
        me.at_once = if me.from_other { other.get(row).values[at as usize] } else { me.values[at as usize] };
        me.values[(me.written % 4) as usize] = row * 5 + 2;
        let mut found = me.values[at as usize] * 7;
        if me.from_other {
            found = other.get(row).values[at as usize] * 7;
        }
        me.in_steps = found;
    }
}
