//! Constants of the surrounding crate: rustc provides their values, to the native functions and to the IR.

/// A module of constants that is not a kernel module.
pub(crate) mod config {
    pub(crate) const WIDTH: u32 = 7 * 6;
    pub(crate) const DEPTH: usize = 3;
    pub(crate) const FAR: i64 = -(1 << 40);
    pub(crate) const HALF: f32 = 0.5;
    pub(crate) const ON: bool = true;
    pub(crate) const TABLE: [[u64; 2]; 3] = [[1, 2], [u64::MAX, 4], [5, 6]];

    pub(crate) const fn squared(x: u32) -> u32 {
        x * x
    }
}

/// Constant beside the kernel modules.
pub(crate) const SHIFT: u32 = 5;

/// Uses constants in every way.
#[imminent_core::kernels]
pub mod library {
    use super::SHIFT;
    use crate::language::outside::config::{FAR as FARTHEST, ON};

    pub struct Point {
        pub x: i64,
        pub phase: Phase,
        pub marks: [u32; 2],
    }

    pub enum Phase {
        Idle,
        Busy = 9,
    }

    /// Value from the crate, with a name and a type of this module.
    pub(crate) const AREA: u32 = super::config::squared(super::config::WIDTH) + 1;
    pub(crate) const TABLE: [[u64; 2]; 3] = super::config::TABLE;
    pub(crate) const START: Point =
        Point { x: super::config::FAR, phase: Phase::Busy, marks: [super::config::WIDTH, DOUBLE] };
    /// Constant defined by another one.
    const DOUBLE: u32 = AREA * 2;

    impl Point {
        pub const DEPTH: u32 = super::config::DEPTH as u32;
    }

    /// Uses items imported by `use`.
    pub fn far(x: i64) -> i64 {
        if ON { x + FARTHEST } else { x }
    }

    /// Infers the type from the other operand.
    pub fn shifted(x: u64) -> u64 {
        (x << SHIFT) + SHIFT as u64 + Point::DEPTH as u64
    }
}

/// Kernels that use constants of another module.
#[imminent_core::kernels]
pub mod outside {
    use super::SHIFT;
    use super::library::{AREA, Phase, Point, START, TABLE, far, shifted};
    use crate::language::cells::cells::{Cell, Par, Post};

    fn values(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.a = AREA + SHIFT + super::config::WIDTH;
        me.b = Point::DEPTH * START.marks[1];
        post.time = shifted(me.e);
        let eight: f32 = 8.0;
        me.a += (eight * crate::language::outside::config::HALF) as u32;
        let busy = match START.phase {
            Phase::Busy => 1,
            Phase::Idle => 2,
        };
        far(START.x) as u64 + busy
    }

    fn patterns(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        match me.a {
            SHIFT => 1,
            super::config::WIDTH => 2,
            6..=AREA => 3,
            _ => 4,
        }
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
        me.few[super::config::DEPTH] = SHIFT;
        me.few[(SHIFT as u32 - 1) as usize] += 1;
        TABLE[(me.a % 4) as usize][(SHIFT as u32 - 4) as usize]
    }

    /// An index past the end that is known to compilers, behind a test that holds for no row.
    fn known(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let busy = Phase::Busy;
        let mut few = me.few;
        if me.e == 0x0123_4567_89ab_cdef {
            few[(busy as u32) as usize] = 1;
            few[(busy as u32 * 2) as usize] = 2;
        }
        few[(busy as u32 - 6) as usize] += 1;
        me.few = few;
        few[3] as u64
    }

    pub enum Op {
        Values,
        Patterns,
        Indices,
        Known,
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
        if chosen.op == Op::Values {
            me.result = values(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Patterns {
            me.result = patterns(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Indices {
            me.result = indices(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Known {
            me.result = known(me, post, all, p, past, counts, id);
        }
    }
}
