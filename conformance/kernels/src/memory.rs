//! Rows of the transfer cases.

/// A row with a column of every type.
#[imminent_core::kernels]
pub mod rows {
    pub struct Pair {
        pub low: u32,
        pub high: u64,
    }

    #[derive(Row)]
    pub struct Mixed {
        pub flag: bool,
        pub unsigned: u32,
        pub wide: u64,
        pub signed: i32,
        pub wide_signed: i64,
        pub single: f32,
        pub numbers: [u32; 3],
        pub pair: Pair,
        pub pairs: [Pair; 2],
        pub times: Lanes<u64>,
        pub kinds: Lanes<u32>,
        pub events: Lanes<Pair>,
        pub last: u32,
    }

    #[derive(Row)]
    pub struct Small {
        pub value: u32,
    }

    /// Copies the corresponding row of another table.
    #[kernel]
    pub fn take(me: &mut Small, from: &Rows<Small>, id: u32) {
        me.value = from.get(id).value;
    }

    /// Adds the row number.
    #[kernel]
    pub fn add_id(me: &mut Small, id: u32) {
        me.value += id;
    }

    /// Fills every lane of every row.
    #[kernel]
    pub fn fill(me: &mut Mixed, id: u32) {
        for lane in 0..me.times.capacity() {
            me.times.set(lane, me.times.get(lane) + lane as u64 + 1);
            me.kinds.set(lane, id);
        }
    }

    /// Fills every lane of every row by loops that look at the number of lanes in every round.
    #[kernel]
    pub fn refill(me: &mut Mixed, id: u32) {
        let mut lane = 0;
        while lane < me.times.capacity() {
            me.times.set(lane, lane as u64 + 7);
            lane += 1;
        }
        lane = 0;
        while lane < me.kinds.capacity() {
            me.kinds.set(lane, id + lane);
            lane += 1;
        }
    }
}
