//! Kernels that fault. The cases find the line of each fault by the marker at its end.

/// Text of this file, which contains the markers.
pub const SOURCE: &str = include_str!("faults.rs");

/// Path of this file, as the compiler names it.
pub const FILE: &str = file!();

/// Kernels for each kind of fault, and for the order of several faults.
#[imminent_core::kernels]
pub mod faulty {
    #[derive(Row)]
    pub struct Given {
        pub a: u32,
        pub b: u32,
        pub c: i64,
        pub d: u64,
    }

    #[derive(Row)]
    pub struct Seen {
        pub x: u32,
        pub wide: u64,
        pub signed: i64,
        pub after: u32,
        pub numbers: [u32; 4],
    }

    #[derive(Row)]
    pub struct Line {
        pub items: Lanes<u64>,
        pub seen: u64,
        pub after: u32,
    }

    #[kernel]
    pub fn division(me: &Given, out: &mut Seen) {
        out.x = me.a / me.b; // marker: division
        out.after = 1;
    }

    #[kernel]
    pub fn wide_division(me: &Given, out: &mut Seen) {
        out.wide = me.d / me.b as u64; // marker: wide division
        out.signed = me.c / me.b as i64;
        out.after = 1;
    }

    #[kernel]
    pub fn signed_division(me: &Given, out: &mut Seen) {
        out.signed = me.c / me.b as i64; // marker: signed division
        out.after = 1;
    }

    #[kernel]
    pub fn narrow_remainder(me: &Given, out: &mut Seen) {
        out.signed = (me.c as i32 % me.b as i32) as i64; // marker: narrow remainder
        out.after = 1;
    }

    #[kernel]
    pub fn narrow_index(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        out.x = table[me.c as i32 as usize]; // marker: narrow index
        out.after = 1;
    }

    #[kernel]
    pub fn remainder(me: &Given, out: &mut Seen) {
        out.x = me.a;
        out.x %= me.b; // marker: remainder
        out.wide = me.d % me.b as u64;
        out.signed = me.c % me.b as i64;
        out.after = 1;
    }

    #[kernel]
    pub fn array_read(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        out.x = 5;
        out.x = table[me.a as usize]; // marker: array read
        out.after = 1;
    }

    #[kernel]
    pub fn array_write(me: &Given, out: &mut Seen) {
        for i in 0..4u32 {
            out.numbers[i as usize] = i;
        }
        out.numbers[me.a as usize] = 99; // marker: array write
        out.after = 1;
    }

    #[kernel]
    pub fn negative_index(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        out.x = table[me.c as usize]; // marker: negative index
        out.after = 1;
    }

    #[kernel]
    pub fn wide_index(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        out.x = table[me.d as usize]; // marker: wide index
        out.after = 1;
    }

    /// Bounds that are known before the kernel runs.
    pub struct Bounds {
        pub last: u32,
        pub mask: u32,
    }

    const BOUNDS: Bounds = Bounds { last: 3, mask: 7 };

    /// Uses indices that a compiler can determine.
    #[kernel]
    pub fn known_indices(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        let past = 7u32;
        out.x = table[BOUNDS.last as usize];
        if me.a > 3 {
            out.x = table[past as usize]; // marker: known index
            let masked = BOUNDS.mask & 12;
            out.wide = table[masked as usize] as u64;
            out.signed = table[(BOUNDS.mask - 1) as usize] as i64;
            out.numbers[past as usize] = 99;
            out.numbers[(BOUNDS.mask & 2) as usize] = 98;
        }
        out.after = 1;
    }

    #[kernel]
    pub fn row_past_the_end(me: &Given, all: &Rows<Given>, out: &mut Seen) {
        out.x = all.get(me.a).b; // marker: row
        out.wide = all.get(0).d;
        out.after = 1;
    }

    #[kernel]
    pub fn lane_read(me: &mut Line, given: &Given) {
        me.seen = 5;
        me.seen = me.items.get(given.a); // marker: lane read
        me.after = 1;
    }

    #[kernel]
    pub fn lane_write(me: &mut Line, given: &Given) {
        me.items.set(given.a, 77); // marker: lane write
        me.after = 1;
    }

    #[kernel]
    pub fn tally_slot(me: &Given, counts: &Tally<u32>, out: &mut Seen) {
        counts.add(me.a, 1); // marker: tally
        out.after = 1;
    }

    #[kernel]
    pub fn assertion(me: &Given, out: &mut Seen) {
        out.x = me.a;
        assert!(me.a < 4); // marker: assertion
        out.after = 1;
    }

    fn quotient(a: u32, b: u32) -> u32 {
        let shifted = a + 1;
        shifted / b // marker: helper
    }

    fn of_quotients(a: u32, b: u32) -> u32 {
        let first = quotient(a, 1);
        first + quotient(a, b) * 3
    }

    #[kernel]
    pub fn in_a_helper(me: &Given, out: &mut Seen) {
        out.x = of_quotients(me.a, me.b);
        out.after = 1;
    }

    #[kernel]
    pub fn second_is_silent(me: &Given, out: &mut Seen) {
        let table = [10, 20, 30, 40];
        out.x = table[me.a as usize]; // marker: first of two
        out.wide = (me.a / me.b) as u64;
        assert!(me.a < 2);
        out.after = 1;
    }

    /// Faults first at a site that depends on the row: even rows divide, odd rows index.
    #[kernel]
    pub fn by_turns(me: &Given, out: &mut Seen, id: u32) {
        let table = [10, 20, 30, 40];
        if id % 2 == 0 {
            out.x = me.a / me.b; // marker: even rows
        } else {
            out.x = table[me.a as usize]; // marker: odd rows
        }
        out.after = 1;
    }

    /// Faults in the third round of a loop.
    #[kernel]
    pub fn in_a_loop(me: &Given, out: &mut Seen) {
        out.x = 0;
        for i in 0..5u32 {
            out.x += 12 / (me.b + 2 - i.min(2)); // marker: loop
        }
        out.after = 1;
    }

    /// Reduces although rows fault.
    #[kernel(reduce = sum)]
    pub fn reduced(me: &Given) -> u64 {
        (me.a / me.b) as u64 // marker: reduced
    }

    /// Copies without a fault.
    #[kernel]
    pub fn harmless(me: &Given, out: &mut Seen) {
        out.x = me.a;
        out.after = 1;
    }

    fn raise_to_seven(number: &mut u32) -> u32 {
        let before = *number;
        *number = 7;
        before
    }

    /// Borrows an element that does not exist: a zero, which is dropped again.
    #[kernel]
    pub fn lent_element(me: &Given, out: &mut Seen) {
        let mut numbers = [10, 20, 30, 40];
        out.x = raise_to_seven(&mut numbers[me.a as usize]); // marker: lent
        out.numbers = numbers;
        out.after = 1;
    }

    /// Uses two indices out of range: the outer one faults.
    #[kernel]
    pub fn outer_index_first(me: &Given, out: &mut Seen) {
        let grid = [[1, 2], [3, 4]];
        out.x = grid[me.a as usize][me.b as usize]; // marker: two indices
        assert!(me.d < 2, "the text is for the reader");
        out.after = 1;
    }
}
