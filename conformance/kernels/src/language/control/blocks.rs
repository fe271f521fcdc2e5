//! Blocks: their values and names, early returns, and expressions that have no value.

#[imminent_core::kernels]
pub mod blocks {
    use crate::language::cells::cells::{Cell, Par, Post};

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

    pub fn returns(
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

    pub fn blocks(
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

    pub fn shadows(
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

    pub fn diverging(
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
}
