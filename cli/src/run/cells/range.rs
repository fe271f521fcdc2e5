//! Values of options that may be ranges.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A number, `5`, or a range from which numbers are drawn, `4..12`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Range {
    /// Returns true for a single number.
    pub(super) fn is_constant(self) -> bool {
        self.least == self.most
    }

    /// Both ends divided by a number.
    #[cfg(feature = "maps")]
    pub(super) fn over(self, divisor: f64) -> [f64; 2] {
        [self.least / divisor, self.most / divisor]
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| word.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (Some(least), Some(most)) = (number(low), number(high)) else {
            return Err("write a number, for instance 5, or a range LOW..HIGH, for instance 4..12".to_owned());
        };
        if least > most {
            return Err(format!("the range is reversed: write {most}..{least}"));
        }
        Ok(Range { least, most })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { least, most } = self;
        if self.is_constant() { write!(f, "{least}") } else { write!(f, "{least} to {most}") }
    }
}

/// A number, or the two ends.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_constant() {
            self.least.serialize(serializer)
        } else {
            [self.least, self.most].serialize(serializer)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Range;

    #[test]
    fn ranges_are_numbers_or_two_ends_in_order() {
        let read = |text: &str| text.parse::<Range>();
        assert_eq!(read("5").unwrap(), Range { least: 5.0, most: 5.0 });
        assert_eq!(read("-45 .. 45.5").unwrap(), Range { least: -45.0, most: 45.5 });
        assert_eq!(read("12..4").unwrap_err(), "the range is reversed: write 4..12");
        for text in ["", "..", "4..", "..4", "nan", "1..inf", "4-12"] {
            assert!(read(text).unwrap_err().contains("LOW..HIGH"), "{text}");
        }
        let shown = ["5", "4..12"].map(|text| serde_json::to_string(&read(text).unwrap()).unwrap());
        assert_eq!(shown, ["5.0", "[4.0,12.0]"]);
        assert_eq!(
            (read("5").unwrap().to_string(), read("4..12").unwrap().to_string().as_str()),
            ("5".to_owned(), "4 to 12")
        );
    }
}
