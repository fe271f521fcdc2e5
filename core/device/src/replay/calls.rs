//! Calls of a loop: its commands and control operations as kernels, with their turns and fault slots.

use super::control::Control;
use super::plan::{LoopPlan, Task};
use crate::dispatch::{Kernel, Work};
use crate::fault_slots::{FaultSlots, WordMemory, launch_slots};
use imminent_core::backend::Node;
use imminent_core::{Error, Faults, Limit, Result};
use imminent_ir::launch::TURN_WORD;

/// Largest number of fault slots of a loop: their bytes are addressed by 32 bits.
const MAX_SLOTS: u32 = u32::MAX / 8;

/// Kernels of a backend, for the operations of a loop. `S`, `C` and `P` are those of its [`Work`].
pub trait Operations<S, C, P> {
    /// Memory of the loop's state.
    type State: WordMemory;

    /// Returns the calls of a node that is no loop, on the kernels of a runtime where the device has commands for it.
    /// Commands of a queue would not obey the turn.
    ///
    /// # Errors
    /// Errors of planning a launch.
    fn command(&mut self, node: &Node) -> Result<Vec<Work<S, C, P>>>;

    /// Makes the loop's state, with this number of slots.
    ///
    /// # Errors
    /// Errors of the driver.
    fn slots(&mut self, capacity: u32) -> Result<FaultSlots<Self::State, Kernel<S, C>>>;

    /// Returns the call of a control operation ([`Control::block`] gives its launch block), for a state with this
    /// number of slots.
    ///
    /// # Errors
    /// [`Error::Limit`] for tests that the device cannot read; errors of the compiler.
    fn control(&mut self, slots: u32, turn: u32, control: &Control) -> Result<Work<S, C, P>>;
}

/// The calls of a loop's operations, in their order, and the state that all of them take.
#[derive(Debug)]
pub struct Calls<M, S, C, P> {
    /// State of the loop, with slots for every launch of a step.
    pub slots: FaultSlots<M, Kernel<S, C>>,
    /// Calls of each operation, with complete launch blocks.
    pub operations: Vec<Vec<Work<S, C, P>>>,
}

impl LoopPlan {
    /// Turns the operations into calls. Kernels record as much of a fault as `faults` says.
    ///
    /// # Errors
    /// [`Error::Limit`] for too many fault sites; errors of the backend.
    pub fn calls<O: Operations<S, C, P>, S, C, P>(
        &self,
        backend: &mut O,
        faults: Faults,
    ) -> Result<Calls<O::State, S, C, P>> {
        let commands = self.operations.iter().map(|operation| match &operation.task {
            Task::Command(node) => backend.command(node),
            Task::Control(_) => Ok(Vec::new()),
        });
        let mut operations = commands.collect::<Result<Vec<_>>>()?;
        // The state is made when all kernels are known, since the block of every control operation holds its size. A
        // call has the same slots in every step: a step with a fault is the last.
        let kernels = operations.iter().flatten().filter_map(|work| work.faulting.as_ref());
        let capacity = capacity(kernels.map(|kernel| u64::from(launch_slots(&kernel.flat, faults))).sum())?;
        let mut slots = backend.slots(capacity)?;
        for (operation, works) in self.operations.iter().zip(&mut operations) {
            if let Task::Control(control) = &operation.task {
                works.push(backend.control(capacity, operation.turn, control)?);
            }
            for work in works {
                work.take_slots(&mut slots, None);
                if let Some(word) = work.block.get_mut(TURN_WORD as usize) {
                    *word = operation.turn;
                }
            }
        }
        Ok(Calls { slots, operations })
    }
}

fn capacity(requested: u64) -> Result<u32> {
    match u32::try_from(requested) {
        Ok(slots) if slots <= MAX_SLOTS => Ok(slots),
        _ => Err(Error::limit(Limit::StepFaults, requested, MAX_SLOTS)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::backend::Buffer;
    use std::convert::Infallible;
    use std::ops::Range;

    struct Nothing;

    impl WordMemory for Nothing {
        type Queue = ();
        type Error = Infallible;

        fn fill(&self, _queue: &(), _value: u32, _words: Range<u64>) -> std::result::Result<(), Infallible> {
            Ok(())
        }
    }

    /// A device with one kernel, whose code is its name.
    struct Device;

    fn work(code: &'static str) -> Work<(), &'static str, ()> {
        Work { code, places: Vec::new(), block: vec![0; 8], groups: 1, faulting: None }
    }

    impl Operations<(), &'static str, ()> for Device {
        type State = Nothing;

        fn command(&mut self, _node: &Node) -> Result<Vec<Work<(), &'static str, ()>>> {
            Ok(vec![work("first"), work("second")])
        }

        fn slots(&mut self, capacity: u32) -> Result<FaultSlots<Nothing, Kernel<(), &'static str>>> {
            let Ok(slots) = FaultSlots::new(Nothing, &(), capacity, Faults::Places);
            Ok(slots)
        }

        fn control(&mut self, slots: u32, _turn: u32, _control: &Control) -> Result<Work<(), &'static str, ()>> {
            assert_eq!(slots, 0, "no kernel can fault");
            Ok(work("control"))
        }
    }

    #[test]
    fn every_call_of_an_operation_has_its_turn() {
        let plan = LoopPlan::of_passes(vec![Node::Clear(Buffer::new(0_u32))]).unwrap();
        let calls = plan.calls(&mut Device, Faults::Places).unwrap().operations;
        let codes: Vec<&str> = calls.iter().flatten().map(|work| work.code).collect();
        assert_eq!(codes, ["first", "second", "control"], "a step ends with its control operation");
        for (operation, works) in plan.operations.iter().zip(&calls) {
            assert!(works.iter().all(|work| work.block[TURN_WORD as usize] == operation.turn));
        }
    }

    #[test]
    fn a_loop_has_as_many_slots_as_bytes_have_addresses() {
        assert_eq!(capacity(u64::from(MAX_SLOTS)).unwrap(), MAX_SLOTS);
        let error = capacity(u64::from(MAX_SLOTS) + 1).unwrap_err();
        assert!(matches!(error, Error::Limit { what: Limit::StepFaults, .. }), "{error}");
    }
}
