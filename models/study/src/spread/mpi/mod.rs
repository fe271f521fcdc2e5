//! Ranks of MPI with a device each. Rank 0 distributes runs, collects their results, and executes some itself.
//!
//! All MPI functions are called by the thread that [joined](Ranks::join); laboratories have threads of their own. A
//! rank whose device fails, or whose study differs, reports that, and others execute its runs. If a process dies, MPI's
//! default error handler ends all others. The journal of rank 0 has the finished runs.

mod across;
mod worker;

pub use across::Across;

use super::Identity;
use super::orders::Order;
use mpi::point_to_point::{Destination as _, Message, Source as _, Status};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::traits::MatchedReceiveVec as _;
use mpi::{Threading, environment::Universe};
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;
use thiserror::Error;

/// Time between two checks for incoming messages.
const NAP: Duration = Duration::from_micros(200);

/// Communicator of the processes that execute a study together.
pub struct Ranks {
    world: SimpleCommunicator,
    /// Ranks on the same machine.
    neighbours: SimpleCommunicator,
    // MPI ends when it goes, after everything else.
    _universe: Universe,
}

/// First message of a rank: its identity and its study, or the reason why it cannot take part.
type Hello = Result<(Identity, String), String>;

/// Ranks that cannot work together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RankError {
    /// MPI was begun before in this process.
    #[error("MPI was begun before in this process: it can be only once")]
    Again,
    /// The MPI library does not let a process have threads.
    #[error("this MPI library does not let processes have threads: use one that provides MPI_THREAD_FUNNELED")]
    NoThreads,
    /// Something came that no rank of this version sends.
    #[error("rank {rank} sends what cannot be understood: run the same version of the program on all machines")]
    Unintelligible {
        /// The sender.
        rank: usize,
    },
}

impl Ranks {
    /// Joins the other ranks. Only the calling thread may use the result.
    ///
    /// # Errors
    /// [`RankError::Again`], [`RankError::NoThreads`].
    pub fn join() -> Result<Self, RankError> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Funneled).ok_or(RankError::Again)?;
        if threading < Threading::Funneled {
            return Err(RankError::NoThreads);
        }
        let world = universe.world();
        let neighbours = world.split_shared(world.rank());
        Ok(Self { world, neighbours, _universe: universe })
    }

    /// Returns the number of this rank, from 0.
    #[must_use]
    pub fn rank(&self) -> usize {
        usize::try_from(self.world.rank()).unwrap_or(0)
    }

    /// Returns the number of ranks.
    #[must_use]
    pub fn count(&self) -> usize {
        usize::try_from(self.world.size()).unwrap_or(1)
    }

    /// Returns the number of this rank among those of its machine, from 0, which is the index of its device.
    #[must_use]
    pub fn on_machine(&self) -> usize {
        usize::try_from(self.neighbours.rank()).unwrap_or(0)
    }

    fn send(&self, rank: usize, message: &impl Serialize) {
        // Plain data is always put into words.
        let bytes = postcard::to_stdvec(message).unwrap_or_default();
        if let Ok(rank) = i32::try_from(rank) {
            self.world.process_at_rank(rank).send(&bytes[..]);
        }
    }

    /// Receives a message from any rank, if one has arrived.
    fn receive<T: DeserializeOwned>(&self) -> Result<Option<(usize, T)>, RankError> {
        self.world.any_process().immediate_matched_probe().map(take).transpose()
    }

    /// Waits for the next message from a rank.
    fn wait_for<T: DeserializeOwned>(&self, rank: usize) -> Result<T, RankError> {
        let process = i32::try_from(rank).map_err(|_| RankError::Unintelligible { rank })?;
        let process = self.world.process_at_rank(process);
        loop {
            if let Some(message) = process.immediate_matched_probe() {
                return take(message).map(|(_, message)| message);
            }
            std::thread::sleep(NAP);
        }
    }
}

impl Drop for Ranks {
    /// Rank 0 announces to all others that no runs are left.
    fn drop(&mut self) {
        if self.rank() == 0 {
            for rank in 1..self.count() {
                self.send(rank, &Order::End);
            }
        }
    }
}

fn take<T: DeserializeOwned>(message: (Message, Status)) -> Result<(usize, T), RankError> {
    let rank = usize::try_from(message.1.source_rank()).unwrap_or(0);
    let (bytes, _) = message.matched_receive_vec::<u8>();
    let message = postcard::from_bytes(&bytes).map_err(|_| RankError::Unintelligible { rank })?;
    Ok((rank, message))
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ranks").field("rank", &self.rank()).field("count", &self.count()).finish_non_exhaustive()
    }
}
