//! `imminent devices`.

mod canary;
mod listing;
mod text;

use clap::Args;
use imminent_console::backends::backends;
use imminent_console::{
    Failure, print,
    print::{print_json, print_text},
};
use listing::BackendListing;
pub(crate) use listing::Listing;
#[cfg(feature = "conformance")]
pub(crate) use listing::{BackendListing as Listed, DeviceListing};
#[cfg(feature = "conformance")]
pub(crate) use text::{floats, memory};

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
            backends().get(name).map_err(Failure::usage)?;
            drop(backends().devices_of(name));
            return Ok(());
        }
        let listing = look();
        if self.json { print_json(&listing) } else { print_text(&text::text(&listing, print::columns())) }
    }
}

/// Lists the devices of every backend.
pub(crate) fn look() -> Listing {
    // Drivers are foreign code: a crash would lose the whole list.
    let looks: Vec<_> = backends().iter().map(|backend| (backend.name(), canary::send(backend))).collect();
    let list = |(backend, look): (&str, canary::Look)| match look.reason() {
        None => BackendListing::of(backends().devices_of(backend)),
        Some(reason) => BackendListing {
            backend: backend.to_owned(),
            short: Some(reason.clone()),
            reason: Some(reason),
            devices: Vec::new(),
        },
    };
    Listing { backends: looks.into_iter().map(list).collect() }
}
