//! Calls: by value, by reference, methods, resources passed on.

#[imminent_core::kernels]
pub mod calls {
    use crate::language::cells::cells::*;

    fn twice(mut x: u32) -> u32 {
        x *= 2;
        x
    }

    fn mix(a: u32, b: u64, pair: Pair) -> Pair {
        Pair { a: a + pair.a, b: b as i64 - pair.b }
    }

    fn by_value(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.pair = mix(twice(me.a) + 1, me.e / me.f, me.pairs[0]);
        me.few = rotated(me.few, p.scale);
        twice(twice(3)) as u64
    }

    fn rotated(few: [u32; 5], by: u32) -> [u32; 5] {
        let mut out = [0; 5];
        for i in 0..5 {
            out[((i + by) % 5) as usize] = few[i as usize];
        }
        out
    }

    fn swap(a: &mut u32, b: &mut u32) {
        let t = *a;
        *a = *b;
        *b = t;
    }

    fn bump(x: &mut u64, by: &u64) -> u64 {
        *x += *by;
        if *x > 100 {
            return *x;
        }
        *x * 2
    }

    fn fill(few: &mut [u32; 5], pair: &Pair) {
        for i in 0..4 {
            few[i as usize] += pair.a;
        }
        few[pair.a as usize] = 1;
    }

    fn by_reference(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        swap(&mut me.a, &mut me.b);
        let mut x = me.e;
        let y = bump(&mut x, &me.f) + bump(&mut x, &3);
        fill(&mut me.few, &me.pair);
        let mut pair = me.pair;
        let stirred = pair.stir(4);
        swap(&mut pair.a, &mut post.to);
        me.pairs[2] = pair;
        post.time = bump(&mut post.time, &(me.e + 1));
        x + y + stirred as u64
    }

    fn methods(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let n = me.pair.stir(me.a) + me.pair.stir(1);
        me.pairs[1].stir(n);
        (me.pair.total() + Pair::total(&me.pairs[0])) as u64 + n as u64
    }

    fn visit(me: &mut Cell, post: &mut Post, all: &Rows<Cell>, p: &Par, counts: &Tally<u64>, depth: u32) -> u64 {
        post.to += depth;
        me.a += p.weights[(depth % 3) as usize];
        counts.add(depth, me.e);
        peek(all.get(depth)) + peek(me) + least(all, p) + read_only(p)
    }

    fn peek(cell: &Cell) -> u64 {
        cell.e + cell.few[cell.a as usize] as u64 + cell.line.get(cell.b) as u64
    }

    fn least(all: &Rows<Cell>, p: &Par) -> u64 {
        let mut least = p.limit;
        for i in 0..all.len() {
            let row = all.get(i);
            least = least.min(peek(row)).min(row.f);
        }
        least
    }

    fn read_only(p: &Par) -> u64 {
        p.limit + p.scale as u64
    }

    fn resources(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let x = visit(me, post, all, p, counts, id) + visit(&mut *me, post, &all, p, counts, id + 1);
        me.few[0] = 8;
        x + peek(&me)
    }

    fn lent_elements(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        swap(&mut me.few[me.a as usize], &mut me.b);
        swap(&mut post.marks[me.few[0] as usize], &mut me.few[(me.b % 7) as usize]);
        let n = me.pairs[me.b as usize].stir(3);
        let k = me.pairs[(me.a / me.b) as usize].stir(n / me.b);
        let mut local = [1u64, 2, 3];
        me.out[0] = bump(&mut local[me.c as usize], &me.e);
        me.out[1] = local[0] + local[1] + local[2];
        let t = Pair::stir(&mut me.pairs[me.d as usize], me.b % me.a);
        n as u64 + k as u64 + t as u64
    }

    fn padded(list: [u32; Phase2::STEP as usize + 1]) -> u32 {
        list[Phase2::STEP as usize]
    }

    impl Phase2 {
        const STEP: u32 = 3;

        fn start() -> Phase2 {
            Phase2::Off
        }

        fn flip(self) -> Self {
            match self {
                Self::On => Self::Off,
                Self::Off => Self::On,
            }
        }

        fn is_on(&self) -> bool {
            *self == Phase2::On
        }

        fn code(&self) -> u32 {
            match self {
                Phase2::On => Self::STEP,
                Phase2::Off => 0,
            }
        }
    }

    enum Phase2 {
        On = 1,
        Off = 0,
    }

    fn associated(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let phase = Phase2::start().flip();
        let other = if phase.is_on() { phase.flip() } else { phase };
        me.phase = if other.is_on() { Phase::Busy } else { Phase::Idle };
        (padded([me.a; 4]) + phase.code() * 10 + other.code() + Phase2::STEP) as u64
    }

    fn age(post: &mut Post, by: u64) -> u64 {
        post.time += by;
        post.marks[by as usize] = 9;
        look(post)
    }

    fn look(post: &Post) -> u64 {
        post.time + post.marks[1] as u64
    }

    fn copied(post: Post) -> Post {
        let mut post = post;
        post.to = 1;
        Post { time: 3, ..post }
    }

    fn rows_as_values(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let mut old = *past.get(id);
        let n = age(&mut old, me.e % 5) + age(post, me.f % 6) + look(past.get(me.a)) + look(&old);
        let mut list = [old, *post];
        let k = age(&mut list[me.b as usize], 2) + look(&list[1]) + look(&list[me.a as usize]);
        *post = copied(list[0]);
        let near = past.get(id);
        let again = *near;
        n + k + again.time + copied(*past.get(0)).time
    }

    fn push(line: &mut Lanes<u32>, length: &mut u32, x: u32) {
        line.set(*length, x);
        *length += 1;
    }

    fn sum(line: &Lanes<u32>) -> u32 {
        let mut sum = 0;
        for i in 0..line.capacity() {
            sum += line.get(i);
        }
        sum
    }

    fn lanes_passed(
        me: &mut Cell,
        _post: &mut Post,
        all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let before = sum(&me.line);
        push(&mut me.line, &mut me.a, 7);
        push(&mut me.line, &mut me.few[1], me.b);
        (before + sum(&me.line) + sum(&all.get(id).line) + sum(&all.get(me.b).line)) as u64
    }

    pub enum Op {
        ByValue,
        ByReference,
        Methods,
        Resources,
        LentElements,
        Associated,
        RowsAsValues,
        LanesPassed,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls one of the functions above.
    #[kernel]
    pub fn run(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        past: &Rows<Post>,
        counts: &Tally<u64>,
        chosen: &Chosen,
        id: u32,
    ) {
        if chosen.op == Op::ByValue {
            me.result = by_value(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::ByReference {
            me.result = by_reference(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Methods {
            me.result = methods(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Resources {
            me.result = resources(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::LentElements {
            me.result = lent_elements(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Associated {
            me.result = associated(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::RowsAsValues {
            me.result = rows_as_values(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::LanesPassed {
            me.result = lanes_passed(me, post, all, p, past, counts, id);
        }
    }
}
