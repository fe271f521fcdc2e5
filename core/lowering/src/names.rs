//! Names that a language accepts and that mean one thing only.

use std::collections::HashSet;

/// Variables of entry points of kernels with several results, in every language.
const OF_RESULTS: [&str; 9] =
    ["returned", "results_0", "results_1", "results_2", "results_3", "value_0", "value_1", "value_2", "value_3"];

/// The rules of a language.
pub(crate) struct Rules {
    /// Variables of the generated entry point, which must not hide anything it calls, and the fixed global names.
    pub(crate) own: &'static [&'static str],
    /// Makes an identifier of the characters of a name.
    pub(crate) identifier: fn(&str) -> String,
    /// Returns `true` for names that nothing may have.
    pub(crate) is_word: fn(&str) -> bool,
    /// Returns `true` for names that no function, type or constant may have, although variables may.
    pub(crate) is_global: fn(&str) -> bool,
    /// Global names that no local may hide.
    pub(crate) unhidden: &'static [&'static str],
    /// `true` if underscores at the end of a name are dropped before a number.
    pub(crate) trims: bool,
}

/// Gives out names: global ones differ from every other name, local ones from the global ones and within their
/// function.
pub(crate) struct Names {
    rules: &'static Rules,
    globals: HashSet<String>,
    everything: HashSet<String>,
}

impl Names {
    pub(crate) fn new(rules: &'static Rules) -> Names {
        let everything = rules.own.iter().chain(&OF_RESULTS).map(|s| (*s).to_owned()).collect();
        Names { rules, globals: HashSet::new(), everything }
    }

    /// Keeps names of the text's own from being given out.
    pub(crate) fn reserve(&mut self, names: &[&str]) {
        self.globals.extend(names.iter().map(|name| (*name).to_owned()));
        self.everything.extend(names.iter().map(|name| (*name).to_owned()));
    }

    /// A global name as close to this one as possible.
    pub(crate) fn global(&mut self, wanted: &str) -> String {
        let name = self.unique(wanted, |name| self.everything.contains(name) || (self.rules.is_global)(name));
        self.take(name)
    }

    /// A name for a resource of the kernel: a parameter, a field of a struct or a variable. It differs from every other
    /// name.
    pub(crate) fn resource(&mut self, wanted: &str) -> String {
        let name = self.unique(wanted, |name| self.everything.contains(name));
        self.take(name)
    }

    fn take(&mut self, name: String) -> String {
        self.everything.insert(name.clone());
        self.globals.insert(name.clone());
        name
    }

    /// A name within a function whose own names are in `scope`.
    pub(crate) fn local(&mut self, wanted: &str, scope: &mut HashSet<String>) -> String {
        let name = self.unique(wanted, |name| {
            scope.contains(name) || self.globals.contains(name) || self.rules.unhidden.contains(&name)
        });
        scope.insert(name.clone());
        self.everything.insert(name.clone());
        name
    }

    /// Names for the fields of one struct.
    pub(crate) fn fields<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut taken = HashSet::new();
        names
            .map(|wanted| {
                let name = self.unique(wanted, |name| taken.contains(name));
                taken.insert(name.clone());
                name
            })
            .collect()
    }

    fn unique(&self, wanted: &str, taken: impl Fn(&str) -> bool) -> String {
        let base = (self.rules.identifier)(wanted);
        let mut name = base.clone();
        let mut number = 2;
        while taken(&name) || (self.rules.is_word)(&name) {
            let base = if self.rules.trims { base.trim_end_matches('_') } else { &base };
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// The path of a Rust name in one word, of letters and digits of ASCII.
pub(crate) fn plain(rust: &str) -> String {
    let plain = rust.strip_prefix("r#").unwrap_or(rust).replace("::", "_");
    plain.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A count as a word; IR that names more things than words exist has been refused before.
pub(crate) fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
