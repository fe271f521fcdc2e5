//! Answer of an experiment for readers who know the question alone, the first table of a report.

/// Question, answer, and how sure the answer is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Question, in one sentence.
    pub question: String,
    /// Most important results with their units, one a line.
    pub results: Vec<String>,
    /// Reasons why the answer is sure, or is not.
    pub certainty: String,
}
