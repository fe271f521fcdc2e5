//! Date and time at which fires begin.

use chrono::NaiveDateTime;

/// Forms of a date and time.
const FORMS: [&str; 4] = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"];

/// Reads a date and time; `None` of another text.
pub(super) fn read(text: &str) -> Option<NaiveDateTime> {
    FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text.trim(), form).ok())
}
