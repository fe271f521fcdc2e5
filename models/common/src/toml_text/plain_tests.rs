//! The reader of plain documents beside the parser of [`toml`], which shares no rule of tables with it.

use super::plain::read;
use super::tree::Table;
use proptest::prelude::*;

/// Returns `true` if the reader reads a text, after comparing its values with those of the parser.
fn is_read(text: &str) -> bool {
    let theirs = toml::from_str::<toml::Table>(text).ok().map(Table::from);
    let own = read(text);
    assert!(own.is_none() || own == theirs, "{text}\n{own:?}");
    own.is_some()
}

#[test]
fn plain_documents_are_read() {
    for text in [
        "",
        "\u{feff}a = 1",
        "# remark\na = 1\r\nb = 'x' # more\n\n",
        "[network]\nmean = 1.0\nedges = [\n  ['a', 'b'], # first\n  ['b', 'out'],\n]\n[[network.source]]\nname = \"a\\u00e9\"\n",
        "[[network.node]]\nname = 'a'\n[network.node.class.x]\nmean = 1\n[[network.node]]\nname = 'b'\n[network.node.class.x]\nmean = 2",
        "a = { b = [1, { c = 'd' }], e = {} }\n'quoted key' = \"\"\"\n[not.a.header]\n\"\"\"\nf = '''[[x]]'''",
        "[a.b.c]\nx = 0x1F\n[a.b.d]\ny = 0b11\n[a.e]\nz = -1_000",
        "x = [inf, -inf, 1e6, 1_0.5, +3.5]\ny = [true, false, +7]",
    ] {
        assert!(is_read(text), "{text}");
    }
}

#[test]
fn other_documents_are_left_to_the_parser() {
    let nested = format!("a = {}{}", "[".repeat(81), "]".repeat(81));
    let wide: String = (0..300).map(|key| format!("k{key} = 1\n")).collect();
    for text in [
        "a.b = 1",
        "a = 1979-05-27",
        "[a.b]\n[a]\nx = 1",
        "a = 99999999999999999999",
        "a = 1e999",
        "a = 1\na = 2",
        "[a]\n[a]",
        "[a]\n[[a]]",
        "[[a]]\n[a]",
        "a = {}\n[a.b]",
        "a = []\n[[a]]",
        "a = [{}]\n[a.b]",
        "a = 1\n[a.b]",
        "a = { b = 1, b = 2 }",
        "a = [1\n2]",
        "a = \"\\q\"",
        "a = 1 b = 2",
        "a = ]",
        "a",
        "[a",
        "[]",
        "[a]]",
        "= 1",
        "a = 01",
        "a = 'x",
        "a = '''x",
        "a = [\n",
        "}",
        "a = 1 # \u{1}",
        &nested,
        &wide,
    ] {
        assert!(!is_read(text), "{text}");
    }
}

#[test]
fn lines_that_are_read_apart_make_one_document() {
    let node = |number: usize| format!("[[network.node]]\nname = 'n{number}'\nmean = {number}.5\n");
    let text: String = (0..5000).map(node).collect();
    assert!(is_read(&text));
    assert!(!is_read(&(text + "[network.node]")));
}

proptest! {
    /// Lines in any order: whatever the reader reads is what the parser reads.
    #[test]
    fn lines_in_any_order(lines in prop::collection::vec(0_usize..LINES.len(), 0..9)) {
        let text: String = lines.iter().map(|&line| LINES[line].to_owned() + "\n").collect();
        is_read(&text);
    }

    /// Cuts a document anywhere and puts a sign there.
    #[test]
    fn a_sign_anywhere(place in 0_usize..200, sign in "[\\[\\]{}=,.'\"#\\n a1-]{0,2}") {
        let mut text = "[a]\nb = [1, 'x']\nc = { d = 2.5 }\n[[a.e]]\nf = \"\"\"g\"\"\" # h\n[[a.e]]\n[a.e.i]\nj = -1\n".to_owned();
        let place = place % text.len();
        text.insert_str(place, &sign);
        is_read(&text);
    }
}

const LINES: [&str; 16] = [
    "[a]",
    "[[a]]",
    "[a.b]",
    "[[a.b]]",
    "[a.b.c]",
    "[b]",
    "[[b.c]]",
    "a = 1",
    "b = [{}, 2]",
    "c = { a = { b = 1 } }",
    "b.a = 3",
    "a = {}",
    "b = []",
    "[a.c]",
    "\"b\" = '''\n'''",
    "[c]",
];
