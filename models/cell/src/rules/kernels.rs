//! Kernels of rule files: the interpreter of the rule buffer, and the paper's advance by it.

/// Evaluates rules in postfix.
#[imminent_core::kernels]
pub mod interpreter {
    use imminent_core::random::Pcg32;

    // Codes of operations.
    /// Puts a number on the stack.
    pub const PUSH: u32 = 0;
    /// Puts the value of a neighbour on the stack.
    pub const CELL: u32 = 1;
    /// Puts the time on the stack.
    pub const TIME: u32 = 2;
    /// A coordinate of the cell.
    pub const POSITION: u32 = 3;
    /// Number of neighbours with a value.
    pub const COUNT: u32 = 4;
    /// A number from 0 up to 1.
    pub const RANDOM: u32 = 5;
    /// 1 or -1.
    pub const RANDOM_SIGN: u32 = 6;
    /// A whole number up to another.
    pub const RANDOM_INTEGER: u32 = 7;
    /// A number between two others.
    pub const UNIFORM: u32 = 8;
    /// Goes on elsewhere.
    pub const JUMP: u32 = 9;
    /// Goes on elsewhere unless a condition is true.
    pub const JUMP_UNLESS: u32 = 10;
    /// Goes on elsewhere if a condition is undefined, and keeps it.
    pub const JUMP_IF_UNDEFINED: u32 = 11;
    /// Takes an element off the stack.
    pub const DROP: u32 = 12;
    /// Goes on with the next rule unless a condition is true.
    pub const NEXT_UNLESS: u32 = 13;
    /// Ends with a value and a delay.
    pub const STOP: u32 = 14;
    /// Ends without a rule that is true.
    pub const NOTHING: u32 = 15;
    /// Puts the value of the external input on the stack.
    pub const INPUT: u32 = 29;
    /// `abs`.
    pub const ABS: u32 = 16;
    /// `sqrt`.
    pub const SQRT: u32 = 17;
    /// `floor`.
    pub const FLOOR: u32 = 18;
    /// `ceil`.
    pub const CEIL: u32 = 19;
    /// `round`.
    pub const ROUND: u32 = 20;
    /// `fractional`.
    pub const FRACTIONAL: u32 = 21;
    /// `sign`.
    pub const SIGN: u32 = 22;
    /// `negate`.
    pub const NEGATE: u32 = 23;
    /// `not`.
    pub const NOT: u32 = 24;
    /// `is undefined`.
    pub const IS_UNDEFINED: u32 = 25;
    /// `is integer`.
    pub const IS_INTEGER: u32 = 26;
    /// `is even`.
    pub const IS_EVEN: u32 = 27;
    /// `is odd`.
    pub const IS_ODD: u32 = 28;
    /// First code of the operations of two numbers.
    pub const FIRST_OF_TWO: u32 = 32;
    /// `add`.
    pub const ADD: u32 = 32;
    /// `subtract`.
    pub const SUBTRACT: u32 = 33;
    /// `multiply`.
    pub const MULTIPLY: u32 = 34;
    /// `divide`.
    pub const DIVIDE: u32 = 35;
    /// `min`.
    pub const MIN: u32 = 36;
    /// `max`.
    pub const MAX: u32 = 37;
    /// `remainder`.
    pub const REMAINDER: u32 = 38;
    /// `power`.
    pub const POWER: u32 = 39;
    /// `equal`.
    pub const EQUAL: u32 = 40;
    /// `differs`.
    pub const DIFFERS: u32 = 41;
    /// `less`.
    pub const LESS: u32 = 42;
    /// `at most`.
    pub const AT_MOST: u32 = 43;
    /// `greater`.
    pub const GREATER: u32 = 44;
    /// `at least`.
    pub const AT_LEAST: u32 = 45;
    /// `and`.
    pub const AND: u32 = 46;
    /// `or`.
    pub const OR: u32 = 47;
    /// `xor`.
    pub const XOR: u32 = 48;
    /// `implies`.
    pub const IMPLIES: u32 = 49;
    /// `equivalent`.
    pub const EQUIVALENT: u32 = 50;

    /// Elements of the stack.
    pub const DEPTH: usize = 24;
    /// Tolerance of equality between reals.
    const TOLERANCE: f64 = 1e-8;
    /// Largest exponent of `power`, in absolute value.
    const MOST_POWER: f64 = 1024.0;
    /// Time of a cell that has nothing pending.
    pub const NEVER: u32 = u32::MAX;
    /// Longest delay, in milliseconds.
    const LONGEST: f64 = 2147483647.0;

    /// An operation of the rule buffer: 16 bytes, the paper's two numbers for each node.
    #[derive(Row)]
    pub struct Operation {
        /// Number to be put on the stack.
        pub value: f64,
        /// What to do.
        pub code: u32,
        /// Neighbour, or where to go on.
        pub arg: u32,
    }

    /// Distance to a neighbour.
    #[derive(Row)]
    pub struct Offset {
        /// Along each dimension.
        pub by: [i32; 4],
    }

    /// What neighbours see of a cell.
    #[derive(Row)]
    pub struct Cell {
        /// Value emitted last; NaN if it is undefined.
        pub value: f64,
        /// Value that is emitted next.
        pub pending: f64,
        /// When it is emitted, in milliseconds; [`NEVER`] if nothing is pending.
        pub due: u32,
    }

    /// Shape of the cell space.
    #[derive(Params)]
    pub struct Space {
        /// Cells along each dimension; 1 for those that the space lacks.
        pub cells: [u32; 4],
        /// Dimensions.
        pub dimensions: u32,
        /// 1 if opposite edges touch.
        pub wrapped: u32,
        /// Neighbours of a cell.
        pub neighbours: u32,
        /// 1 if delays are of the transport kind.
        pub transport: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
    }

    /// What an evaluation gives.
    pub struct Next {
        /// New value.
        pub value: f64,
        /// Delay, in milliseconds.
        pub delay: u32,
        /// Whether a rule was true.
        pub found: bool,
    }

    impl Cell {
        /// The value once the outputs of this time have reached the neighbours.
        pub fn seen(&self, now: u32) -> f64 {
            if self.due == now { self.pending } else { self.value }
        }
    }

    /// The coordinate of a cell along a dimension.
    pub fn coordinate(space: &Space, id: u32, dimension: u32) -> u32 {
        let mut rest = id;
        let mut at = 3u32;
        while at > dimension {
            rest /= space.cells[at as usize];
            at -= 1;
        }
        rest % space.cells[dimension as usize]
    }

    /// The number of a neighbour; [`NEVER`] beyond an open border.
    pub fn neighbour(space: &Space, offsets: &Rows<Offset>, id: u32, which: u32) -> u32 {
        let offset = offsets.get(which);
        let mut rest = id;
        let mut number = 0u32;
        let mut stride = 1u32;
        let mut inside = true;
        for back in 0..4u32 {
            let dimension = 3 - back;
            let cells = space.cells[dimension as usize];
            let at = rest % cells;
            rest /= cells;
            let mut to = at as i32 + offset.by[dimension as usize];
            if to < 0 || to >= cells as i32 {
                if space.wrapped == 0 {
                    inside = false;
                }
                to %= cells as i32;
                if to < 0 {
                    to += cells as i32;
                }
            }
            number += to as u32 * stride;
            stride *= cells;
        }
        if inside { number } else { NEVER }
    }

    /// The value of a neighbour; NaN beyond an open border.
    fn value_of(space: &Space, offsets: &Rows<Offset>, cells: &Rows<Cell>, id: u32, which: u32, now: u32) -> f64 {
        let number = neighbour(space, offsets, id, which);
        if number == NEVER { f64::NAN } else { cells.get(number).seen(now) }
    }

    /// Equality within the tolerance: 1, 0, or NaN if exactly one side is undefined.
    pub fn equal(a: f64, b: f64) -> f64 {
        if a.is_nan() && b.is_nan() {
            return 1.0;
        }
        if a.is_nan() || b.is_nan() {
            return f64::NAN;
        }
        truth(a >= b - TOLERANCE && a <= b + TOLERANCE)
    }

    /// Whether a newly computed value is the same as another.
    pub fn same(a: f64, b: f64) -> bool {
        equal(a, b) == 1.0
    }

    fn truth(condition: bool) -> f64 {
        if condition { 1.0 } else { 0.0 }
    }

    fn less(a: f64, b: f64) -> f64 {
        if a.is_nan() && b.is_nan() {
            return 0.0;
        }
        if a.is_nan() || b.is_nan() {
            return f64::NAN;
        }
        truth(a < b)
    }

    fn and(a: f64, b: f64) -> f64 {
        if a == 0.0 || b == 0.0 {
            return 0.0;
        }
        if a.is_nan() || b.is_nan() { f64::NAN } else { 1.0 }
    }

    fn not(a: f64) -> f64 {
        if a.is_nan() { a } else { truth(a == 0.0) }
    }

    fn or(a: f64, b: f64) -> f64 {
        not(and(not(a), not(b)))
    }

    fn power(base: f64, exponent: f64) -> f64 {
        if base.is_nan()
            || base < 0.0
            || exponent.is_nan()
            || exponent.trunc() != exponent
            || exponent.abs() > MOST_POWER
        {
            return f64::NAN;
        }
        let mut result = 1.0f64;
        let mut square = base;
        let mut left = exponent.abs() as u32;
        while left > 0 {
            if left % 2 == 1 {
                result *= square;
            }
            square *= square;
            left /= 2;
        }
        if exponent < 0.0 { 1.0 / result } else { result }
    }

    fn sign(a: f64) -> f64 {
        if a.is_nan() {
            return a;
        }
        if a > 0.0 {
            return 1.0;
        }
        if a < 0.0 { -1.0 } else { 0.0 }
    }

    fn is_integer(a: f64) -> bool {
        !a.is_nan() && a - a.floor() <= 0.0
    }

    fn draw(random: &mut Pcg32) -> f64 {
        random.next_u32() as f64 / 4294967296.0
    }

    /// Operations of two numbers.
    fn two(code: u32, a: f64, b: f64) -> f64 {
        let undefined = a.is_nan() || b.is_nan();
        match code {
            ADD => a + b,
            SUBTRACT => a - b,
            MULTIPLY => a * b,
            DIVIDE => {
                if undefined || same(b, 0.0) {
                    f64::NAN
                } else {
                    a / b
                }
            }
            MIN => {
                if undefined {
                    f64::NAN
                } else if a < b {
                    a
                } else {
                    b
                }
            }
            MAX => {
                if undefined {
                    f64::NAN
                } else if a > b {
                    a
                } else {
                    b
                }
            }
            REMAINDER => {
                if undefined || b == 0.0 {
                    f64::NAN
                } else {
                    a % b
                }
            }
            POWER => power(a, b),
            EQUAL => equal(a, b),
            DIFFERS => truth(!same(a, b)),
            LESS => less(a, b),
            AT_MOST => or(truth(same(a, b)), less(a, b)),
            GREATER => less(b, a),
            AT_LEAST => or(truth(same(a, b)), less(b, a)),
            AND => and(a, b),
            OR => or(a, b),
            XOR => {
                if undefined {
                    f64::NAN
                } else {
                    truth(a != b)
                }
            }
            IMPLIES => or(not(a), b),
            EQUIVALENT => truth(a == b || (a.is_nan() && b.is_nan())),
            _ => f64::NAN,
        }
    }

    /// Operations of one number.
    fn one(code: u32, a: f64) -> f64 {
        match code {
            ABS => a.abs(),
            SQRT => a.sqrt(),
            FLOOR => a.floor(),
            CEIL => a.ceil(),
            ROUND => a.round_ties_even(),
            FRACTIONAL => a - a.trunc(),
            SIGN => sign(a),
            NEGATE => 0.0 - a,
            NOT => not(a),
            IS_UNDEFINED => truth(a.is_nan()),
            IS_INTEGER => truth(is_integer(a)),
            IS_EVEN => truth(is_integer(a / 2.0)),
            IS_ODD => truth(is_integer(a) && !is_integer(a / 2.0)),
            _ => f64::NAN,
        }
    }

    /// Evaluates the rules that begin at `start` for a cell. `input` is the value of its external input, NaN where it
    /// has none.
    pub fn evaluate(
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        cells: &Rows<Cell>,
        space: &Space,
        random: &mut Pcg32,
        start: u32,
        input: f64,
        id: u32,
        now: u32,
    ) -> Next {
        let mut stack: [f64; DEPTH] = [0.0; DEPTH];
        let mut top = 0u32;
        let mut at = start;
        let mut undefined = false;
        let mut going = true;
        let mut next = Next { value: 0.0, delay: 0, found: false };
        while going {
            let operation = operations.get(at);
            at += 1;
            match operation.code {
                PUSH => {
                    stack[top as usize] = operation.value;
                    top += 1;
                }
                CELL => {
                    stack[top as usize] = value_of(space, offsets, cells, id, operation.arg, now);
                    top += 1;
                }
                TIME => {
                    stack[top as usize] = now as f64;
                    top += 1;
                }
                INPUT => {
                    stack[top as usize] = input;
                    top += 1;
                }
                POSITION => {
                    let dimension = stack[(top - 1) as usize];
                    let mut position = f64::NAN;
                    if dimension >= 0.0 && dimension < space.dimensions as f64 {
                        position = coordinate(space, id, dimension as u32 + 4 - space.dimensions) as f64;
                    }
                    stack[(top - 1) as usize] = position;
                }
                COUNT => {
                    let value = stack[(top - 1) as usize];
                    let mut count = 0u32;
                    for which in 0..space.neighbours {
                        if same(value_of(space, offsets, cells, id, which, now), value) {
                            count += 1;
                        }
                    }
                    stack[(top - 1) as usize] = count as f64;
                }
                RANDOM => {
                    stack[top as usize] = draw(random);
                    top += 1;
                }
                RANDOM_SIGN => {
                    stack[top as usize] = if draw(random) < 0.5 { 1.0 } else { -1.0 };
                    top += 1;
                }
                RANDOM_INTEGER => {
                    stack[(top - 1) as usize] = (draw(random) * (stack[(top - 1) as usize] + 1.0)).floor();
                }
                UNIFORM => {
                    top -= 1;
                    let low = stack[(top - 1) as usize];
                    stack[(top - 1) as usize] = low + (stack[top as usize] - low) * draw(random);
                }
                JUMP => at = operation.arg,
                JUMP_UNLESS => {
                    top -= 1;
                    if stack[top as usize] != 1.0 {
                        at = operation.arg;
                    }
                }
                JUMP_IF_UNDEFINED => {
                    if stack[(top - 1) as usize].is_nan() {
                        at = operation.arg;
                    }
                }
                DROP => top -= 1,
                NEXT_UNLESS => {
                    top -= 1;
                    let condition = stack[top as usize];
                    if condition.is_nan() {
                        undefined = true;
                    }
                    if condition != 1.0 {
                        at = operation.arg;
                    }
                }
                STOP => {
                    let delay = stack[(top - 1) as usize];
                    let short = delay <= LONGEST;
                    let allowed = short && delay >= 0.0;
                    assert!(allowed, "the delay of a rule is defined, not negative, and at most 2147483647 ms");
                    next.value = stack[(top - 2) as usize];
                    next.delay = delay as u32;
                    next.found = allowed;
                    going = false;
                }
                NOTHING => {
                    assert!(undefined, "a rule is true: end the rules with `rule : {(0,0)} 0 {t}`");
                    going = false;
                }
                _ => {
                    if operation.code < FIRST_OF_TWO {
                        stack[(top - 1) as usize] = one(operation.code, stack[(top - 1) as usize]);
                    } else {
                        top -= 1;
                        stack[(top - 1) as usize] = two(operation.code, stack[(top - 1) as usize], stack[top as usize]);
                    }
                }
            }
        }
        next
    }
}

/// The paper's advance with rules of a rule buffer.
#[imminent_core::kernels]
pub mod advance {
    use crate::rules::kernels::interpreter::{Cell, NEVER, Offset, Operation, Space, evaluate, neighbour, same};
    use imminent_core::random::Pcg32;

    /// Rounds of outputs at one time after which a model is said not to advance.
    pub const MOST_ROUNDS: u32 = 10000;

    /// An output that a cell of the transport kind has pending.
    pub struct Pending {
        /// When, in milliseconds.
        pub due: u32,
        /// What.
        pub value: f64,
    }

    /// What a cell keeps to itself.
    #[derive(Row)]
    pub struct Own {
        /// Where its random numbers come from.
        pub random: Pcg32,
        /// Where its rules begin.
        pub start: u32,
        /// When it emitted last, in milliseconds.
        pub time: u32,
        /// Outputs so far, the initial one included.
        pub outputs: u32,
        /// Pending outputs in `queue`.
        pub waiting: u32,
        /// Pending outputs, the earliest first; for cells of the transport kind.
        pub queue: Lanes<Pending>,
    }

    /// State of a block of cells, of which there are two by turns.
    #[derive(Row)]
    pub struct Block {
        /// Least time at which one of its cells is due.
        pub next: u32,
        /// 1 if the launch before wrote its cells.
        pub written: u32,
        /// Where the blocks that its cells see begin in the list.
        pub first_source: u32,
        /// How many they are.
        pub sources: u32,
    }

    /// An entry of the lists of blocks.
    #[derive(Row)]
    pub struct Source {
        /// Number of the block.
        pub block: u32,
    }

    /// External inputs of a cell at regular times.
    #[derive(Row)]
    pub struct Feed {
        /// Cell that receives them.
        pub cell: u32,
        /// Where the rules begin that it evaluates then.
        pub start: u32,
        /// Time of the first, in milliseconds.
        pub first: u32,
        /// Milliseconds from one to the next; 0 if there is one only.
        pub period: u32,
        /// Value of the first.
        pub value: f64,
        /// What is added to the value from one to the next.
        pub increment: f64,
    }

    impl Feed {
        /// Whether an input comes at this time.
        pub fn comes(&self, now: u32) -> bool {
            if now < self.first {
                return false;
            }
            if self.period == 0 { now == self.first } else { (now - self.first) % self.period == 0 }
        }

        /// Value of the input that comes at this time.
        pub fn value_at(&self, now: u32) -> f64 {
            if self.period == 0 {
                return self.value;
            }
            self.value + self.increment * ((now - self.first) / self.period) as f64
        }

        /// Time of the next input after this time.
        pub fn after(&self, now: u32) -> u32 {
            if now < self.first {
                return self.first;
            }
            if self.period == 0 {
                return NEVER;
            }
            let ahead = self.period - (now - self.first) % self.period;
            if now > NEVER - ahead { NEVER } else { now + ahead }
        }
    }

    /// What is counted, by every block for itself.
    #[derive(Row)]
    pub struct Census {
        /// Time of the step before.
        pub last: u32,
        /// Steps at that time so far.
        pub rounds: u32,
        /// Distinct times after 0.
        pub distinct: u32,
    }

    /// Least time at which any cell is due.
    #[derive(Row)]
    pub struct Clock {
        /// Milliseconds.
        pub time: u32,
    }

    impl Own {
        /// Adds an output to the queue, after those of the same time.
        fn insert(&mut self, due: u32, value: f64) {
            let mut at = self.waiting;
            self.queue.set(at, Pending { due, value });
            while at > 0 && self.queue.get(at - 1).due > due {
                self.queue.set(at, self.queue.get(at - 1));
                at -= 1;
            }
            self.queue.set(at, Pending { due, value });
            self.waiting += 1;
        }

        /// Removes the outputs of this time.
        fn remove(&mut self, now: u32) {
            let mut gone = 0u32;
            while gone < self.waiting && self.queue.get(gone).due <= now {
                gone += 1;
            }
            if gone > 0 {
                for at in gone..self.waiting {
                    self.queue.set(at - gone, self.queue.get(at));
                }
                self.waiting -= gone;
            }
        }

        /// Shows the output that comes next: of several at one time the last.
        fn show(&self, cell: Cell) -> Cell {
            let mut shown = cell;
            shown.due = NEVER;
            if self.waiting > 0 {
                let due = self.queue.get(0).due;
                let mut at = 0u32;
                while at + 1 < self.waiting && self.queue.get(at + 1).due == due {
                    at += 1;
                }
                shown.due = due;
                shown.pending = self.queue.get(at).value;
            }
            shown
        }
    }

    /// A cell after the outputs of this time, and one evaluation of its rules if an output reached it.
    fn advanced(
        own: &mut Own,
        cell: Cell,
        cells: &Rows<Cell>,
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        feeds: &Rows<Feed>,
        fed: bool,
        space: &Space,
        id: u32,
        now: u32,
    ) -> Cell {
        let mut after = cell;
        if cell.due == now {
            after.value = cell.pending;
            after.due = NEVER;
            own.time = now;
            own.outputs += 1;
            if space.transport != 0 {
                own.remove(now);
                after = own.show(after);
            }
        }
        let mut reached = false;
        for which in 0..space.neighbours {
            let other = neighbour(space, offsets, id, which);
            if other != NEVER {
                reached = reached || cells.get(other).due == now;
            }
        }
        let mut start = own.start;
        let mut input = f64::NAN;
        if fed {
            for back in 0..feeds.len() {
                // The first feed of a cell counts, so it is looked at last.
                let feed = feeds.get(feeds.len() - 1 - back);
                if feed.cell == id && feed.comes(now) {
                    reached = true;
                    start = feed.start;
                    input = feed.value_at(now);
                }
            }
        }
        if reached {
            let next = evaluate(operations, offsets, cells, space, &mut own.random, start, input, id, now);
            let due = now.saturating_add(next.delay);
            if next.found && space.transport != 0 {
                if !same(next.value, after.value) {
                    own.insert(due, next.value);
                    after = own.show(after);
                }
            } else if next.found {
                let last = if after.due == NEVER { after.value } else { after.pending };
                if !same(next.value, last) {
                    after.pending = next.value;
                    after.due = due;
                }
            }
        }
        after
    }

    /// One round of outputs and evaluations. Returns the time of the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn step(
        group: &mut Group<u32>,
        owns: &mut Each<Own>,
        cells: &mut Each<Cell>,
        before: &Rows<Cell>,
        block: &mut Block,
        blocks: &Rows<Block>,
        sources: &Rows<Source>,
        census: &mut Census,
        clock: &Rows<Clock>,
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        feeds: &Rows<Feed>,
        fullest: &Tally<u32>,
        space: &Space,
    ) -> u32 {
        let now = clock.get(0).time;
        let was = blocks.get(group.index());
        let running = now <= space.horizon;
        // Inputs come once, in the first round of outputs at their time.
        let fed = running && now != census.last;
        let first = group.index() * group.size();
        let mut near = false;
        let mut fed_next = NEVER;
        if running {
            for which in 0..feeds.len() {
                let feed = feeds.get(which);
                near = near || (fed && feed.comes(now) && feed.cell >= first && feed.cell - first < group.size());
                fed_next = fed_next.min(feed.after(now));
            }
        }
        if running {
            census.rounds = if now == census.last { census.rounds + 1 } else { 0 };
            if now != census.last && now > 0 {
                census.distinct += 1;
            }
            census.last = now;
        }
        let advances = census.rounds <= MOST_ROUNDS;
        let first_source = was.first_source;
        let end_of_sources = first_source + was.sources;
        // One lane looks, so that the other warps of an idle block only vote.
        near = running
            && advances
            && group.any((), |lane, ()| {
                let mut found = near;
                if lane.index() == 0 {
                    for edge in first_source..end_of_sources {
                        found |= blocks.get(sources.get(edge).block).next == now;
                    }
                }
                found
            });
        let mut next = was.next;
        if near {
            // Scratch elements are zero where a group is cut, so the greatest complement is looked for.
            group.phase((owns, cells), |lane, (own, cell)| {
                let row = *before.get(lane.row());
                let after = advanced(own, row, before, operations, offsets, feeds, fed, space, lane.row(), now);
                *cell = after;
                if space.transport != 0 && own.waiting + 2 > own.queue.capacity() {
                    // Two launches make a step of the program, and each adds at most one output.
                    fullest.max(0, own.waiting + 2);
                }
                lane.set(NEVER - after.due);
            });
            let mut half = group.size() / 2;
            while half > 0 {
                group.phase((), |lane, ()| {
                    if lane.index() < half {
                        lane.set(lane.own().max(lane.get(lane.index() + half)));
                    }
                });
                half /= 2;
            }
            next = NEVER - group.get(0);
        } else if was.written != 0 {
            group.phase(cells, |lane, cell| *cell = *before.get(lane.row()));
        }
        block.next = next;
        block.written = if near { 1 } else { 0 };
        if advances { next.min(fed_next) } else { NEVER }
    }
}
