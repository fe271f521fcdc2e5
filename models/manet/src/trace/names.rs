//! Names of nodes in comments of traces of ns-2.

use std::sync::Arc;

/// Mark in front of a node's name, in the comment with which SUMO ends the line that tells when it enters.
const SUMO_ID: &str = "# SUMO-ID:";

/// Mark in front of a name that is written as a string of JSON.
const QUOTED: &str = "# NAME:";

/// Returns the comment that tells a name. The name can be read again, whatever its characters are.
pub(super) fn comment(name: &str) -> String {
    let is_plain = !name.is_empty() && name.trim() == name && !name.contains(char::is_control);
    match is_plain {
        true => format!("{SUMO_ID} {name}"),
        false => format!("{QUOTED} {}", serde_json::Value::from(name)),
    }
}

/// Divides a line into its order, and the name that a comment behind it tells.
pub(super) fn divide(line: &str) -> (&str, Option<Arc<str>>) {
    let places = [SUMO_ID, QUOTED].map(|mark| line.find(mark).map(|place| (place, mark)));
    let Some((place, mark)) = places.into_iter().flatten().min() else { return (line, None) };
    let (order, text) = (&line[..place], line[place + mark.len()..].trim());
    let name = match mark {
        QUOTED => serde_json::from_str::<String>(text).ok(),
        _ => Some(text.replace(char::is_control, " ")).filter(|text| !text.is_empty()),
    };
    (order, name.map(Arc::from))
}
