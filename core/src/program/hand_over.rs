//! Programs that are handed over: many launches at the host cost of one.

use super::assignment::Assignment;
use super::run::{Program, Ready, recording};
use super::step::Step;
use crate::device::Queue;
use crate::error::{Error, Result};

impl Program {
    /// Puts a program without loops on a queue of its device as one unit. Returns before it is done, as
    /// [`Queue::launch`] does. A sequence that a simulation repeats in parallel with the host's own work then costs the
    /// host one call (CUDA: a graph). Later work on the queue comes after it. So a program, and a
    /// [download](crate::Column::download) behind it, may be handed over several times before the first is waited for.
    ///
    /// A backend whose device is the host has run the program when this returns. A fault, or any other error of the
    /// device, is returned by the next call that waits. If the device runs the program as one unit, the nodes after one
    /// that raised a fault have no effect.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a program with `repeat` or `loop_until`, which [`Program::start_on`] runs, and for a
    /// queue of another device; [`Error::Poisoned`]; errors of the compilation and of the driver.
    pub fn hand_over(&mut self, queue: &Queue) -> Result<()> {
        if self.steps.iter().any(|step| matches!(step, Step::Repeat { .. } | Step::LoopUntil { .. })) {
            let reason = "it has a loop, which the host drives: start it, or record what is done once and hand that over again and again";
            return Err(Error::invalid("program", reason));
        }
        self.prepare(queue)?.hand_over()
    }
}

impl Ready {
    fn hand_over(self) -> Result<()> {
        let Ready { queue, steps, used, recorded, planned } = self;
        let turn = queue.state().enter(planned)?;
        used.check()?;
        let (recording, ends) = recording(&queue, &steps, &recorded, &used.touched)?;
        match queue.device().backend().hand_over(queue.handle(), &recording) {
            Ok(()) => {}
            // From a backend that has waited: the next call that waits returns the fault.
            Err(fault @ Error::Fault(_)) => {
                let settled = queue.state().settle(turn.number(), Err::<(), _>(fault));
                settled.unwrap_or_else(|fault| queue.state().defer(fault));
            }
            failed => return queue.state().settle(turn.number(), failed),
        }
        ends.iter().for_each(Assignment::settle);
        Ok(())
    }
}
