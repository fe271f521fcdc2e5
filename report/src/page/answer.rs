//! First table of a page: the question, the answer, and how sure it is.

use super::escape;
use imminent_common::answer::Answer;
use std::fmt::Write;

/// Writes the answer.
pub fn answer(page: &mut String, answer: &Answer) {
    let results: Vec<_> = answer.results.iter().map(|line| escape(line)).collect();
    let _ = writeln!(
        page,
        "<table class=\"summary answer\"><tbody><tr><th>Question</th><td>{}</td></tr><tr><th>Answer</th><td>{}</td></tr><tr><th>How sure</th><td>{}</td></tr></tbody></table>",
        escape(&answer.question),
        results.join("<br/>"),
        escape(&answer.certainty)
    );
}
