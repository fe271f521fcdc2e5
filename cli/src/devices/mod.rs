//! `imminent devices`.

mod canary;
mod listing;
mod text;

use crate::{Failure, print, print_json, print_text};
use clap::Args;
use imminent::{BACKENDS, BackendName};
use listing::{BackendListing, Listing};
use std::str::FromStr;

/// Options of `imminent devices`.
#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Only search for the devices of this backend, without output: a parent process checks that this works.
    #[arg(long, hide = true, value_name = "NAME")]
    only_look: Option<String>,
}

impl Devices {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(name) = &self.only_look {
            let backend = BackendName::from_str(name).map_err(Failure::usage)?;
            drop(imminent::devices_of(backend));
            return Ok(());
        }
        // Drivers are foreign code: a crash would lose the whole list.
        let looks = BACKENDS.map(|backend| (backend, canary::send(backend)));
        let list = |(backend, look): (BackendName, canary::Look)| match look.reason() {
            None => BackendListing::of(imminent::devices_of(backend)),
            Some(reason) => {
                BackendListing { backend, short: Some(reason.clone()), reason: Some(reason), devices: Vec::new() }
            }
        };
        let listing = Listing { backends: looks.into_iter().map(list).collect() };
        if self.json { print_json(&listing) } else { print_text(&text::text(&listing, print::columns())) }
    }
}
