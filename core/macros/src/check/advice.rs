//! Suggestions for Rust that the kernel language does not have.

use crate::syntax::plain;

/// Suggests a substitute for a path to a function or value outside the module.
pub(super) fn outside_path(names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let path = names.join("::");
    let library = matches!(names.as_slice(), ["std" | "core" | "alloc", ..]);
    match names.as_slice() {
        [.., "Default", "default"] => {
            "there are no traits in the kernel language: write the value itself, as in `0` or `Point { x: 0, y: 0 }`"
                .to_owned()
        }
        [.., "mem", "swap"] => {
            "references to two places are outside the kernel language: write `let held = a; a = b; b = held;`"
                .to_owned()
        }
        [.., "mem", "replace" | "take"] => "write `let held = place; place = value;`, and use `held`".to_owned(),
        [.., "cmp", name @ ("min" | "max")] => format!("write it as a method: `a.{name}(b)`"),
        [.., "size_of" | "align_of"] => format!(
            "`{path}` stands in a `const` item of the module only, as in `const SIZE: u32 = {path}::<u64>() as u32;`"
        ),
        _ if library => format!(
            "`{path}` is the standard library's, which devices do not have: operations of the kernel language are operators and methods, as in `a.min(b)`"
        ),
        [.., name] => format!(
            "`{path}` is outside this kernel module, so devices do not have it: move it into this module, or into another kernel module that is named by `use path::to::that_module::{name};`"
        ),
        [] => "this path is outside the kernel language".to_owned(),
    }
}

/// Suggests a substitute for a type of the standard library whose functions are called.
pub(super) fn library_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "Vec" | "VecDeque" | "BinaryHeap" => {
            "a kernel allocates nothing: use an array `[T; N]`, or a `Lanes<T>` field of the row, which the host can grow"
        }
        "String" => "strings are outside the kernel language: use numbers or a field-less enum",
        "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => {
            "a kernel allocates nothing: use a table, `&Rows<T>`, and its row numbers as keys"
        }
        "Option" | "Some" | "None" | "Result" | "Ok" | "Err" => {
            "there is no Option or Result in the kernel language: use a `bool`, or a value that means none"
        }
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" => {
            "a kernel allocates and locks nothing: use values, fields of the own row, and tallies"
        }
        "Default" => {
            "there are no traits in the kernel language: write the value itself, as in `0` or `Point { x: 0, y: 0 }`"
        }
        "usize" | "isize" | "u8" | "i8" | "u16" | "i16" | "u128" | "i128" => {
            "integers of the kernel language are u32, i32, u64 and i64: use one of these"
        }
        _ => return None,
    })
}

/// Suggests a substitute for a macro statement other than a well-formed `assert!`.
pub(super) fn macro_statement(mac: &syn::Macro) -> String {
    match name_of(mac).as_deref() {
        Some("assert") => "write `assert!(condition);`, perhaps with a text without placeholders".to_owned(),
        _ => macro_value(mac),
    }
}

/// Suggests a substitute for a macro used as a value.
pub(super) fn macro_value(mac: &syn::Macro) -> String {
    let advice = match name_of(mac).as_deref() {
        Some("assert") => return "`assert!(condition);` is a statement: let it stand alone".to_owned(),
        Some("assert_eq") => "write `assert!(a == b);`",
        Some("assert_ne") => "write `assert!(a != b);`",
        Some(
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" | "panic" | "unreachable" | "todo" | "unimplemented",
        ) => "write `assert!(condition);`, which raises a fault and goes on",
        Some("println" | "print" | "eprintln" | "eprint" | "dbg" | "write" | "writeln" | "format") => {
            "a device has no output: write what is to be seen into a field of the row"
        }
        Some("vec") => {
            "a kernel allocates nothing: write an array, `[x; N]` or `[a, b]`, or use a `Lanes<T>` field of the row"
        }
        Some("matches") => "write `match x { pattern => true, _ => false }`",
        Some("include" | "include_bytes" | "include_str" | "env" | "concat" | "stringify" | "cfg") => {
            "write a `const` outside the module, and `use` it"
        }
        _ => "write out what it stands for",
    };
    format!("macros other than `assert!` are outside the kernel language: {advice}")
}

fn name_of(mac: &syn::Macro) -> Option<String> {
    mac.path.segments.last().map(|segment| plain(&segment.ident))
}

/// Suggests a substitute for a method called on a range.
pub(super) fn range_method(name: &str) -> &'static str {
    match name {
        "rev" => "ranges are not values of the kernel language: `.rev()` stands in `for i in (a..b).rev()` only",
        "contains" => "ranges are not values of the kernel language: write `low <= x && x < high`",
        "step_by" => "ranges step by one in the kernel language: write `let mut i = a; while i < b { ..; i += step; }`",
        "len" | "count" => "ranges are not values of the kernel language: write `end - start`",
        "sum" | "product" | "fold" | "min" | "max" => {
            "iterators are outside the kernel language: write a loop, `let mut sum = 0; for i in a..b { sum += i; }`"
        }
        "any" | "all" | "find" | "position" => {
            "iterators are outside the kernel language: write a loop that ends early, `for i in a..b { if found { ..; break; } }`"
        }
        _ => "iterators are outside the kernel language: write a loop, `for i in a..b { .. }`",
    }
}
