//! Control flow.

mod blocks;
mod branches;
mod loops;

#[imminent_core::kernels]
pub mod control {
    use super::blocks::blocks::{blocks, diverging, returns, shadows};
    use super::branches::branches::{branches, guards, matches, short_circuits};
    use super::loops::loops::{breaks, loops, ranges, whiles};
    use crate::language::cells::cells::{Cell, Par, Post};

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

    /// Calls one of the functions.
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
