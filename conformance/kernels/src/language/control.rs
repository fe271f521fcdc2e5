//! Control flow.

#[imminent_core::kernels]
pub mod control {
    use crate::language::cells::cells::{Cell, Par, Phase, Post};

    fn branches(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let x = if me.a > me.b {
            me.a
        } else if me.flag {
            me.b / me.a
        } else {
            7
        };
        if x > 3 {
            me.out[0] = x as u64;
        } else if x == 1 {
            me.out[1] = 1;
        }
        let y: u64;
        if me.c < 0 {
            y = 5;
        } else {
            y = me.e % me.f;
        }
        post.to = if me.flag { if id == 0 { 1 } else { 2 } } else { p.scale };
        let z = {
            let t = y * 2;
            t + if me.flag { 1 } else { me.few[me.a as usize] as u64 }
        };
        z + y
    }

    const SEVEN: u32 = 7;

    fn matches(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let a = match me.a {
            0 => 1,
            1 | 2 => me.b,
            3..=5 => me.b / 2,
            SEVEN => 70,
            31..33 => 32,
            0x8000_0000.. => 9,
            _ => 5,
        };
        let c = match me.c {
            i32::MIN => 1,
            -2..=-1 => 2,
            ..0 => 3,
            0 => 4,
            n => n / 2,
        };
        match me.phase {
            Phase::Idle => me.phase = Phase::Busy,
            Phase::Busy => {
                me.out[1] = 1;
                me.phase = Phase::Done
            }
            Phase::Done => {}
        }
        post.to = match me.flag {
            true => a,
            false => 3,
        };
        match a / 3 {
            1 => return 11,
            x @ (2 | 4) => me.out[2] = x as u64,
            _ => me.out[3] = c as u64,
        }
        a as u64
    }

    fn guards(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        post.to = match me.a {
            n if n > me.b => n,
            n @ 0..=40 if n / me.b == 2 => n + 1,
            5 if me.flag => 50,
            x if me.few[x as usize] == 3 => 8,
            _ if me.flag => 2,
            _ => 3,
        };
        0
    }

    fn loops(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut k = me.a % 10;
        let found = loop {
            k += 1;
            if k == 5 {
                continue;
            }
            if k > 12 {
                break k * 2;
            }
            if me.few[(k % 5) as usize] == 3 {
                break k;
            }
        };
        let mut sum = 0;
        loop {
            if sum > 20 {
                break;
            }
            let mut inner = 0;
            while inner < 4 {
                inner += 1;
                if inner == 2 {
                    continue;
                }
                if inner == me.b {
                    break;
                }
                sum += inner;
            }
            sum += 1;
        }
        post.to = sum;
        found as u64
    }

    fn ranges(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let mut n = 0;
        for i in 0..me.a % 9 {
            n = n * 3 + i
        }
        for i in 0..=me.b % 4 {
            n = n * 5 + i
        }
        for i in (0..me.b % 6).rev() {
            n = n * 7 + i
        }
        for i in (1..=5).rev() {
            n += i << n
        }
        for i in -3..me.c % 5 {
            me.out[0] += (i * 2) as u64
        }
        for mut i in 0..4u64 {
            i *= 2;
            me.out[1] = me.out[1] * 10 + i;
        }
        for i in u32::MAX - 2..=u32::MAX {
            me.out[2] += i as u64
        }
        for i in (me.g..=me.g).rev() {
            me.out[3] = i as u64
        }
        for _ in 5..2 {
            me.out[4] = 1
        }
        for i in 0..3 {
            for j in (0..i).rev() {
                if j == id {
                    continue;
                }
                me.out[5] = me.out[5] * 10 + (i * 3 + j) as u64;
                if j == me.b {
                    break;
                }
            }
        }
        post.to = n;
        n as u64
    }

    fn first_over(few: &[u32; 5], limit: u32) -> u32 {
        for i in 0..5 {
            if few[i as usize] > limit {
                return i;
            }
        }
        99
    }

    fn endless(limit: u32) -> u32 {
        let mut i = 0;
        loop {
            i += 3;
            if i > limit % 50 {
                return i;
            }
        }
    }

    fn nothing(me: &mut Cell) {
        if me.flag {
            return;
        }
        me.out[9] = 9;
    }

    fn breaks(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut i = 0;
        let last = loop {
            match me.few[i as usize] {
                0 => break 0,
                1..=3 => i += 1,
                7 => {
                    i += 1;
                    continue;
                }
                other => break other,
            }
            if i > 4 {
                break 1000;
            }
        };
        last as u64 + i as u64
    }

    fn returns(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        post.to = first_over(&me.few, me.a) + endless(me.b);
        nothing(me);
        let x = if me.c == 0 { return 3 } else { me.c };
        if x > 0 {
            return 5 / (x as u64 - 1);
        }
        match x {
            -1 => 8,
            -2 => return 9,
            _ => {
                if me.flag {
                    return 10;
                }
                11
            }
        }
    }

    fn whiles(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut i = 0;
        while i < 5 && me.few[i as usize] != 3 {
            i += 1;
        }
        let mut n = 20;
        while 100 / n < me.b % 17 && n > 0 {
            n -= 3;
            if n == 8 {
                continue;
            }
            post.marks[(n % 4) as usize] += 1;
            if n < 2 {
                break;
            }
        }
        i as u64 * 100 + n as u64
    }

    fn touch(me: &mut Cell, by: u32) -> bool {
        me.a += by;
        me.a % 2 == 0
    }

    fn short_circuits(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let x = me.flag && touch(me, 1) || touch(me, 2) && me.b / me.a > 0;
        let y = me.a > 3 || me.few[me.a as usize] == 0;
        let z = !(me.flag || x) && (y || me.c / me.d == 1);
        x as u64 + y as u64 * 2 + z as u64 * 4
    }

    fn blocks(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let x = {
            me.a += 1;
            me.a
        } + {
            me.a *= 2;
            me.a
        };
        let y = {
            let x = x + 1;
            { x * 2 }
        };
        {
            me.b = x;
        }
        (x + y) as u64
    }

    fn shadows(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let x = me.a;
        let x = x as u64 + 1;
        let x = if x > 5 {
            let x = x * 2;
            x
        } else {
            x
        };
        let mut y = 0;
        for x in 0..3 {
            let x = x + id;
            y += x;
        }
        let id = id + y;
        x + id as u64
    }

    fn sum(a: u32, b: u32) -> u32 {
        a + b
    }

    fn early(x: u32) -> u64 {
        let y = sum(x, if x == 3 { return 30 } else { x });
        let z = match y {
            2 => return 20,
            n => n + 1,
        };
        if z > 100 {
            loop {
                if x > 4 {
                    return 40;
                }
                return 50;
            }
        }
        sum(z, return z as u64 + 1) as u64
    }

    fn closed(x: u32) -> u32 {
        let mut k = x % 7;
        loop {
            k += 1;
            let j = if k > 9 {
                break k;
            } else if k == 4 {
                continue;
            } else {
                k
            };
            if j == 6 {
                return 66;
            }
        }
    }

    fn diverging(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = closed(me.a) as u64;
        let never: u64 = if me.flag { early(me.b) } else { return early(me.a) };
        never
    }

    pub enum Op {
        Branches,
        Matches,
        Guards,
        Loops,
        Ranges,
        Breaks,
        Returns,
        Whiles,
        ShortCircuits,
        Blocks,
        Shadows,
        Diverging,
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
        if chosen.op == Op::Branches {
            me.result = branches(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Matches {
            me.result = matches(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Guards {
            me.result = guards(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Loops {
            me.result = loops(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Ranges {
            me.result = ranges(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Breaks {
            me.result = breaks(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Returns {
            me.result = returns(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Whiles {
            me.result = whiles(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::ShortCircuits {
            me.result = short_circuits(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Blocks {
            me.result = blocks(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Shadows {
            me.result = shadows(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Diverging {
            me.result = diverging(me, post, all, p, past, counts, id);
        }
    }
}
