//! Pages for people: self-contained HTML without anything outside it, readable on light and on dark.
//!
//! They are well-formed XML as well, so that tests, and programs, can parse them.

pub mod map;
pub mod sortable;

use std::fmt::Write;

/// The beginning of a page, up to its heading.
pub fn begin(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width\"/><title>{title}</title><style>{}</style></head><body>\n<h1>{title}</h1>\n",
        include_str!("style.css")
    )
}

/// A table of facts: what is known, and what it is.
pub fn summary(page: &mut String, facts: &[(&str, String)]) {
    page.push_str("<table class=\"summary\"><tbody>");
    for (name, value) in facts {
        let _ = write!(page, "<tr><th>{name}</th><td>{}</td></tr>", escape(value));
    }
    page.push_str("</tbody></table>\n");
}

/// Warning that a reader should know before believing a page.
pub fn warning(text: &str) -> String {
    format!("<p class=\"warning\">{}</p>\n", escape(text))
}

/// Text as it stands in XML and HTML; characters that XML cannot hold become question marks.
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
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(escape("a\u{0}b\u{1b}<c>\u{ffff}\t"), "a?b?&lt;c&gt;?\t");
    }
}
