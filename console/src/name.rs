//! Name of the program, which strangers' programs have of their own.

use super::process;
use std::path::Path;
use std::sync::OnceLock;

/// Returns the name by which the program was called.
#[must_use]
pub fn program() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        if let Some(line) = process::given() {
            return line.name.clone();
        }
        let called = std::env::args_os().next().unwrap_or_default();
        let stem = Path::new(&called).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "imminent".to_owned())
    })
}

/// Returns a text in which the commands of the program have the name by which it was called.
#[must_use]
pub fn in_own_name(text: &str, program: &str) -> String {
    text.replace("`imminent ", &format!("`{program} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_name_of_the_program() {
        let told = in_own_name("imminent has none: `imminent describe` and `imminent devices` list them", "shop");
        assert_eq!(told, "imminent has none: `shop describe` and `shop devices` list them");
    }
}
