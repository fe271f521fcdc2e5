//! Branches: `if`, `match` with patterns and guards, `&&` and `||`.

#[imminent_core::kernels]
pub mod branches {
    use crate::language::cells::cells::{Cell, Par, Phase, Post};

    pub fn branches(
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

    pub fn matches(
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

    pub fn guards(
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

    fn touch(me: &mut Cell, by: u32) -> bool {
        me.a += by;
        me.a % 2 == 0
    }

    pub fn short_circuits(
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
}
