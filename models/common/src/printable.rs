//! Text from files of strangers, safe for terminals.
//!
//! A control character in a name can move the cursor, change the title of a window or, in some terminals, type a
//! command. Characters that change the direction of text can show a name that is not there.

use std::borrow::Cow;

/// Returns `true` for characters that a terminal acts upon rather than shows. Ends of lines and tabs are none.
#[must_use]
pub const fn is_control(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Marks, embeddings, overrides and isolates of bidirectional text, and separators of lines and paragraphs.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => false,
    }
}

/// Returns a text with `\u{..}` for each control character.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_control(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_control_characters_change() {
        let names = [
            ("Zürich → 東京\t1\n", "Zürich → 東京\t1\n"),
            ("\u{1b}]0;owned\u{7}node", "\\u{1b}]0;owned\\u{7}node"),
            ("a\rb\u{9b}2J\u{202e}c", "a\\u{d}b\\u{9b}2J\\u{202e}c"),
        ];
        for (name, shown) in names {
            assert_eq!(printable(name), shown);
        }
    }
}
