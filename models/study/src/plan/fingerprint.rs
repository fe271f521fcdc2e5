//! Fingerprint of a study: everything that its runs depend on, in one line.

use super::Study;
use std::fmt;

/// Fingerprint of a study, aspect by aspect. Two studies with the same fingerprint have the same runs, by number.
///
/// How a study file is written, and what it calls the study, does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(Vec<(&'static str, String)>);

impl Fingerprint {
    /// The names of aspects that are not as in a fingerprint that was written earlier; all of them where nothing can be
    /// made of that.
    #[must_use]
    pub fn differences(&self, written: &str) -> Vec<&'static str> {
        let parts: Vec<_> = written.split(' ').collect();
        let same = |(name, value): &&(&str, String)| parts.contains(&format!("{name}={value}").as_str());
        self.0.iter().filter(|aspect| !same(aspect)).map(|(name, _)| *name).collect()
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
        Fingerprint(vec![
            ("model", format!("{}/{}", model.name, model.revision)),
            ("measures", short(blake3::hash(measures.join("\n").as_bytes()))),
            ("parameters", short(points.finalize())),
            ("repetitions", self.repetitions.to_string()),
            ("seed", self.seed.to_string()),
            ("common_random_numbers", self.common.to_string()),
        ])
    }
}

/// Sixteen digits of a hash.
fn short(hash: blake3::Hash) -> String {
    hash.to_hex().chars().take(16).collect()
}
