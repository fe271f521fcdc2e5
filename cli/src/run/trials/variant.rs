//! Configurations with names: files, and variants of a file.

use super::{TrialArgs, configured};
use imminent::models::study::{Configuration, Model};
use imminent_console::Failure;
use std::path::PathBuf;

/// Option that gives a variant of the file.
pub(in crate::run) const VARIANT: &str = "variant";

/// Configuration with a name.
#[derive(Debug, Clone)]
pub(in crate::run) struct Variant {
    pub(in crate::run) name: String,
    pub(in crate::run) configuration: Configuration,
    /// Keys and texts of the values that make the variant.
    pub(in crate::run) values: Vec<(String, String)>,
}

impl Variant {
    /// Returns this configuration with other values.
    pub(in crate::run) fn with(
        &self,
        name: String,
        values: Vec<(String, String)>,
        option: &str,
    ) -> Result<Self, Failure> {
        let mut configuration = self.configuration.clone();
        for (key, text) in &values {
            let set = configuration.set_text(key, text);
            set.map_err(|problem| Failure::usage(format!("--{option} {key}={text}: {problem}")))?;
        }
        Ok(Self { name, configuration, values })
    }
}

/// Reads the only file of a command.
pub(in crate::run) fn base(model: &dyn Model, args: &TrialArgs) -> Result<Variant, Failure> {
    let file = args.matches.get_one::<PathBuf>("FILE").ok_or_else(|| Failure::usage("FILE: give a configuration"))?;
    let (name, configuration) = (file.display().to_string(), configured(model, file, args)?);
    Ok(Variant { name, configuration, values: vec![] })
}

/// Reads all files of a command, or its only file with its variants.
pub(in crate::run) fn read(model: &dyn Model, args: &TrialArgs) -> Result<Vec<Variant>, Failure> {
    let files: Vec<&PathBuf> = args.matches.get_many::<PathBuf>("FILE").into_iter().flatten().collect();
    let variants: Vec<&str> = args.all(VARIANT).collect();
    if let ([_, _, ..], [first, ..]) = (files.as_slice(), variants.as_slice()) {
        let problem = "it is a variant of one file: give one FILE, or write the variants as files";
        return Err(Failure::usage(format!("--{VARIANT} {first}: {problem}")));
    }
    if let ([_], []) = (files.as_slice(), variants.as_slice()) {
        return Err(Failure::usage("FILE: give two configurations or more, or variants of one by --variant"));
    }
    let read = |file: &&PathBuf| {
        let (name, configuration) = (file.display().to_string(), configured(model, file, args)?);
        Ok(Variant { name, configuration, values: vec![] })
    };
    let mut all = files.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let Some(base) = all.first().cloned() else { return Ok(all) };
    for text in variants {
        let (name, values) = parse(text).ok_or_else(|| {
            let example = "10-agents:network.node[0].servers=10,network.node[0].mean=3";
            Failure::usage(format!("--{VARIANT} {text}: write it as NAME:KEY=VALUE,KEY=VALUE, for instance {example}"))
        })?;
        if all.iter().any(|other| other.name == name) {
            return Err(Failure::usage(format!(
                "--{VARIANT} {text}: a second variant is called '{name}': names must differ"
            )));
        }
        all.push(base.with(name, values, VARIANT)?);
    }
    Ok(all)
}

/// Parses `NAME:KEY=VALUE,KEY=VALUE`.
fn parse(text: &str) -> Option<(String, Vec<(String, String)>)> {
    let (name, values) = text.split_once(':')?;
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.to_owned()));
    let values = separated(values).into_iter().map(pair).collect::<Option<Vec<_>>>()?;
    (!name.is_empty()).then(|| (name.to_owned(), values))
}

/// Divides a text at commas that are in no brackets and no quotes.
pub(in crate::run) fn separated(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quote) = (vec![], 0, 0, None);
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                parts.extend(text.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_names_and_values() {
        let pairs = |text: &str| parse(text).map(|(_, values)| values).unwrap_or_default();
        let own = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(pairs("a:x[0].y=1,z=[1, 2]"), own(&[("x[0].y", "1"), ("z", "[1, 2]")]));
        assert_eq!(pairs("a:z={b=1,c='x,y'},d=2"), own(&[("z", "{b=1,c='x,y'}"), ("d", "2")]));
        assert_eq!(parse("a:x").map(|(name, _)| name), None);
        assert!(parse(":x=1").is_none() && parse("x=1").is_none());
    }
}
