//! Lists of numbers that are scaled together.

use super::{Configuration, key};
use imminent_common::toml_text::Value as Tree;

impl Configuration {
    /// Returns the value of a list with all of its numbers multiplied by a factor, as [`set_text`](Self::set_text)
    /// takes it. Of a list of lists, such as pairs of a time and a rate, the last number of each is multiplied.
    ///
    /// # Errors
    /// What the value is instead, in words; `None` if the key has no value.
    pub fn scaled(&self, key: &str, factor: f64) -> Result<String, Option<&'static str>> {
        match key::find(self.table(), key) {
            Ok(Some(Tree::List(list))) if !list.is_empty() => {
                scaled(list, factor).ok_or(Some("a list of more than numbers"))
            }
            Ok(Some(Tree::List(_))) => Err(Some("an empty list")),
            Ok(Some(Tree::Table(_))) => Err(Some("a table")),
            Ok(Some(_)) => Err(Some("no list")),
            _ => Err(None),
        }
    }
}

fn number(value: &Tree) -> Option<f64> {
    match value {
        Tree::Integer(number) => Some(*number as f64),
        Tree::Float(number) => Some(*number),
        _ => None,
    }
}

fn scaled(list: &[Tree], factor: f64) -> Option<String> {
    let one = |value: &Tree| match value {
        Tree::List(inner) => {
            let (last, before) = inner.split_last()?;
            let before = before.iter().map(|value| number(value).map(|number| number.to_string()));
            let all = before.chain([number(last).map(|last| (last * factor).to_string())]);
            Some(format!("[{}]", all.collect::<Option<Vec<_>>>()?.join(", ")))
        }
        value => number(value).map(|value| (value * factor).to_string()),
    };
    Some(format!("[{}]", list.iter().map(one).collect::<Option<Vec<_>>>()?.join(", ")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn numbers_and_the_last_of_each_pair_are_multiplied() {
        let of = |text: &str| match Tree::parse(text).unwrap() {
            Tree::List(list) => scaled(&list, 2.0),
            _ => None,
        };
        assert_eq!(of("[1, 2.5]").unwrap(), "[2, 5]");
        assert_eq!(of("[[0, 0.25], [480, 3]]").unwrap(), "[[0, 0.5], [480, 6]]");
        assert_eq!(of("['a']"), None);
        assert_eq!(of("[[1, 'a']]"), None);
        assert_eq!(of("[{ a = 1 }]"), None);
    }
}
