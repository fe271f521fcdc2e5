//! Options of benchmarks and figures, as the type of their values describes them.

use super::description::Domain;
use super::key;
use super::keys::{Key, Keys};
use imminent_common::toml_text::{Table, Value as Tree};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Options, as the type of their values describes them.
#[derive(Debug)]
pub struct Options(Keys);

/// Values of options that were given.
pub type Read = Table;

/// Option with a type.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedOption {
    /// Name, as in `--seconds`.
    pub name: String,
    /// Sentence.
    pub about: String,
    /// Unit of its value; empty for one without.
    pub unit: String,
    /// Value where none is given; none if the command chooses it.
    pub default: Option<String>,
    /// `true` for an option without a value.
    pub is_flag: bool,
}

impl Options {
    /// Derives options from the type of their values.
    #[must_use]
    pub fn of<O: JsonSchema + Serialize + DeserializeOwned + Default + 'static>() -> Self {
        Self(Keys::of::<O>())
    }

    /// Returns all options.
    #[must_use]
    pub fn all(&self) -> Vec<TypedOption> {
        let option = |key: Key| TypedOption {
            default: key::find(self.0.defaults(), &key.name)
                .ok()
                .flatten()
                .map(written)
                .filter(|text| !text.is_empty() && text != "false"),
            is_flag: key.domain == Some(Domain::Boolean) && key.default.is_some(),
            name: key.name,
            about: key.about,
            unit: key.unit,
        };
        self.0.all().into_iter().map(option).collect()
    }

    /// Reads names of options with the texts of their values, which are empty for flags.
    ///
    /// # Errors
    /// A text that names the option, its value, and what it takes.
    pub fn read<'t>(&self, given: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Read, String> {
        let mut table = Read::new();
        for (name, text) in given {
            let taken = self.0.key(name).ok_or_else(|| format!("--{name}: there is no such option"));
            let value = self.value(&taken?, text).map_err(|takes| format!("--{name} {text}: takes {takes}"))?;
            table.insert(name.to_owned(), value);
        }
        Ok(table)
    }

    /// Parses a value, or a list of values that are separated by commas. Returns what is taken if that is not possible.
    fn value(&self, key: &Key, text: &str) -> Result<Tree, String> {
        if key.domain.is_some() {
            return single(key, text);
        }
        let element = self.0.key(&format!("{}[0]", key.name)).ok_or_else(|| "nothing that has a text".to_owned())?;
        let list = text.split(',').map(|part| single(&element, part)).collect::<Result<_, _>>();
        list.map(Tree::List).map_err(|takes| format!("{takes}, separated by commas"))
    }
}

/// Parses a single value, and converts it to TOML.
fn single(key: &Key, text: &str) -> Result<Tree, String> {
    let text = if text.is_empty() && key.domain == Some(Domain::Boolean) { "true" } else { text };
    key.read(text).map(|value| key::to_toml(&value))
}

/// Returns the text of a value on a command line.
fn written(value: &Tree) -> String {
    match value {
        Tree::List(values) => values.iter().map(written).collect::<Vec<_>>().join(","),
        Tree::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[derive(Debug, Serialize, serde::Deserialize, JsonSchema, PartialEq)]
    #[serde(default, deny_unknown_fields)]
    struct Own {
        /// Numbers of nodes.
        #[schemars(inner(range(min = 2)))]
        nodes: Vec<u32>,
        /// Rate.
        rate: Option<f64>,
        /// Beside the oracle.
        sequential: bool,
    }

    impl Default for Own {
        fn default() -> Self {
            Own { nodes: vec![50, 200], rate: None, sequential: false }
        }
    }

    #[test]
    fn options_are_those_of_their_type() {
        let options = Options::of::<Own>();
        let all = options.all();
        let told: Vec<_> = all.iter().map(|of| (of.name.as_str(), of.default.as_deref(), of.is_flag)).collect();
        assert_eq!(told, [("nodes", Some("50,200"), false), ("rate", None, false), ("sequential", None, true)]);
        let given = options.read([("nodes", "2,30"), ("rate", "0.5"), ("sequential", "")]).unwrap();
        let own: Own = key::parse(&given).unwrap();
        assert_eq!(own, Own { nodes: vec![2, 30], rate: Some(0.5), sequential: true });
        let refused = |name, text| options.read([(name, text)]).unwrap_err();
        let nodes = refused("nodes", "30,1");
        assert!(nodes.starts_with("--nodes 30,1: takes whole numbers from 2 to "), "{nodes}");
        assert_eq!(refused("rate", "fast"), "--rate fast: takes numbers");
    }
}
