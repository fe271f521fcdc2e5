//! Parameters shared by flows. They are stored once, because the device would otherwise read them for every flow in
//! every launch.

use super::super::kernels::fluids::Terms;
use super::super::wide;
use std::collections::HashMap;

/// Distinct rows in the order of their first use.
#[derive(Debug, Default)]
pub(in crate::fluid) struct Distinct {
    pub(in crate::fluid) rows: Vec<Terms>,
    /// Row numbers by the bits of the values.
    numbers: HashMap<[u64; 6], u32>,
}

impl Distinct {
    /// Returns the row with the same values, and adds it if there is none.
    pub(super) fn row(&mut self, terms: Terms) -> u32 {
        let [packets, rate, way] = [terms.packets, terms.rate, terms.way].map(|number| wide(number).to_bits());
        let [start, stop, back] = [terms.start, terms.stop, terms.back].map(u64::from);
        *self.numbers.entry([packets, rate, way, start, stop, back]).or_insert_with(|| {
            self.rows.push(terms);
            self.rows.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_in_anything_has_a_row_of_its_own() {
        let one = || Terms { packets: 1000.0, rate: 0.0, way: 0.02, start: 1, stop: u32::MAX, back: 20 };
        let others = [
            Terms { packets: 2000.0, ..one() },
            Terms { rate: 5.0, ..one() },
            Terms { way: 0.04, ..one() },
            Terms { start: 2, ..one() },
            Terms { stop: 7, ..one() },
            Terms { back: 21, ..one() },
        ];
        let mut distinct = Distinct::default();
        assert_eq!([distinct.row(one()), distinct.row(one())], [0, 0]);
        let rows = || others.iter().map(|terms| Terms { ..*terms });
        assert_eq!(rows().map(|terms| distinct.row(terms)).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(rows().map(|terms| distinct.row(terms)).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!((distinct.row(one()), distinct.rows.len()), (0, 7));
    }
}
