//! Grids of the device library.

/// Neighbours in grids.
#[imminent_core::kernels]
pub mod neighbours {
    use imminent_core::grid::{bounded, wrapped};

    #[derive(Row)]
    pub struct Step {
        pub row: u32,
        pub dx: i32,
        pub dy: i32,
        pub width: u32,
        pub height: u32,
    }

    #[derive(Row)]
    pub struct Cells {
        pub wrapped: u32,
        pub bounded: u32,
    }

    #[kernel]
    pub fn find(me: &Step, out: &mut Cells) {
        out.wrapped = wrapped(me.row, me.dx, me.dy, me.width, me.height);
        out.bounded = bounded(me.row, me.dx, me.dy, me.width, me.height);
    }
}
