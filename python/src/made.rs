//! Texts in TOML that Python made of values: errors tell their places by keys and names, for nobody sees their lines.

use std::collections::BTreeMap;
use toml::Value;

/// Returns the key of a line, from 1: `network.node[1].colour` in the second table of this name. Where a table begins,
/// it is the key of the table; that of the first table may stand for all, and has no number.
pub(crate) fn key(text: &str, line: usize) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut path, mut all) = (String::new(), String::new());
    let mut last = "";
    for line in text.lines().take(line) {
        last = line;
        let listed = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
        let single = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let Some(header) = listed.or(single) else { continue };
        let parts: Vec<&str> = header.split('.').collect();
        path.clear();
        for (place, part) in parts.iter().enumerate() {
            path = if path.is_empty() { (*part).to_owned() } else { format!("{path}.{part}") };
            all.clone_from(&path);
            if listed.is_some() && place + 1 == parts.len() {
                counts.entry(path.clone()).and_modify(|count| *count += 1).or_insert(0);
            }
            if let Some(count) = counts.get(&path) {
                path = format!("{path}[{count}]");
            }
        }
    }
    match last.split_once(" = ") {
        Some((own, _)) if path.is_empty() => own.to_owned(),
        Some((own, _)) => format!("{path}.{own}"),
        None if path.ends_with("[0]") => all,
        None => path,
    }
}

/// Returns a key with the name of the innermost table around it that has one: `network.node[1].mean ('desk')`.
pub(crate) fn named(text: &str, key: &str) -> String {
    let mut name = None;
    let mut value = toml::from_str::<toml::Table>(text).ok().map(Value::Table);
    for step in key.split(['.', '[']) {
        let Some(here) = value else { break };
        name = here.get("name").and_then(Value::as_str).map(str::to_owned).or(name);
        value = match step.strip_suffix(']').and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => here.get(number).cloned(),
            None => here.get(step).cloned(),
        };
    }
    name.map_or_else(|| key.to_owned(), |name| format!("{key} ('{name}')"))
}
