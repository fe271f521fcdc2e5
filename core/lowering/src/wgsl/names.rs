//! Names that WGSL accepts and that mean one thing only.

use super::{library, reserved};
use crate::names::{Rules, plain};

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
    "listed_rows",
];

/// Names of a grouped shader's own variables.
pub(super) const GROUP: &[&str] = &[
    "lane",
    "lane_active",
    "lane_fault",
    "lane_row",
    "lane_x",
    "lane_y",
    "own_element",
    "scratch",
    "groups",
    "group_index",
    "group_len",
    "group_slot",
    "group_turn",
    "group_votes",
    "grid_width",
    "grid_height",
    "tiles_across",
    "tile_x",
    "tile_y",
    "turn",
    "words",
];

/// The rules of names in WGSL.
pub(super) static RULES: Rules = Rules {
    own: OWN,
    identifier: sanitized,
    is_word: |name| reserved::is_reserved(name) || library::is_helper(name),
    is_global: |_| false,
    unhidden: &["fault", "fault_words", "state", "launch", "u64", "i64", "f64"],
    trims: false,
};

/// The name with nothing in it that WGSL forbids.
fn sanitized(rust: &str) -> String {
    let mut name = plain(rust);
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
    use crate::names::Names;
    use std::collections::HashSet;

    #[test]
    fn keywords_built_ins_and_helpers_are_avoided() {
        let mut names = Names::new(&RULES);
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
        let mut names = Names::new(&RULES);
        let mut scope = HashSet::new();
        names.global("me");
        assert_eq!(names.local("me", &mut scope), "me_2");
        assert_eq!(names.local("x", &mut scope), "x");
        assert_eq!(names.local("x", &mut scope), "x_2");
        assert_eq!(names.global("x"), "x_3");
        assert_eq!(names.local("x", &mut HashSet::new()), "x");
    }
}
