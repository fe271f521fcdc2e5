//! Several devices of one machine, a thread each.

use super::Station;
use super::direct::direct;
use super::orders::{Order, Report, Workers};
use super::serve::serve_apart;
use super::tally::Tally;
use crate::laboratory::{Fault, Laboratory, Update};
use crate::runs::Runs;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Laboratory that executes runs on several devices at once. Each device takes runs when it is free. If a device fails,
/// the others execute its runs.
///
/// ```no_run
/// # use imminent_study::spread::{Spread, Station};
/// # fn stations() -> Vec<Station> { vec![] }
/// let mut laboratory = Spread::over(stations());
/// // conduct(&study, &mut results, &mut laboratory, ..)
/// for tally in laboratory.tallies() {
///     println!("{}: {} runs", tally.identity.name, tally.runs);
/// }
/// ```
#[derive(Debug)]
pub struct Spread {
    stations: Vec<Station>,
    tallies: Vec<Tally>,
}

impl Spread {
    /// Creates a laboratory over these devices.
    #[must_use]
    pub fn over(stations: Vec<Station>) -> Self {
        Self { tallies: stations.iter().map(|station| Tally::of(&station.identity)).collect(), stations }
    }

    /// Returns the work that each device did so far.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }
}

/// Channels to worker threads and back.
pub(super) struct Threads {
    pub(super) orders: Vec<Sender<Order>>,
    pub(super) reports: Receiver<(usize, Report)>,
}

impl Workers for Threads {
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault> {
        if let Some(orders) = self.orders.get(worker) {
            // A worker that has ended has reported it.
            let _ = orders.send(order);
        }
        Ok(())
    }

    fn receive(&mut self, at_most: Duration) -> Result<Option<(usize, Report)>, Fault> {
        match self.reports.recv_timeout(at_most) {
            Ok(report) => Ok(Some(report)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the threads that carry out runs are gone".into()),
        }
    }
}

impl Laboratory for Spread {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let study = runs.study();
        let (send, reports) = channel();
        std::thread::scope(|scope| {
            let mut orders = vec![];
            for (worker, station) in self.stations.iter_mut().enumerate() {
                let (order, ordered) = channel();
                orders.push(order);
                let send = send.clone();
                let report = move |report| drop(send.send((worker, report)));
                serve_apart(scope, (station.laboratory.as_mut(), study), ordered, report);
            }
            drop(send);
            // Threads end when the channel of their orders is closed.
            direct(&mut Threads { orders, reports }, runs.numbers(), &mut self.tallies, observer)
        })
    }
}
