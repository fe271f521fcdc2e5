//! Messages in the words of Python: they name arguments as calls have them, `by_class` for `--by-class`.

use imminent::models::study::{MeasuredExperiments, Model};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Arguments of a model, which are looked up when a message first names one.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    model: &'a Arc<dyn Model>,
    arguments: OnceCell<BTreeSet<String>>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(model: &'a Arc<dyn Model>) -> Self {
        Self { model, arguments: OnceCell::new() }
    }

    /// Rewrites the arguments in a message. Options of other programs, and of this one alone, stay as they are.
    pub(crate) fn apply(&self, message: &mut String) {
        if !message.contains("--") {
            return;
        }
        let arguments = self.arguments.get_or_init(|| {
            let measured = MeasuredExperiments::new(self.model);
            let options = self.model.experiments().unwrap_or(&measured).options();
            let options: Vec<String> = options.iter().map(|option| option.name.to_owned()).collect();
            let keys = self.model.keys().short_names(options.clone());
            options.into_iter().chain(keys.into_iter().map(|(name, _)| name)).collect()
        });
        *message = rewritten(message, |name| arguments.contains(name));
    }
}

/// Rewrites the arguments in a message that are known.
fn rewritten(message: &str, is_argument: impl Fn(&str) -> bool) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let (name, rest) = part.split_at(part.find(|letter| !is_of_name(letter)).unwrap_or(part.len()));
        if !text.ends_with(is_of_name) && is_argument(name) {
            text += &name.replace('-', "_");
        } else {
            text += "--";
            text += name;
        }
        text += rest;
    }
    text
}
