//! Runs of many simulations by several threads, each of which takes one after another.

use super::look::{Look, PAUSE};
use super::run::Ran;
use super::simulation::Simulation;
use crate::contract::Events;
use imminent_core::fault::NativeFault;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};

/// Runs simulations until all are over or the run is cancelled. Returns the first fault that a thread reports.
pub(super) fn share<E: Events>(
    simulations: Vec<&mut Simulation<E>>,
    threads: usize,
    look: &mut Look<'_>,
) -> Option<NativeFault> {
    let others = threads.min(simulations.len()).saturating_sub(1);
    let waiting = Mutex::new(simulations.into_iter());
    let stop = AtomicBool::new(false);
    let next = || match stop.load(Ordering::Relaxed) {
        true => None,
        false => waiting.lock().unwrap_or_else(PoisonError::into_inner).next(),
    };
    let mut first = None;
    std::thread::scope(|scope| {
        let (sender, receiver) = channel::<Ran>();
        for _ in 0..others {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while let Some(simulation) = next() {
                    // The calling thread listens until all others have ended.
                    let _ = sender.send(simulation.run(&mut |_| stop.load(Ordering::Relaxed)));
                }
            });
        }
        drop(sender);
        let mut add = |ran: Ran, look: &mut Look<'_>| {
            look.add(ran.steps);
            if let Some(fault) = ran.fault {
                first.get_or_insert(fault);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let see = |steps, look: &mut Look<'_>| {
            let is_cancelled = look.at(steps);
            if is_cancelled {
                stop.store(true, Ordering::Relaxed);
            }
            is_cancelled || stop.load(Ordering::Relaxed)
        };
        while let Some(simulation) = next() {
            let ran = simulation.run(&mut |steps| see(steps, look));
            add(ran, look);
            receiver.try_iter().for_each(|ran| add(ran, look));
        }
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(ran) => add(ran, look),
                Err(RecvTimeoutError::Timeout) => drop(see(0, look)),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    first
}
