//! Names that both dialects of C accept and that mean one thing only.

use super::{library, reserved};
use crate::names::{Rules, plain};

/// Variables of the generated entry point, which must not hide anything it calls, and the fixed global names.
const OWN: &[&str] = &[
    "fault",
    "fault_words",
    "fault_bit",
    "state",
    "launch",
    "partials",
    "input",
    "output",
    "ctx",
    "code",
    "results",
    "result_rows",
    "invocation",
    "rows",
    "group",
    "first",
    "present",
    "item",
    "value",
    "stride",
    "word",
    "row",
    "result",
    "element",
    "copy",
    "at",
    "a",
    "b",
    "a_row",
    "b_row",
    "a_nan",
    "b_nan",
    "lane",
    "runs",
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
    "group_turn",
    "group_votes",
    "grid_width",
    "grid_height",
    "tiles_across",
    "tile_x",
    "tile_y",
    "nothing",
    "subset_rows",
    "subset_count",
    "level",
];

/// The rules of names in C. Both dialects have the same.
pub(super) static RULES: Rules = Rules {
    own: OWN,
    identifier: sanitized,
    is_word: |name| reserved::is_word(name) || library::is_helper(name),
    is_global: reserved::is_reserved,
    unhidden: &["ctx"],
    trims: true,
};

/// The name with nothing in it that C forbids.
fn sanitized(rust: &str) -> String {
    let mut name = plain(rust);
    // C++ reserves two underscores in a row wherever they stand, C and C++ one before a capital letter.
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    let reserved = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase();
    let after = name.strip_prefix('_').unwrap_or(&name);
    if after.is_empty()
        || (name.starts_with('_') && after.starts_with(reserved))
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        name.insert(0, 'v');
    }
    // A prefix that the languages keep for themselves stays one whatever number follows, and a number may make it one.
    if reserved::has_reserved_prefix(&format!("{name}_")) {
        name.insert_str(0, "my_");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn keywords_built_ins_and_helpers_are_avoided() {
        let mut names = Names::new(&RULES);
        assert_eq!(names.global("template"), "template_2");
        assert_eq!(names.global("kernel"), "kernel_2");
        assert_eq!(names.global("step"), "step_2");
        assert_eq!(names.global("add_i64"), "add_i64_2");
        assert_eq!(names.global("r#loop"), "loop");
        assert_eq!(names.global("Pcg32::next_u32"), "Pcg32_next_u32");
        assert_eq!(names.global("Pcg32_next_u32"), "Pcg32_next_u32_2");
        assert_eq!(names.global("__x"), "_x");
        assert_eq!(names.global("_X"), "v_X");
        assert_eq!(names.global("_1"), "v_1");
        assert_eq!(names.global("größe"), "gr_e");
        assert_eq!(names.global("atomic_clock"), "my_atomic_clock");
        assert_eq!(names.global("__"), "v_");
        assert_eq!(names.global("half"), "my_half");
    }

    #[test]
    fn every_reserved_word_finds_another_name() {
        for word in reserved::words() {
            let name = Names::new(&RULES).global(word);
            assert!(!reserved::is_reserved(&name), "{word} became {name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_becomes_an_identifier(texts in proptest::collection::vec("\\PC{0,12}|[a-z_]{1,4}[0-9]{0,2}", 1..8)) {
            let mut names = Names::new(&RULES);
            let mut scope = HashSet::new();
            let mut given = HashSet::new();
            for (number, text) in texts.iter().enumerate() {
                let name = if number % 2 == 0 { names.global(text) } else { names.local(text, &mut scope) };
                prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
                prop_assert!(!name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains("__"), "{name}");
                prop_assert!(!reserved::is_word(&name), "{name}");
                prop_assert!(given.insert(name.clone()), "{name} twice");
            }
        }
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

    #[test]
    fn a_variable_may_hide_a_function_that_nobody_calls() {
        let mut names = Names::new(&RULES);
        let mut scope = HashSet::new();
        assert_eq!(names.local("step", &mut scope), "step");
        assert_eq!(names.local("kernel", &mut scope), "kernel_2");
        assert_eq!(names.local("atomicAdd", &mut scope), "atomicAdd_2");
        assert_eq!(names.resource("all"), "all");
        assert_eq!(names.global("all"), "all_2");
    }
}
