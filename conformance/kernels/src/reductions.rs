//! Returned values and their reductions.

macro_rules! reduction_kernels {
    ($module:ident, $t:ident) => {
        /// Reductions of the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
            }

            #[kernel(reduce = min)]
            pub fn min(me: &Input) -> $t {
                me.a
            }

            #[kernel(reduce = max)]
            pub fn max(me: &Input) -> $t {
                me.a
            }

            #[kernel(reduce = sum)]
            pub fn sum(me: &Input) -> $t {
                me.a
            }

            #[kernel(reduce = argmin)]
            pub fn argmin(me: &Input) -> $t {
                me.a
            }
        }
    };
}

reduction_kernels!(reduce_u32, u32);
reduction_kernels!(reduce_i32, i32);
reduction_kernels!(reduce_u64, u64);
reduction_kernels!(reduce_i64, i64);
reduction_kernels!(reduce_f32, f32);
reduction_kernels!(reduce_f64, f64);

/// Reductions of conditions, and of kernels that do more than return a value.
#[imminent_core::kernels]
pub mod reduce_more {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
    }

    #[kernel(reduce = count)]
    pub fn count(me: &Input) -> bool {
        me.a % 3 == 0
    }

    #[kernel(reduce = any)]
    pub fn any(me: &Input) -> bool {
        me.a == 77
    }

    /// Changes its row, and returns early from some.
    #[kernel(reduce = sum)]
    pub fn change_and_sum(me: &mut Input, id: u32) -> u64 {
        let before = me.a;
        me.a += id;
        if before % 2 == 0 {
            return 1 << 40;
        }
        before as u64
    }
}

/// Several results of one kernel.
#[imminent_core::kernels]
pub mod reduce_several {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
        pub x: f32,
    }

    pub struct Totals {
        pub sum: u64,
        pub most: i32,
        pub found: bool,
        pub share: f32,
    }

    /// The totals of a row by itself.
    pub fn of_row(a: u32, x: f32) -> Totals {
        Totals { sum: a as u64 * 3, most: -(a as i32 % 1000), found: a == 77, share: x }
    }

    #[kernel(reduce = { sum: sum, most: max, found: any, share: sum })]
    pub fn totals(me: &Input) -> Totals {
        of_row(me.a, me.x)
    }

    /// The float sum alone, whose tree is that of the sum among others.
    #[kernel(reduce = sum)]
    pub fn share(me: &Input) -> f32 {
        me.x
    }

    /// Changes its row and returns the totals of what was there, with fields in another order than the reductions.
    #[kernel(reduce = { share: min, found: any, most: min, sum: max })]
    pub fn change(me: &mut Input, id: u32) -> Totals {
        let before = of_row(me.a, me.x);
        me.a += id;
        before
    }

    #[kernel(group = 32, reduce = { sum: sum, most: max, found: any, share: sum })]
    pub fn of_groups(group: &mut Group<u32>, cells: &Each<Input>) -> Totals {
        group.phase(cells, |lane, cell| lane.set(cell.a));
        of_row(group.get(0), 0.25)
    }
}
