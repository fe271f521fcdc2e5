//! Kernels over columns of one and of two words, independent of the type of the bits.
//!
//! Comparisons are made between *keys*: unsigned integers whose order is the total order of the type. So the kernels
//! need no floats, and give identical bits on devices that flush subnormals or lack `f64`.

/// Row numbers and truth values, common to every width.
#[crate::kernels]
pub(super) mod rows {
    /// A row number, or a count.
    #[derive(Row)]
    pub struct Index {
        pub value: u32,
    }

    #[derive(Row)]
    pub struct Truth {
        pub value: bool,
    }

    /// Copies the value of the last row: for a running count, the total.
    #[kernel]
    pub fn last(into: &mut Index, all: &Rows<Index>) {
        into.value = if all.len() == 0 { 0 } else { all.get(all.len() - 1).value };
    }

    /// Finds the first row whose running count is above the number of this place: the row that belongs here.
    #[kernel]
    pub fn list(into: &mut Index, ranks: &Rows<Index>, id: u32) {
        let rows = ranks.len();
        if rows == 0 || id >= ranks.get(rows - 1).value {
            return;
        }
        let mut low = 0;
        let mut high = rows - 1;
        while low < high {
            let middle = low + (high - low) / 2;
            if ranks.get(middle).value > id {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        into.value = low;
    }

    /// Copies a slot of a tally.
    #[kernel]
    #[unordered]
    pub fn slot(into: &mut Index, tally: &Tally<u32>, id: u32) {
        into.value = tally.load(id);
    }

    #[kernel]
    pub fn negate(into: &mut Truth, of: &Rows<Truth>) {
        into.value = !of.get(0).value;
    }

    /// Finds the source row for this place, by the sorted destinations of all rows: the first with this destination, or
    /// none.
    #[kernel]
    pub fn wanted(into: &mut Index, order: &Rows<Index>, destinations: &Rows<Index>, id: u32) {
        let mut low = 0;
        let mut high = order.len();
        while low < high {
            let middle = low + (high - low) / 2;
            if destinations.get(order.get(middle).value).value < id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        into.value = u32::MAX;
        if low < order.len() {
            let row = order.get(low).value;
            if destinations.get(row).value == id {
                into.value = row;
            }
        }
    }
}

/// Running counts of rows.
#[crate::kernels]
pub(super) mod counts {
    pub use super::rows::Index as Word;

    /// For a running count: `true` if a row does not count itself.
    #[derive(Params)]
    pub struct Order {
        pub op: u32,
        pub exclusive: bool,
        pub none: u32,
    }

    #[allow(unused_variables)]
    pub fn take(value: u32, order: &Order) -> u32 {
        value
    }

    #[allow(unused_variables)]
    pub fn give(combined: u32, order: &Order) -> u32 {
        combined
    }

    #[allow(unused_variables)]
    pub fn combine(a: u32, b: u32, op: u32) -> u32 {
        a + b
    }
}

/// Words of one width, with the keys of each type that fills them.
#[crate::kernels(Bits = [u32 as narrow, u64 as wide])]
pub(super) mod keys {
    use super::rows::Index;

    #[derive(Row)]
    pub struct Word {
        pub value: Bits,
    }

    /// A value and its row.
    #[derive(Row)]
    pub struct Indexed {
        pub value: Bits,
        pub row: u32,
    }

    /// Mapping of bits to keys.
    #[derive(Params)]
    pub struct Order {
        /// 0: unsigned, 1: signed, 2: float.
        pub kind: u32,
        /// `true` if the order is reversed, so that the least key belongs to the greatest value. A NaN stays
        /// last.
        pub reverse: bool,
        /// Code of the test: 0 `==`, 1 `!=`, 2 `<`, 3 `<=`, 4 `>`, 5 `>=`.
        pub test: u32,
        /// For a scan: 0 sum, 1 least key.
        pub op: u32,
        /// For a scan: `true` if a row's own value is left out.
        pub exclusive: bool,
        /// For an exclusive scan: value of the first row.
        pub none: Bits,
    }

    #[derive(Params)]
    pub struct Slots {
        pub kind: u32,
        pub lowest: Bits,
        /// Width of a slot; 0: all values from the lowest on are in slot 0.
        pub width: Bits,
    }

    const SIGN: Bits = Bits::MAX / 2 + 1;
    const INFINITY: Bits = super::super::patterns::Bits::INFINITY;
    const NAN: Bits = super::super::patterns::Bits::NAN;

    fn is_nan(bits: Bits) -> bool {
        (bits & !SIGN) > INFINITY
    }

    /// Returns the key of the bits.
    pub fn key(bits: Bits, order: &Order) -> Bits {
        if order.kind == 2 && is_nan(bits) {
            return Bits::MAX;
        }
        let mut key = bits;
        if order.kind == 1 {
            key = bits ^ SIGN;
        }
        if order.kind == 2 {
            key = if bits < SIGN { bits | SIGN } else { !bits };
        }
        if order.reverse { !key } else { key }
    }

    fn value(key: Bits, order: &Order) -> Bits {
        if order.kind == 2 && key == Bits::MAX {
            return NAN;
        }
        let key = if order.reverse { !key } else { key };
        match order.kind {
            1 => key ^ SIGN,
            2 => {
                if key < SIGN {
                    !key
                } else {
                    key ^ SIGN
                }
            }
            _ => key,
        }
    }

    /// Compares by IEEE 754: a NaN neither equals nor precedes anything, and zeros are equal.
    fn passes(left: Bits, right: Bits, order: &Order) -> bool {
        if order.kind == 2 && (is_nan(left) || is_nan(right)) {
            return order.test == 1;
        }
        let mut a = key(left, order);
        let mut b = key(right, order);
        if order.kind == 2 {
            a = if left == SIGN { SIGN } else { a };
            b = if right == SIGN { SIGN } else { b };
        }
        match order.test {
            0 => a == b,
            1 => a != b,
            2 => a < b,
            3 => a <= b,
            4 => a > b,
            _ => a >= b,
        }
    }

    #[kernel(reduce = min)]
    pub fn least(me: &Word, order: &Order) -> Bits {
        key(me.value, order)
    }

    #[kernel(reduce = sum)]
    pub fn sum(me: &Word) -> Bits {
        me.value
    }

    #[kernel]
    pub fn unkey(into: &mut Word, keys: &Rows<Word>, order: &Order) {
        into.value = value(keys.get(0).value, order);
    }

    /// Returns the first row that has the least key.
    #[kernel(reduce = min)]
    pub fn first_row(me: &Word, least: &Rows<Word>, order: &Order, id: u32) -> u32 {
        if key(me.value, order) == least.get(0).value { id } else { u32::MAX }
    }

    #[kernel]
    pub fn found(into: &mut Indexed, least: &Rows<Word>, row: &Rows<Index>, order: &Order) {
        into.value = value(least.get(0).value, order);
        into.row = row.get(0).value;
    }

    #[kernel(reduce = count)]
    pub fn count(me: &Word, right: &Rows<Word>, order: &Order) -> bool {
        passes(me.value, right.get(0).value, order)
    }

    #[kernel(reduce = any)]
    pub fn any(me: &Word, right: &Rows<Word>, order: &Order) -> bool {
        passes(me.value, right.get(0).value, order)
    }

    #[kernel(reduce = any)]
    pub fn any_fails(me: &Word, right: &Rows<Word>, order: &Order) -> bool {
        !passes(me.value, right.get(0).value, order)
    }

    /// Sets 1 for a row that passes, so that a running sum numbers these rows.
    #[kernel]
    pub fn flag(me: &Word, into: &mut Index, right: &Rows<Word>, order: &Order) {
        into.value = if passes(me.value, right.get(0).value, order) { 1 } else { 0 };
    }

    /// Converts a value to the form that a scan or a segment combines.
    pub fn take(bits: Bits, order: &Order) -> Bits {
        if order.op == 0 { bits } else { key(bits, order) }
    }

    /// Converts a combined value back to the result.
    pub fn give(combined: Bits, order: &Order) -> Bits {
        if order.op == 0 { combined } else { value(combined, order) }
    }

    pub fn combine(a: Bits, b: Bits, op: u32) -> Bits {
        if op == 0 { a + b } else { a.min(b) }
    }

    /// Reorders a column.
    #[kernel]
    pub fn moved(into: &mut Word, order: &Index, from: &Rows<Word>) {
        into.value = from.get(order.value).value;
    }

    #[kernel]
    pub fn histogram(me: &Word, slots: &Slots, tally: &Tally<u32>) {
        let flip = if slots.kind == 1 { SIGN } else { 0 };
        let x = me.value ^ flip;
        let lowest = slots.lowest ^ flip;
        if x < lowest {
            return;
        }
        let slot = if slots.width == 0 { 0 } else { (x - lowest) / slots.width };
        if slot < tally.len() as Bits {
            tally.add(slot as u32, 1);
        }
    }
}
