//! A program as a device backend keeps it: commands, and loops that are planned and prepared.

use super::command::{self, Command};
use super::head::has_loop;
use super::plan::{LoopPlan, not_a_command};
use super::run::{Ended, Steps, run};
use imminent_core::backend::{Backend, Node, QueueHandle};
use imminent_core::backend::{Outcome, Progress, Stop};
use imminent_core::{Error, Result};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Prepares the parts of a program, and runs its loops. The methods of [`Backend`] put everything outside loops on the
/// queue.
pub trait Player {
    /// A prepared loop.
    type Loop;
    /// A prepared loop that runs.
    type Steps<'p>: Steps
    where
        Self: 'p;

    /// Checks and compiles a node that is no loop, so that running it cannot fail for a reason known in advance.
    ///
    /// # Errors
    /// Fails if the node cannot be run.
    fn check(&mut self, command: &Node) -> Result<()>;

    /// Prepares the operations of a loop.
    ///
    /// # Errors
    /// Fails if one of them cannot be run.
    fn prepare(&mut self, plan: &LoopPlan) -> Result<Self::Loop>;

    /// Begins to run a loop: sets the head of its state to zero, behind the work that is on the queue.
    ///
    /// # Errors
    /// Errors of the driver.
    fn begin<'p>(&'p mut self, prepared: &'p mut Self::Loop) -> Result<Self::Steps<'p>>;
}

/// A part of a program.
#[derive(Debug)]
enum Item<L> {
    /// Put on the queue individually.
    Command(Box<Command>),
    /// Driven by the host, because a loop inside reports its outcome.
    Repeat(u32, Vec<Item<L>>),
    /// Driven by the device.
    Loop(Box<(LoopPlan, L)>),
}

/// A recorded program with prepared loops of type `L`.
#[derive(Debug)]
pub struct Recorded<L> {
    /// Locked while the program runs: its loops' state belongs to one replay at a time.
    items: Mutex<Vec<Item<L>>>,
}

impl<L> Recorded<L> {
    /// Plans and prepares everything that the nodes need.
    ///
    /// # Errors
    /// Errors of the player; [`Error::Limit`] for a step that is too long.
    pub fn new(player: &mut impl Player<Loop = L>, nodes: Vec<Node>) -> Result<Recorded<L>> {
        Ok(Recorded { items: Mutex::new(items(player, nodes)?) })
    }

    /// Runs the program on a queue, after the work that is there, and waits for it.
    ///
    /// # Errors
    /// Errors of earlier work on the queue; [`Error::Invalid`] if the program is already being replayed; errors of the
    /// player.
    pub fn replay(
        &self,
        (backend, queue): (&dyn Backend, &QueueHandle),
        player: &mut impl Player<Loop = L>,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        backend.finish(queue)?;
        let mut outcome = Outcome { steps: 0, stop: Stop::End };
        let mut command = |command: &mut Command| command::put((backend, queue), command.node());
        let _ = play(&mut command, player, &mut self.exclusive()?, progress, &mut outcome)?;
        backend.finish(queue)?;
        Ok(outcome)
    }

    /// Puts a program without loops on a queue, node by node. Each node is prepared when it comes for the second time.
    ///
    /// # Errors
    /// Errors of [`Backend::launch`]; [`Error::Invalid`] for a program with loops, or one that is being replayed.
    pub fn hand_over(&self, (backend, queue): (&dyn Backend, &QueueHandle)) -> Result<()> {
        for item in self.exclusive()?.iter_mut() {
            match item {
                Item::Command(command) => command.again((backend, queue))?,
                Item::Repeat(..) | Item::Loop(_) => return Err(not_a_command()),
            }
        }
        Ok(())
    }

    fn exclusive(&self) -> Result<MutexGuard<'_, Vec<Item<L>>>> {
        match self.items.try_lock() {
            Ok(items) => Ok(items),
            Err(TryLockError::Poisoned(items)) => Ok(items.into_inner()),
            Err(TryLockError::WouldBlock) => {
                let reason = "it is being replayed already: record it twice to run it twice at once";
                Err(Error::invalid("program", reason))
            }
        }
    }
}

fn items<P: Player>(player: &mut P, nodes: Vec<Node>) -> Result<Vec<Item<P::Loop>>> {
    nodes.into_iter().map(|node| item(player, node)).collect()
}

fn item<P: Player>(player: &mut P, node: Node) -> Result<Item<P::Loop>> {
    let plan = match node {
        Node::Repeat { times, body } if has_loop(&body) => return Ok(Item::Repeat(times, items(player, body)?)),
        Node::Repeat { times, body } => LoopPlan::of_repetition(body, times)?,
        Node::LoopUntil(one) => LoopPlan::of_loop(&one)?,
        command => {
            player.check(&command)?;
            return Ok(Item::Command(Box::new(Command::new(command))));
        }
    };
    let prepared = player.prepare(&plan)?;
    Ok(Item::Loop(Box::new((plan, prepared))))
}

/// Runs items in order; breaks if the program was cancelled.
fn play<P: Player>(
    command: &mut dyn FnMut(&mut Command) -> Result<()>,
    player: &mut P,
    items: &mut [Item<P::Loop>],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    outcome: &mut Outcome,
) -> Result<ControlFlow<()>> {
    for item in items {
        match item {
            Item::Command(one) => command(one)?,
            Item::Repeat(times, body) => {
                for _ in 0..*times {
                    if play(command, player, body, progress, outcome)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Item::Loop(one) => {
                let (plan, prepared) = &mut **one;
                let mut quiet = |_: Progress| ControlFlow::Continue(());
                let observer: &mut dyn FnMut(Progress) -> ControlFlow<()> =
                    if plan.is_repetition() { &mut quiet } else { progress };
                let Ended { steps, stop } = run(&mut player.begin(prepared)?, plan, observer)?;
                if !plan.is_repetition() {
                    *outcome = Outcome { steps, stop };
                }
                if stop == Stop::Cancelled {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
