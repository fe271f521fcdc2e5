//! Order of evaluation: left to right, values before places; values read before a change are kept.

#[imminent_core::kernels]
pub mod order {
    use crate::language::cells::cells::{Cell, Pair, Par, Post};

    fn take(x: &mut u32) -> u32 {
        *x += 1;
        *x * 10
    }

    fn note(me: &mut Cell, digit: u64) -> u32 {
        me.out[15] = me.out[15] * 10 + digit;
        digit as u32
    }

    fn operands(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let a = note(me, 1) + note(me, 2) * note(me, 3) - note(me, 4);
        let b = me.a + take(&mut me.a) + me.a;
        let c = take(&mut me.b) / me.b + me.b % take(&mut me.b);
        let d = me.a / me.b + me.few[me.a as usize] + note(me, 5) / note(me, 0);
        (a + b + c + d) as u64
    }

    fn indices(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let x = me.grid[(take(&mut me.a) % 3) as usize][(me.a % 4) as usize];
        let y = me.few[(take(&mut me.b) % 6) as usize];
        me.grid[note(me, 1) as usize][note(me, 2) as usize] = note(me, 3) as i32;
        me.grid[(me.a % 3) as usize][(1 / (me.b % 2)) as usize] += 4;
        x as u64 + y as u64
    }

    fn three(a: u32, b: u32, c: u32) -> u32 {
        a * 10000 + b * 100 + c
    }

    fn arguments(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let x = three(note(me, 1), note(me, 2), note(me, 3));
        let y = three(me.a, take(&mut me.a), me.a);
        let z = three(me.b / me.c as u32, me.few[me.a as usize], me.b % me.d as u32);
        let w = note(me, 5).min(note(me, 6)).max(take(&mut me.b)).clamp(me.b, take(&mut me.b));
        (x + y + z + w) as u64
    }

    fn assignments(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.a += take(&mut me.a);
        me.few[note(me, 1) as usize] = note(me, 2);
        me.few[note(me, 3) as usize] += note(me, 4);
        me.few[(take(&mut me.b) % 6) as usize] -= me.b;
        me.few[(me.b % 6) as usize] /= me.c as u32 / me.d as u32;
        me.b -= take(&mut me.b) / me.b;
        0
    }

    fn conditions(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut n = 0;
        if take(&mut me.a) > me.a && me.a / me.b > 0 {
            n += 1
        }
        while take(&mut n) < 60 && (me.flag || note(me, 1) == 1) {
            if n == 4 {
                break;
            }
        }
        for i in note(me, 2)..take(&mut n) % 7 {
            me.out[0] = me.out[0] * 10 + i as u64
        }
        assert!(me.a < 100);
        assert!(take(&mut me.b) != 20, "not twenty");
        n as u64
    }

    fn struct_fields(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.pair = Pair { b: note(me, 1) as i64 / me.g, a: note(me, 2) / me.b };
        let list = [note(me, 3), me.a, take(&mut me.a), me.a];
        let p = Pair { a: take(&mut me.b), ..me.pairs[me.b as usize] };
        list[0] as u64 + list[1] as u64 + list[2] as u64 + list[3] as u64 + p.total() as u64
    }

    fn blend(a: &u32, pair: &Pair, lent: &mut u32, after: u32) -> u32 {
        *lent += *a;
        pair.a + *lent * after
    }

    impl Pair2 {
        fn over(&self, lent: &mut u32) -> u32 {
            *lent += self.a;
            *lent
        }

        fn consumed(self, lent: &mut u32) -> u32 {
            *lent -= self.a;
            *lent
        }
    }

    struct Pair2 {
        a: u32,
    }

    fn lent(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        _p: &Par,
        past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let x = blend(&me.few[me.a as usize], &me.pairs[me.b as usize], &mut post.marks[me.e as usize], me.a / me.b);
        let y = blend(&(me.a / me.b), &all.get(id + 1).pair, &mut me.few[(me.b % 6) as usize], note(&mut *me, 1));
        let pairs = [Pair2 { a: me.a }, Pair2 { a: me.b }];
        let z = pairs[me.f as usize].over(&mut me.few[me.a as usize]);
        let w = pairs[(me.f / me.e) as usize].consumed(&mut post.marks[past.get(me.a).to as usize]);
        (x + y + z + w) as u64
    }

    fn mutated_operands(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut x = me.a;
        let y =
            x + {
                x *= 3;
                x
            } + if x > 9 {
                x -= 1;
                x
            } else {
                2
            } * x;
        let z = me.line.get(0) + {
            me.line.set(0, 5);
            me.line.get(0)
        };
        let w = (x > y) as u32
            + match take(&mut x) {
                20 => x,
                _ => {
                    x += 1;
                    x
                }
            }
            + x;
        (y + z + w) as u64
    }

    pub enum Op {
        Operands,
        Indices,
        Arguments,
        Assignments,
        Conditions,
        StructFields,
        Lent,
        MutatedOperands,
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
        if chosen.op == Op::Operands {
            me.result = operands(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Indices {
            me.result = indices(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Arguments {
            me.result = arguments(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Assignments {
            me.result = assignments(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Conditions {
            me.result = conditions(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::StructFields {
            me.result = struct_fields(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Lent {
            me.result = lent(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::MutatedOperands {
            me.result = mutated_operands(me, post, all, p, past, counts, id);
        }
    }
}
