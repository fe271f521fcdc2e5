//! Routes of the packets of the first replication: their transmissions.

use super::named::{NameOf, named};
use crate::Network;
use crate::sequential::{self, Transmission};
use imminent_common::sheet::{Of, Sheet};
use imminent_study::outcome::Rows;

/// Option for the table of routes, and name of the table.
pub(super) const ROUTES: &str = "routes";

/// Largest number of transmissions in the table.
pub(super) const MOST: usize = 1 << 22;

/// Memory of the table in bytes, as it is made and as it is written.
pub(super) const BYTES: u64 = 2 * (MOST * size_of::<Transmission>()) as u64;

/// Simulates the first replication event by event, as long as `goes_on` returns `true`. Returns its routes, and a
/// warning if they are not complete.
pub(super) fn routes(network: &Network, goes_on: impl FnMut() -> bool) -> Option<(Box<dyn Sheet>, Option<String>)> {
    let rows = sequential::transmissions(network, 0, MOST, goes_on)?;
    let warning = (rows.len() == MOST).then(|| {
        format!("--{ROUTES}: the table ends with transmission {MOST}; a shorter horizon or a warm-up leaves fewer")
    });
    Some((named(network, Rows { name: ROUTES, columns: &COLUMNS, rows }, &NAMES), warning))
}

/// Columns of routes. Times are in seconds. Packets of a routing protocol have no flow, and a broadcast no receiver.
const COLUMNS: [(&str, Of<Transmission>); 12] = [
    ("packet", Of::Count(|row| row.packet)),
    ("kind", Of::Text(|row| row.kind.name().to_owned())),
    ("flow", Of::Number(|row| row.flow.map(f64::from))),
    ("origin", Of::Count(|row| row.origin.into())),
    ("destination", Of::Count(|row| row.destination.into())),
    ("hop", Of::Count(|row| row.hop)),
    ("from", Of::Count(|row| row.from.into())),
    ("to", Of::Number(|row| row.to.map(f64::from))),
    ("begin", Of::Number(|row| Some(row.begin as f64 / 1e6))),
    ("end", Of::Number(|row| Some(row.end as f64 / 1e6))),
    ("mode", Of::Text(|row| row.mode.name().to_owned())),
    ("arrived", Of::Count(|row| row.received.into())),
];

/// Columns of names.
const NAMES: [NameOf<Transmission>; 4] = [
    ("origin_name", |row| Some(row.origin)),
    ("destination_name", |row| Some(row.destination)),
    ("from_name", |row| Some(row.from)),
    ("to_name", |row| row.to),
];
