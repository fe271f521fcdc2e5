//! Scans: first the totals of groups, then each group with the total before it.

macro_rules! scan_kernels {
    ($(#[$doc:meta])* $module:ident, $t:ident, { $($prelude:tt)* }) => {
        $(#[$doc])*
        #[crate::kernels]
        pub(in crate::primitives::portable) mod $module {
            $($prelude)*

            /// Combines the rows of each group.
            #[kernel(group = 256)]
            pub fn totals(group: &mut Group<$t>, words: &Each<Word>, total: &mut Word, order: &Order) {
                group.phase(words, |lane, word| lane.set(take(word.value, order)));
                let rows = group.len();
                let mut stride = 128;
                while stride > 0 {
                    group.phase((), |lane, ()| {
                        let other = lane.index() + stride;
                        if lane.index() < stride && other < rows {
                            lane.set(combine(lane.own(), lane.get(other), order.op));
                        }
                    });
                    stride /= 2;
                }
                total.value = group.get(0);
            }

            /// Scans every group, starting from the total before it.
            #[kernel(group = 256)]
            pub fn scan(
                group: &mut Group<$t>,
                words: &Each<Word>,
                into: &mut Each<Word>,
                before: &Word,
                order: &Order,
            ) {
                group.phase(words, |lane, word| lane.set(take(word.value, order)));
                let mut stride = 1;
                while stride < 256 {
                    group.phase((), |lane, ()| {
                        if lane.index() >= stride {
                            lane.set(combine(lane.get(lane.index() - stride), lane.own(), order.op));
                        }
                    });
                    stride *= 2;
                }
                let carried = before.value;
                group.phase(into, |lane, into| {
                    let mut running = carried;
                    if !order.exclusive {
                        running = combine(carried, lane.own(), order.op);
                    } else if lane.index() > 0 {
                        running = combine(carried, lane.get(lane.index() - 1), order.op);
                    }
                    into.value = give(running, order);
                    if order.exclusive && lane.row() == 0 {
                        into.value = order.none;
                    }
                });
            }
        }
    };
}

scan_kernels! {
    /// Running counts.
    counts, u32, {
        use super::super::words::rows::{Counting as Order, Index as Word, combine, give, take};
    }
}

scan_kernels! {
    /// One word.
    narrow, u32, {
        use super::super::words::narrow::{Order, Word, combine, give, take};
    }
}

scan_kernels! {
    /// Two words.
    wide, u64, {
        use super::super::words::wide::{Order, Word, combine, give, take};
    }
}

scan_kernels! {
    /// Sums of `f32`.
    single, f32, {
        use super::super::reals::single::{Order, Word, combine, give, take};
    }
}

scan_kernels! {
    /// Sums of `f64`.
    double, f64, {
        use super::super::reals::double::{Order, Word, combine, give, take};
    }
}
