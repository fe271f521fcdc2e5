//! `imminent devices`.

mod listing;
mod search;
mod text;

use clap::Args;
use imminent_console::backends::backends;
use imminent_console::{
    Failure, print,
    print::{print_json, print_text},
};
pub(crate) use listing::Listing;
#[cfg(feature = "conformance")]
pub(crate) use listing::{BackendListing as Listed, DeviceListing};
use std::time::{Duration, Instant};
#[cfg(feature = "conformance")]
pub(crate) use text::{floats, memory};

/// Time for listing and probing the devices. Drivers that compile the probes in software need seconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Options of `imminent devices`.
#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Only search for the devices of this backend, and probe those after the first COUNT: for a parent process.
    #[arg(long, hide = true, num_args = 2, value_names = ["NAME", "COUNT"])]
    only_look: Vec<String>,
}

impl Devices {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let [name, count] = self.only_look.as_slice() {
            backends().get(name).map_err(Failure::usage)?;
            let skipped = count.parse().map_err(|error| Failure::usage(format!("--only-look {count}: {error}")))?;
            return search::write_lines(name, skipped);
        }
        let listing = look(PATIENCE);
        if self.json { print_json(&listing) } else { print_text(&text::text(&listing, print::columns())) }
    }
}

/// Lists and probes the devices of every backend at the same time. A driver that does not return is given up.
pub(crate) fn look(time: Duration) -> Listing {
    let until = Instant::now() + time;
    let backends = std::thread::scope(|scope| {
        let search = |backend| move || search::list(backend, until);
        let start = |backend| (std::thread::Builder::new().spawn_scoped(scope, search(backend)), backend);
        let searches: Vec<_> = backends().iter().map(start).collect();
        // Without a thread, one after the other.
        let list = |(thread, backend): (std::io::Result<std::thread::ScopedJoinHandle<'_, _>>, _)| {
            let listed = thread.ok().and_then(|thread| thread.join().ok());
            listed.unwrap_or_else(|| search::list(backend, until))
        };
        searches.into_iter().map(list).collect()
    });
    Listing { backends }
}
