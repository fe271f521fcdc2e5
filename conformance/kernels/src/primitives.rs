//! Rows for the primitives.

/// A row with a column of every type, none of which is the first.
#[imminent_core::kernels]
pub mod cells {
    #[derive(Row)]
    pub struct Cell {
        pub before: u32,
        pub flag: bool,
        pub unsigned: u32,
        pub wide: u64,
        pub signed: i32,
        pub wide_signed: i64,
        pub single: f32,
        pub double: f64,
        pub after: u32,
    }
}

/// A row with lanes, which moves as a whole.
#[imminent_core::kernels]
pub mod parcels {
    pub struct Tag {
        pub low: u32,
        pub high: u64,
    }

    #[derive(Row)]
    pub struct Parcel {
        pub number: u32,
        pub heavy: bool,
        pub tags: [Tag; 2],
        pub stops: Lanes<u64>,
        pub marks: Lanes<Tag>,
        pub weight: i64,
    }
}

/// A minimal cell model: each cell has the time of its next event.
#[imminent_core::kernels]
pub mod timers {
    #[derive(Row)]
    pub struct Timer {
        pub period: u32,
        pub fired: u32,
        pub next: u64,
    }

    #[derive(Row)]
    pub struct Clock {
        pub now: u64,
    }

    /// Fires if the time has come.
    #[kernel]
    pub fn fire(me: &mut Timer, clock: &Rows<Clock>) {
        if me.next == clock.get(0).now {
            me.fired += 1;
            me.next += me.period as u64;
        }
    }

    /// Adds a value that another kernel or a primitive has left in a table of one row.
    #[kernel]
    pub fn add(me: &mut Timer, clock: &Rows<Clock>) {
        me.next += clock.get(0).now;
    }
}

/// A model's own operator, which is associative but not commutative.
#[imminent_core::kernels]
pub mod maps {
    /// Map `x -> factor * x + offset` of integers modulo 2^32.
    #[derive(Row)]
    pub struct Map {
        pub factor: u32,
        pub offset: u32,
    }

    /// Composes two maps: first `a`, then `b`.
    #[operator]
    pub fn then(a: Map, b: Map) -> Map {
        Map { factor: a.factor * b.factor, offset: a.offset * b.factor + b.offset }
    }
}
