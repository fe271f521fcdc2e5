//! Structs, arrays, enums, constants, helper functions and methods.

/// Constants that a kernel module takes from the crate around it.
pub const SEEDS: [u64; 3] = [1 << 40, u64::MAX, 77];
pub const STRIDE: u32 = 0x9e37_79b9;
pub const OFFSET: i64 = -(1 << 33);
pub const PLACES: usize = 3;

/// Compound values and the functions that take them.
#[imminent_core::kernels]
pub mod structures {
    use super::{OFFSET, STRIDE};

    #[derive(Row)]
    pub struct Input {
        pub a: u32,
        pub b: u32,
        pub d: u64,
    }

    #[derive(Row)]
    pub struct Out {
        pub x: u64,
    }

    pub struct Point {
        pub x: i32,
        pub y: i32,
    }

    pub struct Segment {
        pub from: Point,
        pub to: Point,
        pub weight: u64,
        pub marked: bool,
    }

    pub enum Colour {
        Red,
        Green,
        Blue = 9,
    }

    #[derive(Row)]
    pub struct Rich {
        pub segment: Segment,
        pub colour: Colour,
        pub numbers: [u32; 5],
        pub wide: [u64; 3],
        pub grid: [[u32; 3]; 2],
        pub points: [Point; 3],
        pub single: f32,
        pub flag: bool,
    }

    const SEEDS: [u64; 3] = super::SEEDS;
    const SQUARE: u32 = super::STRIDE.wrapping_mul(super::STRIDE);
    const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
    const WIDE: [u64; 4] = [1, 1 << 32, u64::MAX, 1 << 63];
    const ROWS: [[i32; 2]; 3] = [[1, -1], [2, -2], [3, -3]];
    const ENDS: [i32; 2] = [i32::MIN, i32::MAX];
    const WIDE_ENDS: [i64; 2] = [i64::MAX, i64::MIN];
    const COUNT: u32 = 8;
    const HALF: u32 = COUNT / 2 + (1 << 2) - 4;

    impl Point {
        pub const ORIGIN: Point = Point { x: 0, y: 0 };

        pub fn new(x: i32, y: i32) -> Point {
            Point { x, y }
        }

        pub fn dot(self, other: Point) -> i32 {
            self.x * other.x + self.y * other.y
        }

        pub fn length(&self) -> u32 {
            self.x.abs_diff(0) + self.y.abs_diff(0)
        }

        pub fn mirror(&mut self) {
            let x = self.x;
            self.x = self.y;
            self.y = x;
        }
    }

    impl Segment {
        pub fn reverse(&mut self) -> i32 {
            let from = self.from;
            self.from = self.to;
            self.to = from;
            self.from.mirror();
            self.from.x - self.to.x
        }
    }

    /// Constants whose values rustc finds.
    fn outside_constants(me: &Input, out: &mut Out) {
        let place = me.a % super::PLACES as u32;
        let sign = match me.b {
            STRIDE => 5,
            0..=SQUARE => 3,
            _ => 1,
        };
        out.x = SEEDS[place as usize] + (me.a * STRIDE) as u64 + OFFSET as u64 * sign;
    }

    fn struct_values(me: &Input, out: &mut Out) {
        let mut p = Point { x: me.a as i32, y: 3 };
        let q = Point { y: 5, ..p };
        p.x += 1;
        let s = Segment { from: p, to: q, weight: me.d, marked: true };
        out.x = (s.from.x as u64) * 3 + (s.to.x as u64) * 5 + s.to.y as u64 + s.weight + s.marked as u64;
    }

    fn methods(me: &Input, out: &mut Out) {
        let mut p = Point::new(me.a as i32, me.b as i32);
        let q = Point::new(2, -3);
        let before = p.dot(q);
        p.mirror();
        let mut s = Segment { from: p, to: Point::ORIGIN, weight: 0, marked: false };
        let jump = s.reverse();
        out.x = (before as u64) ^ ((p.length() as u64) << 32) ^ (jump as u64) ^ ((s.to.dot(q) as u64) << 7);
    }

    fn enum_values(me: &Input, out: &mut Out) {
        let colours = [Colour::Red, Colour::Green, Colour::Blue];
        let colour = colours[(me.a % 3) as usize];
        out.x = colour as u64 + (colour != Colour::Red) as u64 * 100;
    }

    fn constant_tables(me: &Input, out: &mut Out) {
        let i = me.a % COUNT;
        out.x = PRIMES[i as usize] as u64
            + WIDE[(me.b % 4) as usize]
            + (ROWS[(i % 3) as usize][(me.b & 1) as usize] as u64)
            + (ENDS[(me.a & 1) as usize] as u64)
            + (WIDE_ENDS[(me.b & 1) as usize] as u64)
            + PRIMES[3] as u64
            + HALF as u64;
    }

    fn local_arrays(me: &Input, out: &mut Out) {
        let mut counts = [0; 16];
        for i in 0..40u32 {
            let slot = (me.a + i * i) % 16;
            counts[slot as usize] += i;
        }
        let copy = counts;
        counts[0] = 1_000_000;
        let mut x = 0;
        for i in (0..16u32).rev() {
            x = x * 3 + copy[i as usize] as u64;
        }
        out.x = x + counts[0] as u64 + copy[5] as u64;
    }

    fn indices_of_every_type(me: &Input, out: &mut Out) {
        let signed = (me.a % 8) as i32;
        let wide = me.d % 8;
        let wide_signed = (me.d % 8) as i64;
        out.x = PRIMES[signed as usize] as u64
            + (PRIMES[wide as usize] as u64) * 100
            + (PRIMES[wide_signed as usize] as u64) * 10_000;
    }

    fn arrays_of_structs(me: &Input, out: &mut Out) {
        let mut points = [Point::ORIGIN; 4];
        for i in 0..4u32 {
            points[i as usize].x = (me.a + i) as i32;
            points[i as usize].y = (me.b * i) as i32;
        }
        let i = (me.a % 4) as i32;
        points[i as usize].mirror();
        let other = points[(me.b % 4) as usize];
        out.x = (points[i as usize].x as u64) ^ ((other.y as u64) << 16) ^ ((points[3].dot(other) as u64) << 32);
    }

    fn nested_arrays(me: &Input, out: &mut Out) {
        let mut grid = [[0u32; 5]; 4];
        for i in 0..4u32 {
            for j in 0..5u32 {
                grid[i as usize][j as usize] = i * 10 + j + me.a % 7;
            }
        }
        let row = grid[(me.a % 4) as usize];
        grid[(me.b % 4) as usize][1] += 500;
        out.x = row[(me.b % 5) as usize] as u64 * 1000 + grid[(me.a % 4) as usize][1] as u64;
    }

    fn swap_and_count(a: &mut u32, b: &mut u32, calls: &mut u64) -> u32 {
        let kept = *a;
        *a = *b;
        *b = kept;
        *calls += 1;
        kept - *a
    }

    fn three_times(a: &mut u32, calls: &mut u64) {
        let mut other = 7;
        for _ in 0..3 {
            let difference = swap_and_count(a, &mut other, calls);
            *a += difference;
        }
    }

    fn mutable_parameters(me: &Input, out: &mut Out) {
        let mut a = me.a;
        let mut numbers = [me.b, 5, 6];
        let mut calls = 0;
        let first = swap_and_count(&mut a, &mut numbers[1], &mut calls);
        three_times(&mut a, &mut calls);
        three_times(&mut numbers[(me.a % 3) as usize], &mut calls);
        out.x = (first as u64) ^ ((a as u64) << 20) ^ ((numbers[0] as u64) << 8) ^ ((numbers[2] as u64) << 40) ^ calls;
    }

    fn mutable_by_value(mut n: u32) -> u32 {
        let mut ones = 0;
        while n > 0 {
            ones += n & 1;
            n >>= 1;
        }
        ones
    }

    fn of_array(values: &[u32; 4], at: u32) -> u32 {
        values[(at % 4) as usize] + values[0]
    }

    fn double_all(values: &mut [u32; 4]) {
        for i in 0..4u32 {
            values[i as usize] *= 2;
        }
    }

    fn values_and_arrays_as_parameters(me: &Input, out: &mut Out) {
        let mut values = [me.a, me.b, 3, 4];
        double_all(&mut values);
        out.x = mutable_by_value(me.a) as u64 * 1_000_000 + of_array(&values, me.b) as u64;
    }

    fn enrich(rich: &mut Rich, by: &Input) -> u64 {
        rich.segment.from.x += by.a as i32;
        rich.segment.weight = by.d;
        rich.segment.marked = !rich.segment.marked;
        rich.colour = if by.a % 2 == 0 { Colour::Blue } else { Colour::Green };
        rich.numbers[(by.a % 5) as usize] += by.b;
        rich.wide[(by.b % 3) as usize] ^= by.d;
        rich.grid[(by.a % 2) as usize][(by.b % 3) as usize] = 77;
        rich.points[(by.a % 3) as usize].mirror();
        rich.points[2].y -= 1;
        rich.flag = rich.segment.marked || by.a < by.b;
        rich.wide[0]
    }

    /// Changes every kind of field of a row, through a helper that takes rows.
    #[kernel]
    pub fn rich_rows(me: &Input, rich: &mut Rich, id: u32) {
        let wide = enrich(rich, me);
        rich.single = id as f32 * 0.5;
        rich.segment.to = rich.points[1];
        rich.wide[2] += wide;
        rich.segment.reverse();
    }

    /// Evaluates the value before the indices of the place: indices are known when the value has been computed.
    fn value_before_place(me: &Input, out: &mut Out) {
        let mut numbers = [0u32; 4];
        let mut at = me.a % 3;
        numbers[at as usize] = next_index(&mut at);
        out.x = numbers[0] as u64 + numbers[1] as u64 * 10 + numbers[2] as u64 * 100 + numbers[3] as u64 * 1000;
    }

    fn next_index(at: &mut u32) -> u32 {
        *at += 1;
        *at + 4
    }

    fn sum_of(row: Input) -> u64 {
        row.a as u64 + row.b as u64 * 3 + row.d
    }

    /// Uses rows without lanes as values.
    fn rows_as_values(me: &Input, out: &mut Out) {
        let mut copy = *me;
        copy.a += 1;
        let other = Input { b: 2, ..copy };
        out.x = sum_of(copy) ^ sum_of(other) ^ sum_of(*me);
    }

    fn lossless(me: &Input, out: &mut Out) {
        out.x = u64::from(me.a) + i64::from(me.b) as u64 + u32::from(me.a < me.b) as u64;
    }

    pub enum Op {
        OutsideConstants,
        StructValues,
        Methods,
        EnumValues,
        ConstantTables,
        LocalArrays,
        IndicesOfEveryType,
        ArraysOfStructs,
        NestedArrays,
        MutableParameters,
        ValuesAndArraysAsParameters,
        ValueBeforePlace,
        RowsAsValues,
        Lossless,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls one of the functions above: a device compiles one kernel for all of them.
    #[kernel]
    pub fn run(me: &Input, out: &mut Out, chosen: &Chosen) {
        if chosen.op == Op::OutsideConstants {
            outside_constants(me, out);
        }
        if chosen.op == Op::StructValues {
            struct_values(me, out);
        }
        if chosen.op == Op::Methods {
            methods(me, out);
        }
        if chosen.op == Op::EnumValues {
            enum_values(me, out);
        }
        if chosen.op == Op::ConstantTables {
            constant_tables(me, out);
        }
        if chosen.op == Op::LocalArrays {
            local_arrays(me, out);
        }
        if chosen.op == Op::IndicesOfEveryType {
            indices_of_every_type(me, out);
        }
        if chosen.op == Op::ArraysOfStructs {
            arrays_of_structs(me, out);
        }
        if chosen.op == Op::NestedArrays {
            nested_arrays(me, out);
        }
        if chosen.op == Op::MutableParameters {
            mutable_parameters(me, out);
        }
        if chosen.op == Op::ValuesAndArraysAsParameters {
            values_and_arrays_as_parameters(me, out);
        }
        if chosen.op == Op::ValueBeforePlace {
            value_before_place(me, out);
        }
        if chosen.op == Op::RowsAsValues {
            rows_as_values(me, out);
        }
        if chosen.op == Op::Lossless {
            lossless(me, out);
        }
    }
}
