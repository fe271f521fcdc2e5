//! Names that WGSL accepts and that mean one thing only.

use super::{library, reserved};
use std::collections::HashSet;

/// Variables of the generated entry point, which must not hide anything it calls, and the fixed global names.
const OWN: &[&str] = &[
    "main",
    "state",
    "launch",
    "partials",
    "input",
    "output",
    "fault",
    "fault_words",
    "fault_bit",
    "results",
    "result_rows",
    "invocation",
    "workgroup",
    "workgroups",
    "rows",
    "group",
    "first",
    "present",
    "item",
    "running",
    "value",
    "stride",
    "combine",
    "word",
    "row",
    "result",
    "element",
    "u64",
    "i64",
    "f64",
    "subset_rows",
    "subset_count",
    "level",
    "groups",
    "own_group",
    "launch_turn",
];

/// Gives out names: global ones differ from every other name, local ones from the global ones and within their function.
pub(super) struct Names {
    globals: HashSet<String>,
    everything: HashSet<String>,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { globals: HashSet::new(), everything: OWN.iter().map(|s| (*s).to_owned()).collect() }
    }

    /// Keeps names of the shader's own from being given out.
    pub(super) fn reserve(&mut self, names: &[&str]) {
        self.globals.extend(names.iter().map(|name| (*name).to_owned()));
        self.everything.extend(names.iter().map(|name| (*name).to_owned()));
    }

    /// A global name as close to this one as possible.
    pub(super) fn global(&mut self, wanted: &str) -> String {
        let name = unique(wanted, |name| self.everything.contains(name));
        self.everything.insert(name.clone());
        self.globals.insert(name.clone());
        name
    }

    /// A name within a function whose own names are in `scope`.
    pub(super) fn local(&mut self, wanted: &str, scope: &mut HashSet<String>) -> String {
        let name = unique(wanted, |name| {
            scope.contains(name)
                || self.globals.contains(name)
                || matches!(name, "fault" | "fault_words" | "state" | "launch" | "u64" | "i64" | "f64")
        });
        scope.insert(name.clone());
        self.everything.insert(name.clone());
        name
    }
}

/// Names for the fields of one struct.
pub(super) fn fields<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    names
        .map(|wanted| {
            let name = unique(wanted, |name| taken.contains(name));
            taken.insert(name.clone());
            name
        })
        .collect()
}

fn unique(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let base = sanitized(wanted);
    let mut name = base.clone();
    let mut number = 2;
    while taken(&name) || reserved::is_reserved(&name) || library::is_helper(&name) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

/// The name with nothing in it that WGSL forbids.
fn sanitized(rust: &str) -> String {
    let plain = rust.strip_prefix("r#").unwrap_or(rust).replace("::", "_");
    let mut name: String = plain.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'f');
    }
    // WGSL forbids `_` and two leading underscores.
    if name == "_" || name.starts_with("__") {
        name.insert(0, 'v');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_built_ins_and_helpers_are_avoided() {
        let mut names = Names::new();
        assert_eq!(names.global("target"), "target_2");
        assert_eq!(names.global("min"), "min_2");
        assert_eq!(names.global("add_u64"), "add_u64_2");
        assert_eq!(names.global("r#loop"), "loop_2");
        assert_eq!(names.global("Pcg32::next_u32"), "Pcg32_next_u32");
        assert_eq!(names.global("Pcg32_next_u32"), "Pcg32_next_u32_2");
        assert_eq!(names.global("__x"), "v__x");
        assert_eq!(names.global("größe"), "gr__e");
    }

    #[test]
    fn a_local_does_not_hide_a_global_nor_the_reverse() {
        let mut names = Names::new();
        let mut scope = HashSet::new();
        names.global("me");
        assert_eq!(names.local("me", &mut scope), "me_2");
        assert_eq!(names.local("x", &mut scope), "x");
        assert_eq!(names.local("x", &mut scope), "x_2");
        assert_eq!(names.global("x"), "x_3");
        assert_eq!(names.local("x", &mut HashSet::new()), "x");
    }
}
