//! Conversion of rows to bytes and back.
//!
//! Numbers are little-endian in base 128, with 128 added to every digit but the last, because most numbers are small or
//! zero. A row consists of its number of lanes, its fixed leaves, and the leaves of each lane.

use imminent_core::Row;

/// Writer of bytes.
#[derive(Debug, Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 128 {
            self.0.push(number as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn rows<R: Row>(&mut self, rows: &[R]) {
        let (fixed, of_lanes) = words::<R>();
        for row in rows {
            self.number(u64::from(row.capacity()));
            fixed.iter().for_each(|word| self.number(row.leaf(*word)));
            for lane in 0..row.capacity() {
                of_lanes.iter().for_each(|word| self.number(row.lane_leaf(lane, *word)));
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reader of bytes. All methods return `None` if there are too few.
#[derive(Debug)]
pub(super) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Reader(bytes)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (digit, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(digit & 127).checked_shl(shift)?;
            if *digit < 128 {
                return Some(number);
            }
            shift += 7;
        }
    }

    /// Reads `count` rows.
    pub(super) fn rows<R: Row>(&mut self, count: u64) -> Option<Vec<R>> {
        let (fixed, of_lanes) = words::<R>();
        let mut rows = vec![];
        for _ in 0..count {
            let capacity = u32::try_from(self.number()?).ok()?;
            // Each leaf takes at least one byte. This check limits the allocated memory to what the bytes can fill.
            if of_lanes.len() as u64 * u64::from(capacity) > self.0.len() as u64 {
                return None;
            }
            let mut row = R::zeroed(if of_lanes.is_empty() { 0 } else { capacity });
            for word in &fixed {
                row.set_leaf(*word, self.number()?);
            }
            for lane in 0..row.capacity() {
                for word in &of_lanes {
                    row.set_lane_leaf(lane, *word, self.number()?);
                }
            }
            rows.push(row);
        }
        Some(rows)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the start words of leaves: the fixed ones, and those of a lane.
fn words<R: Row>() -> (Vec<u32>, Vec<u32>) {
    let of = |lane| R::layout().columns.iter().filter(move |column| column.lane == lane).map(|column| column.word);
    (of(false).collect(), of(true).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), 1 << 63, u64::MAX];
        let mut out = Writer::default();
        numbers.iter().for_each(|number| out.number(*number));
        let bytes = out.into_bytes();
        assert_eq!(bytes.len(), 1 + 1 + 1 + 2 + 2 + 5 + 10 + 10);
        let mut from = Reader::new(&bytes);
        assert_eq!(numbers.map(|_| from.number().unwrap()), numbers);
        assert!(from.is_at_end() && from.number().is_none());
        assert_eq!(Reader::new(&[255; 11]).number(), None);
    }
}
