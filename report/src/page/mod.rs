//! HTML pages for people: self-contained, readable on light and dark backgrounds.
//!
//! Pages are also well-formed XML, so tests and programs can parse them.

mod answer;
mod links;
pub mod map;
mod nodes;
mod origin;
mod plots;
pub mod sortable;

pub use answer::answer;
pub use imminent_common::answer::Answer;
pub use links::link_map;
pub use nodes::node_map;
pub use origin::{Origin, set_version};
pub use plots::{columns, plot};

use std::fmt::Write;

/// Begins a page that this process makes: its heading, and its [origin](Origin).
pub fn begin(title: &str) -> String {
    begin_from(title, &Origin::of_process())
}

/// Begins a page with a given origin.
pub fn begin_from(title: &str, origin: &Origin) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width\"/><title>{title}</title><style>{}</style></head><body>\n<h1>{title}</h1>\n{}",
        include_str!("style.css"),
        origin.html()
    )
}

/// Writes a table of names and values.
pub fn summary(page: &mut String, facts: &[(&str, String)]) {
    page.push_str("<table class=\"summary\"><tbody>");
    for (name, value) in facts {
        let _ = write!(page, "<tr><th>{name}</th><td>{}</td></tr>", escape(value));
    }
    page.push_str("</tbody></table>\n");
}

/// Embeds a PNG picture with a caption.
pub fn picture(png: &[u8], caption: &str) -> String {
    let caption = escape(caption);
    format!(
        "<figure><img alt=\"{caption}\" style=\"max-width: 100%\" src=\"data:image/png;base64,{}\"/><figcaption>{caption}</figcaption></figure>\n",
        base64(png)
    )
}

/// Encodes bytes in base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0_usize, |word, place| word << 8 | usize::from(group.get(place).copied().unwrap_or(0)));
        for place in 0..4 {
            let digit = DIGITS.get(word >> (18 - 6 * place) & 63).copied().unwrap_or(b'=');
            text.push(char::from(if place <= group.len() { digit } else { b'=' }));
        }
    }
    text
}

/// Writes a warning that readers need before they trust a page.
pub fn warning(text: &str) -> String {
    format!("<p class=\"warning\">{}</p>\n", escape(text))
}

/// Escapes text for XML and HTML; characters that XML cannot contain become question marks.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn base_64_has_the_test_vectors_of_its_standard() {
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in vectors {
            assert_eq!(super::base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escape("a\u{0}b\u{1b}<c>\u{ffff}\t"), "a?b?&lt;c&gt;?\t");
    }
}
