//! Execution on all ranks, as rank 0 directs it.

use super::{Hello, NAP, RankError, Ranks};
use crate::laboratory::{Fault, Laboratory, Update};
use crate::plan::Study;
use crate::runs::Runs;
use crate::spread::Tally;
use crate::spread::direct::direct;
use crate::spread::orders::{Order, Report, Workers};
use crate::spread::serve::serve_apart;
use crate::spread::threads::Threads;
use crate::spread::{Identity, Station};
use imminent_core::clock::Instant;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Laboratory that executes runs on all ranks.
#[derive(Debug)]
pub struct Across<'r> {
    ranks: &'r Ranks,
    study: &'r Study,
    station: Station,
    /// Work of each rank.
    tallies: Vec<Tally>,
}

impl Ranks {
    /// Waits until all other ranks have sent their identities, and returns the laboratory of rank 0. Ranks that cannot
    /// take part are lost from the beginning.
    ///
    /// # Errors
    /// [`RankError::Unintelligible`].
    pub fn across<'r>(&'r self, study: &'r Study, mut station: Station) -> Result<Across<'r>, RankError> {
        station.identity = station.identity.of_rank(0);
        let fingerprint = study.fingerprint();
        let mut tallies = vec![Tally::of(&station.identity)];
        for rank in 1..self.count() {
            let tally = match self.wait_for::<Hello>(rank)? {
                Ok((identity, theirs)) => {
                    let differences = fingerprint.differences(&theirs);
                    let another = || format!("it has another study: {} there", differences.join(", "));
                    Tally { lost: (!differences.is_empty()).then(another), ..Tally::of(&identity) }
                }
                Err(problem) => Tally { lost: Some(problem), ..Tally::of(&Identity::unknown().of_rank(rank)) },
            };
            tallies.push(tally);
        }
        Ok(Across { ranks: self, study, station, tallies })
    }
}

impl Across<'_> {
    /// Returns the work that each rank did so far.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }
}

/// Workers: the own device as worker 0, and the devices of other ranks.
struct All<'r> {
    ranks: &'r Ranks,
    own: Threads,
}

impl Workers for All<'_> {
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault> {
        if worker == 0 {
            return self.own.order(0, order);
        }
        self.ranks.send(worker, &order);
        Ok(())
    }

    fn receive(&mut self, at_most: Duration) -> Result<Option<(usize, Report)>, Fault> {
        let began = Instant::now();
        loop {
            if let Some(report) = self.ranks.receive()? {
                return Ok(Some(report));
            }
            // The own thread is gone once it is lost.
            if let Ok(report) = self.own.reports.try_recv() {
                return Ok(Some(report));
            }
            if began.elapsed() >= at_most {
                return Ok(None);
            }
            std::thread::sleep(NAP);
        }
    }
}

impl Laboratory for Across<'_> {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let (order, orders) = channel();
        let (send, reports) = channel();
        let (study, station) = (self.study, &mut self.station);
        std::thread::scope(|scope| {
            let report = move |report| drop(send.send((0, report)));
            serve_apart(scope, (station.laboratory.as_mut(), study), orders, report);
            let mut all = All { ranks: self.ranks, own: Threads { orders: vec![order], reports } };
            direct(&mut all, runs.numbers(), &mut self.tallies, observer)
        })
    }
}
