//! Nodes of a network, on the host and on a device.

use crate::context::Context;
use crate::kernels::bundles::network::{Facility, Line, Pace, Reach, Route};
use crate::operands::Operand;
use imminent_core::{Device, Error, Row, Table, TallyTable};
use rand_core::Rng;

const LANES: u32 = 3;
/// Number of slots of the tally of longest routes.
pub(super) const LONGEST: usize = 5;

/// Input of a launch.
pub(super) struct Input {
    pub(super) facilities: Vec<Facility>,
    pub(super) lines: Vec<Line>,
    pub(super) reaches: Vec<Reach>,
    pub(super) routes: Vec<Route>,
    pub(super) pace: Pace,
}

impl Input {
    /// Creates nodes with up to two routes each. The first route of a node is a multiple of 5, so no index is past the
    /// end of an array of four elements.
    pub(super) fn new(context: &Context<'_>, nodes: u32) -> Self {
        let mut rng = context.random(173);
        let mut below = |n: u32| rng.next_u32() % n;
        let routes = (0..2 * nodes).map(|_| Route { to: below(nodes), length: u64::from(below(50)) }).collect();
        let lines = (0..nodes).map(|id| {
            let mut line = Line { waiting: below(3), sum: 0, ..Line::zeroed(LANES) };
            (0..LANES).for_each(|lane| line.times.set(lane, u64::from(id * 10 + lane)));
            line
        });
        let lines = lines.collect();
        let facilities = (0..nodes).map(|_| Facility { served: 0, free: u64::random(&mut rng) % 1200, seen: [0; 4] });
        Input {
            facilities: facilities.collect(),
            lines,
            reaches: (0..nodes).map(|id| Reach { first: 2 * id - 2 * id % 5, count: id % 3 }).collect(),
            routes,
            pace: Pace { step: 7, limit: 1 },
        }
    }
}

/// Results of a launch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) facilities: Vec<Facility>,
    pub(super) lines: Vec<Line>,
    pub(super) visits: Vec<u32>,
    pub(super) longest: Vec<u32>,
    pub(super) returned: u64,
}

/// An input on a device.
pub(super) struct Tables {
    pub(super) facilities: Table<Facility>,
    pub(super) lines: Table<Line>,
    pub(super) reaches: Table<Reach>,
    pub(super) routes: Table<Route>,
    pub(super) visits: TallyTable<u32>,
    pub(super) longest: TallyTable<u32>,
}

impl Tables {
    pub(super) fn new(device: &Device, given: &Input) -> Result<Self, Error> {
        Ok(Tables {
            facilities: Table::from_rows(device, &given.facilities)?,
            lines: Table::from_rows(device, &given.lines)?,
            reaches: Table::from_rows(device, &given.reaches)?,
            routes: Table::from_rows(device, &given.routes)?,
            visits: TallyTable::new(device, &vec![0; given.facilities.len()])?,
            longest: TallyTable::new(device, &[0; LONGEST])?,
        })
    }

    pub(super) fn read(&self, returned: u64) -> Result<Outcome, Error> {
        Ok(Outcome {
            facilities: self.facilities.read()?,
            lines: self.lines.read()?,
            visits: self.visits.read()?,
            longest: self.longest.read()?,
            returned,
        })
    }
}
