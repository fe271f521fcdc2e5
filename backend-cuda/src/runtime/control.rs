//! Text of the kernel that passes the turn on: it counts, looks for faults, and evaluates the tests.

use imminent_device::replay::{HEAD_WORDS, OWN};

/// Word of the head with the number of bodies that the outermost WHILE node may still run.
pub(crate) const BODIES_LEFT: u32 = OWN;

const TEXT: &str = include_str!("control.cu");

/// Returns the kernel's text for `tests` tests; `in_nodes` is `true` if it controls WHILE nodes.
pub(super) fn text(tests: u32, in_nodes: bool) -> String {
    let text = TEXT.replace("FIRST_SLOT", &format!("{HEAD_WORDS}u")).replace("TESTS", &tests.to_string());
    format!("#define IN_NODES {}\n{text}", u32::from(in_nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_knows_where_the_host_writes() {
        assert!(TEXT.contains(&format!("state[{BODIES_LEFT}]")));
    }

    #[test]
    fn the_text_is_filled_in() {
        let text = super::text(3, false);
        assert!(text.contains("u32 w[8 + 8 * 3];") && text.contains("state[64u + slot]"), "{text}");
        assert!(!text.contains("TESTS") && text.contains("#define IN_NODES 0"));
        assert!(super::text(0, true).contains("#define IN_NODES 1"));
    }
}
