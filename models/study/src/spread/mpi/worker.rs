//! Execution of the orders of rank 0 on another rank.

use super::{NAP, RankError, Ranks};
use crate::plan::Study;
use crate::spread::Station;
use crate::spread::orders::Order;
use crate::spread::serve::serve_apart;
use std::sync::mpsc::{TryRecvError, channel};

impl Ranks {
    /// Executes orders of rank 0 until the order to end. If `ready` is an error, the rank reports it to rank 0 and
    /// executes no runs.
    ///
    /// # Errors
    /// [`RankError::Unintelligible`].
    pub fn serve(&self, ready: Result<(&Study, Station), String>) -> Result<(), RankError> {
        let (study, mut station) = match ready {
            Ok(ready) => ready,
            Err(problem) => {
                self.send(0, &super::Hello::Err(problem));
                while self.wait_for::<Order>(0)? != Order::End {}
                return Ok(());
            }
        };
        let identity = station.identity.of_rank(self.rank());
        self.send(0, &super::Hello::Ok((identity, study.fingerprint().to_string())));
        let (order, orders) = channel();
        let (send, reports) = channel();
        std::thread::scope(|scope| {
            let report = move |report| drop(send.send(report));
            serve_apart(scope, (station.laboratory.as_mut(), study), orders, report);
            loop {
                let mut idle = true;
                match reports.try_recv() {
                    Ok(report) => {
                        self.send(0, &report);
                        idle = false;
                    }
                    // The thread has ended, and its last report was received.
                    Err(TryRecvError::Disconnected | TryRecvError::Empty) => {}
                }
                if let Some((_, given)) = self.receive::<Order>()? {
                    let ends = given == Order::End;
                    // A thread that is gone has said so.
                    let _ = order.send(given);
                    if ends {
                        drop(order);
                        return Ok(());
                    }
                    idle = false;
                }
                if idle {
                    std::thread::sleep(NAP);
                }
            }
        })
    }
}
