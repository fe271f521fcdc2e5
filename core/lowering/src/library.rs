//! Libraries of helper functions written in a dialect: the functions of some files, and those that a text needs.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Helper functions.
pub(crate) struct Library {
    /// Names, and texts with their comments.
    functions: Vec<(String, String)>,
    /// For each function the functions that it calls.
    calls: HashMap<String, Vec<String>>,
}

impl Library {
    /// A library of functions, given by name and text.
    pub(crate) fn new(functions: Vec<(String, String)>) -> Library {
        let names: HashSet<&str> = functions.iter().map(|(name, _)| name.as_str()).collect();
        let calls = functions
            .iter()
            .map(|(name, text)| {
                let called = identifiers(text).filter(|word| word != name && names.contains(word));
                (name.clone(), called.map(str::to_owned).collect())
            })
            .collect();
        Library { functions, calls }
    }

    /// The library with callees before callers.
    pub(crate) fn ordered(mut self) -> Library {
        let mut rest = std::mem::take(&mut self.functions);
        let mut placed: HashSet<String> = HashSet::new();
        while !rest.is_empty() {
            let (ready, later): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(name, _)| self.calls.get(name).is_none_or(|c| c.iter().all(|f| placed.contains(f))));
            if ready.is_empty() {
                break;
            }
            placed.extend(ready.iter().map(|(name, _)| name.clone()));
            self.functions.extend(ready);
            rest = later;
        }
        self
    }

    /// The names of the functions, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(name, _)| name.as_str())
    }

    /// The texts of these functions and of all that they call, in the order of the library.
    pub(crate) fn texts(&self, wanted: &BTreeSet<String>) -> Vec<&str> {
        let mut needed: HashSet<&str> = HashSet::new();
        let mut open: Vec<&str> = wanted.iter().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            if let Some((name, calls)) = self.calls.get_key_value(name)
                && needed.insert(name)
            {
                open.extend(calls.iter().map(String::as_str));
            }
        }
        let needed = self.functions.iter().filter(|(name, _)| needed.contains(name.as_str()));
        needed.map(|(_, text)| text.as_str()).collect()
    }
}

/// Cuts a file into its functions, which begin with a keyword. Empty lines separate them, and none contains one. A
/// function's name stands after the type of its result, if that comes first.
pub(crate) fn split(file: &str, keyword: &str) -> Vec<(String, String)> {
    let function = |text: &str| {
        let signature = text.lines().find_map(|line| line.strip_prefix(keyword))?;
        let name = signature.split('(').next()?.rsplit([' ', '*']).next()?;
        Some((name.to_owned(), text.trim_end().to_owned()))
    };
    file.split("\n\n").filter_map(function).collect()
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.starts_with("//"))
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> Library {
        let file = "// Calls b.\nfn a(x) {\n    b(x)\n}\n\nfn b(x) {\n    x\n}\n\n// Mentions a.\nfn c() {}\n";
        Library::new(split(file, "fn "))
    }

    #[test]
    fn every_function_of_a_file_is_found() {
        assert_eq!(library().names().collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn a_function_brings_what_it_calls_and_not_what_its_comment_names() {
        assert_eq!(library().texts(&BTreeSet::from(["a".to_owned()])).len(), 2);
        assert_eq!(library().texts(&BTreeSet::from(["c".to_owned()])), ["// Mentions a.\nfn c() {}"]);
    }

    #[test]
    fn callees_stand_before_callers() {
        assert_eq!(library().ordered().names().collect::<Vec<_>>(), ["b", "c", "a"]);
    }
}
