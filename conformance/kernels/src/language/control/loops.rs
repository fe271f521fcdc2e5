//! Loops: `loop`, `while`, `for` over ranges, `break` and `continue`.

#[imminent_core::kernels]
pub mod loops {
    use crate::language::cells::cells::{Cell, Par, Post};

    pub fn loops(
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

    pub fn ranges(
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

    pub fn breaks(
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

    pub fn whiles(
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
}
