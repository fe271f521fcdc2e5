//! Tallies in every type, with every operation.

macro_rules! tally_kernels {
    ($module:ident, $t:ident) => {
        /// One kernel for each operation of a tally of the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub slot: u32,
            }

            #[kernel]
            pub fn add(me: &Input, tally: &Tally<$t>) {
                tally.add(me.slot, me.a);
            }

            #[kernel]
            pub fn min(me: &Input, tally: &Tally<$t>) {
                tally.min(me.slot, me.a);
            }

            #[kernel]
            pub fn max(me: &Input, tally: &Tally<$t>) {
                tally.max(me.slot, me.a);
            }

            #[kernel]
            pub fn or(me: &Input, tally: &Tally<$t>) {
                tally.or(me.slot, me.a);
            }

            #[kernel]
            pub fn and(me: &Input, tally: &Tally<$t>) {
                tally.and(me.slot, me.a);
            }
        }
    };
}

tally_kernels!(tally_u32, u32);
tally_kernels!(tally_i32, i32);

/// Defines kernels without `min` and `max` of 64-bit tallies, which not every device has.
macro_rules! wide_tally_kernels {
    ($module:ident, $extremes:ident, $t:ident) => {
        /// One kernel for each operation that every device has on a tally of the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub slot: u32,
            }

            #[kernel]
            pub fn add(me: &Input, tally: &Tally<$t>) {
                tally.add(me.slot, me.a);
            }

            #[kernel]
            pub fn or(me: &Input, tally: &Tally<$t>) {
                tally.or(me.slot, me.a);
            }

            #[kernel]
            pub fn and(me: &Input, tally: &Tally<$t>) {
                tally.and(me.slot, me.a);
            }
        }

        /// Minima and maxima of 64-bit tallies.
        #[imminent_core::kernels]
        pub mod $extremes {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub slot: u32,
            }

            #[kernel]
            pub fn min(me: &Input, tally: &Tally<$t>) {
                tally.min(me.slot, me.a);
            }

            #[kernel]
            pub fn max(me: &Input, tally: &Tally<$t>) {
                tally.max(me.slot, me.a);
            }
        }
    };
}

wide_tally_kernels!(tally_u64, tally_u64_extremes, u64);
wide_tally_kernels!(tally_i64, tally_i64_extremes, i64);

/// Tallies together with other arguments.
#[imminent_core::kernels]
pub mod tally_uses {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
    }

    fn count(tally: &Tally<u32>, a: u32) {
        tally.add(a % tally.len(), 1);
    }

    /// Uses several tallies, one of them in a function, with several contributions of one row.
    #[kernel]
    pub fn several(me: &Input, counts: &Tally<u32>, sums: &Tally<u64>, most: &Tally<i32>) {
        count(counts, me.a);
        count(counts, me.a + 1);
        if me.a % 2 == 0 {
            sums.add(0, me.a as u64 * 0x1_0000_0001);
        }
        most.max(0, -(me.a as i32));
    }

    /// Number of slots that a row found.
    #[derive(Row)]
    pub struct Asked {
        pub a: u32,
        pub counts: u32,
        pub sums: u32,
    }

    /// Uses tallies only if they have more than one slot.
    #[kernel]
    pub fn measured(me: &mut Asked, counts: &Tally<u32>, sums: &Tally<u64>) {
        me.counts = counts.len();
        me.sums = sums.len();
        if counts.len() > 1 {
            count(counts, me.a);
        }
        if sums.len() > 1 {
            sums.add(sums.len() - 1, me.a as u64);
        }
    }
}
