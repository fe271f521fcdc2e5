//! Scans: first the totals of groups, then each group with the total before it.

/// Scans of every kind of value.
#[crate::kernels(Value = [u32 as counts, u32 as narrow, u64 as wide, f32 as single, f64 as double])]
pub(super) mod scan {
    use super::super::values::Value::{Order, Word, combine, give, take};

    /// Combines the rows of each group.
    #[kernel(group = 256)]
    pub fn totals(group: &mut Group<Value>, words: &Each<Word>, total: &mut Word, order: &Order) {
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
    pub fn scan(group: &mut Group<Value>, words: &Each<Word>, into: &mut Each<Word>, before: &Word, order: &Order) {
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
