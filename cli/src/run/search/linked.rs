//! Keys that are linked: one value sets them all, some of them with a difference to it.

/// Keys that take their values from one, each with what is added to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Linked(Vec<(String, i64)>);

impl Linked {
    /// Reads keys that are joined by ` & `, such as `a.servers & a.shifts.at[0][1] - 2`. `None` if one is empty.
    pub(super) fn read(text: &str) -> Option<Self> {
        let one = |text: &str| {
            let text = text.trim();
            let sum = [(" + ", 1), (" - ", -1)].into_iter().find_map(|(sign, factor)| {
                let (key, number) = text.rsplit_once(sign)?;
                Some((key.trim().to_owned(), factor * i64::from(number.trim().parse::<u32>().ok()?)))
            });
            Some(sum.unwrap_or_else(|| (text.to_owned(), 0))).filter(|(key, _)| !key.is_empty())
        };
        text.split('&').map(one).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Returns all keys with their values; `None` if something is to be added to what is no whole number.
    pub(super) fn values(&self, value: &str) -> Option<Vec<(String, String)>> {
        let of = |(key, more): &(String, i64)| {
            let own = match more {
                0 => value.to_owned(),
                more => value.parse::<i64>().ok()?.checked_add(*more)?.to_string(),
            };
            Some((key.clone(), own))
        };
        self.0.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_value_sets_all_keys() {
        let linked = Linked::read("a.b[0] & a-1.c - 2 & d + 10").unwrap();
        let set = |value: &str| {
            let values = linked.values(value)?;
            Some(values.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(set("5").unwrap(), "a.b[0]=5 a-1.c=3 d=15");
        assert_eq!(set("x"), None);
        assert_eq!(Linked::read("a").unwrap().values("[1, 2]").unwrap(), [("a".to_owned(), "[1, 2]".to_owned())]);
        assert!(Linked::read("a & ").is_none() && Linked::read("").is_none());
    }
}
