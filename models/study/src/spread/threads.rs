//! Several devices of one machine, a thread each.

use super::Station;
use super::crew::{Crew, Order, Told};
use super::direct::{Tally, direct};
use super::serve::serve;
use crate::laboratory::{Fault, Laboratory, News};
use crate::runs::Runs;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Carries out runs on several devices at once, each of which takes some when it is free. One that fails leaves its
/// runs to the others.
///
/// ```no_run
/// # use imminent_study::spread::{Spread, Station};
/// # fn stations() -> Vec<Station> { vec![] }
/// let mut laboratory = Spread::over(stations());
/// // conduct(&study, &mut results, &mut laboratory, ..)
/// for tally in laboratory.tallies() {
///     println!("{}: {} runs", tally.who.name, tally.runs);
/// }
/// ```
#[derive(Debug)]
pub struct Spread {
    stations: Vec<Station>,
    tallies: Vec<Tally>,
}

impl Spread {
    /// Over these devices.
    #[must_use]
    pub fn over(stations: Vec<Station>) -> Self {
        Self { tallies: stations.iter().map(|station| Tally::of(&station.who)).collect(), stations }
    }

    /// Returns the work that each device did so far.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }
}

/// The ways to threads and back.
pub(super) struct Threads {
    pub(super) orders: Vec<Sender<Order>>,
    pub(super) told: Receiver<(usize, Told)>,
}

impl Crew for Threads {
    fn order(&mut self, worker: usize, order: Order) -> Result<(), Fault> {
        if let Some(orders) = self.orders.get(worker) {
            // One that is gone has said so.
            let _ = orders.send(order);
        }
        Ok(())
    }

    fn hear(&mut self, at_most: Duration) -> Result<Option<(usize, Told)>, Fault> {
        match self.told.recv_timeout(at_most) {
            Ok(told) => Ok(Some(told)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the threads that carry out runs are gone".into()),
        }
    }
}

impl Laboratory for Spread {
    fn run(&mut self, runs: &Runs<'_>, tell: &mut dyn FnMut(News) -> ControlFlow<()>) -> Result<(), Fault> {
        let study = runs.study();
        let (say, told) = channel();
        std::thread::scope(|scope| {
            let mut orders = vec![];
            for (worker, station) in self.stations.iter_mut().enumerate() {
                let (order, ordered) = channel();
                orders.push(order);
                let say = say.clone();
                scope.spawn(move || {
                    serve(station.laboratory.as_mut(), study, &ordered, &mut |told| drop(say.send((worker, told))));
                });
            }
            drop(say);
            // Without anybody to give orders, threads end.
            direct(&mut Threads { orders, told }, runs.numbers(), &mut self.tallies, tell)
        })
    }
}
