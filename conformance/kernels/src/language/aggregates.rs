//! Structs, arrays, rows, lanes, tallies, enums and constants.

#[imminent_core::kernels]
pub mod aggregates {
    use crate::language::cells::cells::{Cell, FEW, Pair, Par, Phase, Post};

    const TABLE: [u64; 4] = [3, 1 << 40, 5, u64::MAX];
    const ORIGIN: Pair = Pair { a: 4, b: -4 };
    const PAIRS: [Pair; 2] = [ORIGIN, Pair { a: 1, ..ORIGIN }];
    const PHASES: [Phase; 2] = [Phase::Done, Phase::Idle];
    const HALF: usize = FEW / 2;

    struct Outer {
        pair: Pair,
        list: [u32; HALF],
    }

    impl Outer {
        const SIZE: u32 = HALF as u32 * 2;

        fn make(x: u32) -> Self {
            Self { list: [x; HALF], pair: Pair { a: Self::SIZE, b: x as i64 } }
        }
    }

    fn structs(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut p = Pair { b: me.g, a: me.a };
        p.a += 1;
        let q = Pair { a: p.a * 2, ..p };
        let b = q.b;
        let r = Pair { b, ..me.pair };
        me.pair = q;
        me.pairs[1] = r;
        me.pairs[2] = p;
        let o = Outer::make(me.a);
        let other = Outer { pair: r, ..Outer::make(me.b) };
        p = o.pair;
        p.total() as u64 + other.list[1] as u64 + Outer::make(3).pair.a as u64 + o.list[0] as u64
    }

    fn arrays(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut xs = [1, 2, me.a, 4];
        let ys = [me.b; 4];
        xs[2] += ys[0];
        xs[(me.a % 4) as usize] = 9;
        post.marks = xs;
        let grid = me.grid;
        me.grid[1] = grid[0];
        me.grid[0] = [grid[1][2], 5, -1];
        me.few = [7; FEW];
        let mut sum = 0;
        for i in 0..FEW as u32 {
            sum += me.few[i as usize] * i;
        }
        sum as u64 + xs[HALF] as u64 + me.few[FEW - 1] as u64
    }

    fn nested(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.grid[me.a as usize][me.b as usize] = 5;
        me.grid[1][me.b as usize] += 3;
        me.grid[me.a as usize][2] -= 3;
        me.pairs[me.a as usize].a = 77;
        me.pairs[me.a as usize].b += me.g;
        let i = me.c;
        me.out[0] = me.grid[i as usize][me.d as usize] as u64;
        me.out[1] = me.pairs[me.e as usize].a as u64 + me.pairs[me.h as usize].b as u64;
        0
    }

    fn checked_reads(
        me: &mut Cell,
        _post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.few[me.a as usize] as u64;
        me.out[1] = me.few[(me.c + 1) as usize] as u64 + p.weights[me.b as usize] as u64;
        me.out[2] = TABLE[me.e as usize] + TABLE[(me.a & 3) as usize];
        me.out[3] = me.few[me.few[me.a as usize] as usize] as u64;
        me.out[4] = all.get(me.b).few[me.a as usize] as u64;
        me.out[5] = all.get(me.a / me.b).grid[(me.a / 2) as usize][(me.b % me.a) as usize] as u64;
        me.out[6] = PAIRS[me.b as usize].total() as u64;
        me.few[me.a as usize] as u64 * 3 + me.few[me.b as usize] as u64
    }

    fn checked_writes(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.few[me.a as usize] = me.b;
        me.few[(me.few[0] % 6) as usize] = me.few[(me.b % 6) as usize];
        me.out[(me.c % 17) as usize] = me.e / me.f;
        post.marks[me.few[1] as usize] = 8;
        let mut local = [0u64; 3];
        local[me.b as usize] = me.e;
        me.out[9] = local[(me.a / me.b) as usize];
        let mut grid = [[0; 2]; 2];
        grid[me.a as usize][(me.a / me.b) as usize] = 3;
        me.out[10] = grid[0][1];
        0
    }

    fn updates(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.few[me.a as usize] += 5;
        me.few[me.b as usize] *= me.few[me.a as usize];
        me.few[(me.a % 6) as usize] /= me.b;
        me.few[(me.b % 6) as usize] %= me.b - 2;
        me.few[(me.b % 6) as usize] <<= me.c;
        me.few[(me.a % 6) as usize] |= 1;
        me.few[(me.a % 6) as usize] ^= me.b;
        me.grid[(me.a % 3) as usize][(me.b % 4) as usize] -= me.c / me.d;
        post.marks[3] += 4;
        post.marks[3] -= 5;
        me.pair.a /= me.b;
        0
    }

    fn constants(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        me.pair = PAIRS[(id % 2) as usize];
        me.pairs = [ORIGIN, PAIRS[1], Pair { b: 1, ..ORIGIN }];
        me.phase = PHASES[(me.a & 1) as usize];
        (TABLE[1] + TABLE[HALF] + Outer::SIZE as u64).wrapping_add(ORIGIN.b as u64)
    }

    fn lanes(
        me: &mut Cell,
        _post: &mut Post,
        all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        me.line.set(0, me.line.get(1) + me.line.get(me.a));
        me.line.set(me.b, 5);
        let job = me.jobs.get(id);
        me.jobs.set(2, Pair { a: job.a + 1, ..job });
        me.out[0] = me.jobs.get(me.a / me.b).total() as u64;
        me.out[1] = all.get(0).line.get(2) as u64 + all.get(me.a).line.get(me.b) as u64;
        let other = all.get(id);
        me.out[2] = other.jobs.get(1).b as u64;
        (me.line.capacity() + me.jobs.capacity() + other.line.capacity()) as u64
    }

    fn rows(
        me: &mut Cell,
        _post: &mut Post,
        all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let mut sum = 0;
        for i in 0..all.len() {
            let row = all.get(i);
            sum += row.a as u64 + row.pair.b as u64 + row.few[((i + id) % 5) as usize] as u64;
        }
        let far = all.get(me.a);
        me.out[0] = far.e;
        me.phase = far.phase;
        me.pairs = far.pairs;
        let near = all.get(id);
        me.out[1] = near.few[me.b as usize] as u64;
        all.get(id + 1).e + all.get(me.b / me.a).f + sum
    }

    fn tallies(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        counts.add(0, me.e);
        counts.add(id, 1);
        counts.add(me.a, me.f / me.e);
        if me.flag {
            counts.add(counts.len() - 1, 3);
        }
        counts.len() as u64
    }

    fn next(phase: Phase) -> Phase {
        match phase {
            Phase::Idle => Phase::Busy,
            Phase::Busy => Phase::Done,
            Phase::Done => Phase::Idle,
        }
    }

    fn enums(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let before = me.phase;
        me.phase = next(before);
        let mut n = before as u64;
        if before == Phase::Idle || me.phase != Phase::Done {
            n += 10;
        }
        n + Phase::Done as u64 * 100 + me.phase as u32 as u64
    }

    pub enum Op {
        Structs,
        Arrays,
        Nested,
        CheckedReads,
        CheckedWrites,
        Updates,
        Constants,
        Lanes,
        Rows,
        Tallies,
        Enums,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls the function of this module that `chosen` names.
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
        if chosen.op == Op::Structs {
            me.result = structs(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Arrays {
            me.result = arrays(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Nested {
            me.result = nested(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::CheckedReads {
            me.result = checked_reads(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::CheckedWrites {
            me.result = checked_writes(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Updates {
            me.result = updates(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Constants {
            me.result = constants(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Lanes {
            me.result = lanes(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Rows {
            me.result = rows(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Tallies {
            me.result = tallies(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Enums {
            me.result = enums(me, post, all, p, past, counts, id);
        }
    }
}
