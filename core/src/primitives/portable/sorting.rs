//! Kernels that sort: groups by a network, then runs by merging.

/// Keys with their rows, in order.
#[crate::kernels(Bits = [u32 as narrow, u64 as wide])]
pub(super) mod pairs {
    use super::super::words::keys::Bits::{Order, Word, key};
    use super::super::words::rows::Index;

    #[derive(Params)]
    pub struct Run {
        pub width: u32,
    }

    /// A key and its row.
    #[derive(Row)]
    pub struct Pair {
        pub key: Bits,
        pub row: u32,
    }

    fn precedes(a: Pair, b: Pair) -> bool {
        a.key < b.key || (a.key == b.key && a.row < b.row)
    }

    /// Sorts every group by comparing with partners at growing distances. The lesser always goes to the lower
    /// place, so the missing rows of a last group count as greatest.
    #[kernel(group = 256)]
    pub fn sort_groups(group: &mut Group<Pair>, words: &Each<Word>, pairs: &mut Each<Pair>, order: &Order) {
        group.phase(words, |lane, word| lane.set(Pair { key: key(word.value, order), row: lane.row() }));
        let rows = group.len();
        let mut width = 2;
        while width <= 256 {
            let mut mask = width - 1;
            let mut distance = width / 2;
            while distance > 0 {
                group.phase((), |lane, _| {
                    let place = lane.index();
                    let partner = place ^ mask;
                    if partner < rows {
                        let own = lane.own();
                        let other = lane.get(partner);
                        if precedes(other, own) == (place < partner) {
                            lane.set(other);
                        }
                    }
                });
                distance /= 2;
                mask = distance;
            }
            width *= 2;
        }
        group.phase(pairs, |lane, pair| *pair = lane.own());
    }

    /// Merges neighbouring sorted runs: finds, for each place, the number of earlier places that come from the
    /// left run.
    #[kernel]
    pub fn merge(into: &mut Pair, from: &Rows<Pair>, run: &Run, id: u32) {
        let rows = from.len();
        let start = id - id % (run.width * 2);
        let left = run.width.min(rows - start);
        let right = run.width.min(rows - start - left);
        let place = id - start;
        let mut low = place.saturating_sub(right);
        let mut high = place.min(left);
        while low < high {
            let middle = low + (high - low) / 2;
            let a = from.get(start + middle);
            let b = from.get(start + left + place - middle - 1);
            if b.key < a.key {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let other = place - low;
        let mut from_left = low < left;
        if from_left && other < right {
            from_left = from.get(start + low).key <= from.get(start + left + other).key;
        }
        let source = if from_left { start + low } else { start + left + other };
        into.key = from.get(source).key;
        into.row = from.get(source).row;
    }

    #[kernel]
    pub fn pair_rows(into: &mut Index, pair: &Pair) {
        into.value = pair.row;
    }
}
