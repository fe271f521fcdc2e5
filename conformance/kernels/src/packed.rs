//! Rows whose words stay together.

/// Packed rows. Scalars of two words begin at odd words too, and three sizes of rows are rounded up.
#[imminent_core::kernels]
pub mod rows {
    pub use crate::memory::rows::Pair;

    /// Eleven words and seven words of each lane.
    #[derive(Row)]
    #[row(packed)]
    pub struct Parcel {
        pub number: u32,
        pub weight: i64,
        pub pairs: [Pair; 2],
        pub times: Lanes<u64>,
        pub marks: Lanes<Pair>,
        pub heavy: bool,
        pub stops: Lanes<[u32; 2]>,
        pub last: u32,
    }

    /// Three words, and a fourth for nothing.
    #[derive(Row)]
    #[row(packed)]
    pub struct Total {
        pub rows: u32,
        pub weight: i64,
    }

    /// One word, without padding.
    #[derive(Row)]
    #[row(packed)]
    pub struct Single {
        pub value: u32,
    }

    /// Changes every part of a row, and reads another row.
    fn turn(me: &mut Parcel, all: &Rows<Parcel>, id: u32) {
        let other = all.get((id + 1) % all.len());
        me.number += other.number;
        me.weight = me.weight * 3 - other.weight;
        let at = id % 2;
        me.pairs[at as usize].high ^= other.pairs[(1 - at) as usize].high;
        me.pairs[at as usize].low += u32::from(other.heavy);
        for lane in 0..me.times.capacity() {
            let mut mark = other.marks.get(lane);
            mark.high += me.times.get(lane);
            me.marks.set(lane, mark);
            me.times.set(lane, other.times.get(lane) + u64::from(id));
            let mut stops = me.stops.get(lane);
            stops[at as usize] += mark.low;
            me.stops.set(lane, stops);
        }
        me.heavy = !other.heavy;
        me.last = other.last ^ id;
    }

    /// Changes every row by the next one of an earlier table. Returns the sum of the weights.
    #[kernel(reduce = sum)]
    pub fn turn_all(me: &mut Parcel, before: &Rows<Parcel>, id: u32) -> i64 {
        turn(me, before, id);
        me.weight
    }

    /// Sums what a group's rows weigh and adds it to each, and to the row of the group.
    #[kernel(group = 32)]
    pub fn share(group: &mut Group<i64>, rows: &mut Each<Parcel>, total: &mut Total) {
        group.phase(rows, |lane, row| lane.set(row.weight));
        let mut sum = total.weight;
        for i in 0..group.len() {
            sum += group.get(i);
        }
        total.weight = sum;
        total.rows = group.len();
        group.phase(rows, |_, row| row.weight += sum);
    }

    /// Adds a value to a single.
    #[kernel]
    pub fn add(me: &mut Single, parcels: &Rows<Parcel>, id: u32) {
        me.value += parcels.get(id).last;
    }
}
