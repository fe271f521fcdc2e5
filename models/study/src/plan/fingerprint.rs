//! Fingerprint of a study: everything that its runs depend on, in one line.

use super::Study;
use std::fmt;

/// Fingerprint of a study, aspect by aspect. Two studies with the same fingerprint have the same runs, by number.
///
/// How a study file is written, and what it calls the study, does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(Vec<(&'static str, String)>);

/// Aspect of the files that runs depend on.
const FILES: &str = "files";

impl Fingerprint {
    /// The names of aspects that are not as in a fingerprint that was written earlier; all of them where nothing can be
    /// made of that.
    #[must_use]
    pub fn differences(&self, written: &str) -> Vec<&'static str> {
        let parts: Vec<_> = written.split(' ').collect();
        let same = |(name, value): &&(&str, String)| parts.contains(&format!("{name}={value}").as_str());
        let differ = self.0.iter().filter(|aspect| !same(aspect)).map(|(name, _)| *name);
        // A study without files lacks this aspect.
        let had_files = parts.iter().any(|part| part.starts_with("files="));
        let lost = Some(FILES).filter(|files| had_files && self.0.iter().all(|(name, _)| name != files));
        differ.chain(lost).collect()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.0.iter().enumerate() {
            write!(f, "{}{name}={value}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Study {
    /// Returns the fingerprint of the study: everything that its runs depend on.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let (model, mut points) = (&self.description, blake3::Hasher::new());
        let mut line = |text: String| {
            points.update(text.as_bytes()).update(b"\n");
        };
        for (parameter, value) in model.parameters.iter().zip(&self.base) {
            line(format!("{}={}", parameter.name, value.canonical()));
        }
        for dimension in &self.dimensions {
            line(format!("{:?}", dimension.parameters));
            for row in &dimension.rows {
                let values: Vec<_> = row.values.iter().map(|value| value.canonical()).collect();
                line(format!("{values:?}"));
            }
        }
        let measures: Vec<_> = model.measures.iter().map(|measure| measure.name.as_str()).collect();
        let mut aspects = vec![
            ("model", format!("{}/{}", model.name, model.revision)),
            ("measures", short(blake3::hash(measures.join("\n").as_bytes()))),
            ("parameters", short(points.finalize())),
            ("repetitions", self.repetitions.to_string()),
            ("seed", self.seed.to_string()),
            ("common_random_numbers", self.common.to_string()),
        ];
        aspects.extend(self.files.hash().map(|hash| (FILES, short(hash))));
        Fingerprint(aspects)
    }
}

/// Sixteen digits of a hash.
fn short(hash: blake3::Hash) -> String {
    hash.to_hex().chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_new_or_gone_are_differences() {
        let of = |files: Option<&str>| {
            let aspects = [("seed", Some("1")), (FILES, files)];
            Fingerprint(aspects.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))).collect())
        };
        let difference = |now, written| of(now).differences(&of(written).to_string());
        assert_eq!((difference(None, None), difference(Some("a"), Some("a"))), (vec![], vec![]));
        for (now, written) in [(Some("a"), Some("b")), (Some("a"), None), (None, Some("a"))] {
            assert_eq!(difference(now, written), [FILES]);
        }
    }
}
