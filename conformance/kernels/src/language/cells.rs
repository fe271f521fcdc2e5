//! Rows and parameters of the functions, in a kernel module of its own: the others use it by composition.

/// Rows, parameters and their methods.
#[imminent_core::kernels]
pub mod cells {
    /// Number of elements of `Cell::few`.
    pub const FEW: usize = 5;

    /// A field-less enum.
    pub enum Phase {
        Idle,
        Busy = 3,
        Done,
    }

    /// A plain value.
    pub struct Pair {
        pub a: u32,
        pub b: i64,
    }

    impl Pair {
        /// Returns the sum of both parts.
        pub fn total(&self) -> i64 {
            self.a as i64 + self.b
        }

        /// Changes both parts.
        pub fn stir(&mut self, by: u32) -> u32 {
            self.a += by;
            self.b -= by as i64;
            self.a
        }
    }

    /// A row with every kind of field.
    #[derive(Row)]
    pub struct Cell {
        pub a: u32,
        pub b: u32,
        pub c: i32,
        pub d: i32,
        pub e: u64,
        pub f: u64,
        pub g: i64,
        pub h: i64,
        pub flag: bool,
        pub phase: Phase,
        pub few: [u32; FEW],
        pub grid: [[i32; 3]; 2],
        pub pair: Pair,
        pub pairs: [Pair; 3],
        pub line: Lanes<u32>,
        pub jobs: Lanes<Pair>,
        pub out: [u64; 16],
        /// Result of the function.
        pub result: u64,
    }

    /// A second table.
    #[derive(Row)]
    pub struct Post {
        pub time: u64,
        pub to: u32,
        pub marks: [u32; 4],
    }

    /// Parameters.
    #[derive(Params)]
    pub struct Par {
        pub scale: u32,
        pub limit: u64,
        pub weights: [u32; 3],
    }
}
