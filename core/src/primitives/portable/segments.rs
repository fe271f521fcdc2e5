//! Reductions of segments over the fixed tree.

/// Segments of every kind of value.
#[crate::kernels(Value = [u32 as narrow, u64 as wide, f32 as single, f64 as double])]
pub(super) mod segment {
    use super::super::values::Value::{Order, Word, combine, give, take};
    use super::super::words::rows::Index;

    /// State of a lane: the value that is being combined, and a thirty-second of the results of the levels
    /// above.
    pub struct Partial {
        pub value: Value,
        pub levels: [[Value; 8]; 3],
    }

    /// Combines the eight values of one lane, 32 apart, as far as they are below `rows`: strides 128, 64 and 32
    /// of the tree.
    fn eight(values: [Value; 8], lane: u32, rows: u32, op: u32) -> Value {
        let mut x = values;
        let mut half = 4;
        while half > 0 {
            for i in 0..half {
                if lane + 32 * (i + half) < rows {
                    x[i as usize] = combine(x[i as usize], x[(i + half) as usize], op);
                }
            }
            half /= 2;
        }
        x[0]
    }

    /// Reduces a segment by the fixed tree: its blocks one after another, and the results of 256 blocks as the
    /// next level.
    #[kernel(group = 32)]
    pub fn segment(
        group: &mut Group<Partial>,
        into: &mut Each<Word>,
        words: &Rows<Word>,
        offsets: &Rows<Index>,
        order: &Order,
    ) {
        let end = offsets.get(group.index() + 1).value.min(words.len());
        let start = offsets.get(group.index()).value.min(end);
        let count = end - start;
        let mut result = order.none;
        let mut done = 0;
        // Number of results waiting in each level.
        let mut ones = 0;
        let mut twos = 0;
        let mut threes = 0;
        let mut working = count > 0;
        while working {
            // Finds the lowest level that is full or, when all rows are in, not empty.
            let all = done == count;
            let mut level = 0;
            let mut rows = (count - done).min(256);
            if ones == 256 || (all && ones > 0) {
                level = 1;
                rows = ones;
            } else if twos == 256 || (all && twos > 0) {
                level = 2;
                rows = twos;
            } else if all {
                level = 3;
                rows = threes;
            }
            let first = start + done;
            group.phase((), |lane, ()| {
                let mut own = lane.own();
                if level > 0 {
                    own.value = eight(own.levels[(level - 1) as usize], lane.index(), rows, order.op);
                } else {
                    let mut values = own.levels[0];
                    for i in 0..8u32 {
                        let at = lane.index() + 32 * i;
                        if at < rows {
                            values[i as usize] = take(words.get(first + at).value, order);
                        }
                    }
                    own.value = eight(values, lane.index(), rows, order.op);
                }
                lane.set(own);
            });
            let mut stride = 16;
            while stride > 0 {
                group.phase((), |lane, ()| {
                    let other = lane.index() + stride;
                    if lane.index() < stride && other < rows {
                        let mut own = lane.own();
                        own.value = combine(own.value, lane.get(other).value, order.op);
                        lane.set(own);
                    }
                });
                stride /= 2;
            }
            let combined = group.get(0).value;
            let place = if level == 0 {
                ones
            } else if level == 1 {
                twos
            } else {
                threes
            };
            if level == 3 {
                result = give(combined, order);
                working = false;
            } else {
                group.phase((), |lane, ()| {
                    if lane.index() == place % 32 {
                        let mut own = lane.own();
                        own.levels[level as usize][(place / 32) as usize] = combined;
                        lane.set(own);
                    }
                });
            }
            if level == 0 {
                done += rows;
                ones += 1;
            } else if level == 1 {
                ones = 0;
                twos += 1;
            } else if level == 2 {
                twos = 0;
                threes += 1;
            }
        }
        group.phase(into, |_, into| into.value = result);
    }

    /// Copies out the results of segments. Every lane of a segment's group has a copy.
    #[kernel]
    pub fn results(into: &mut Word, lanes: &Rows<Word>, id: u32) {
        into.value = lanes.get(id * 32).value;
    }
}
