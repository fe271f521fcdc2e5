//! Memory that the histories of a plan take, computed before any of them is allocated.

use super::super::Number;
use super::super::kernels::fluids::Passing;
use super::super::kernels::known::Known;
use super::super::kernels::paths::Passage;
use super::{Class, Plan};
use crate::fluid::FluidError;
use imminent_core::{Device, Reach};

impl Plan {
    /// Checks that the histories fit into the free memory of the device, if the device reports it.
    pub(in crate::fluid) fn check_memory(&self, device: &Device) -> Result<(), FluidError> {
        let memory = device.memory();
        // Unused memory in the pool is free too.
        let unused = memory.free.map(|free| free.saturating_add(memory.reserved.saturating_sub(memory.current)));
        let allowed = memory.limit.map(|limit| limit.saturating_sub(memory.current));
        let needed = self.bytes();
        match [unused, allowed].into_iter().flatten().min() {
            Some(free) if needed > free => Err(FluidError::Memory {
                flows: self.classes.iter().map(|class| class.flows.len() as u64).sum(),
                branches: self.classes.iter().map(|class| class.branches.len() as u64).sum(),
                needed,
                free,
                device: device.info().name.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Size of all histories, in bytes.
    fn bytes(&self) -> u64 {
        let queues = self.queues.len();
        let of_queues = history::<Number>(queues, self.now)
            .saturating_add(history::<Passing>(queues, self.now))
            .saturating_add(history::<Passage>(queues, self.through));
        self.classes.iter().map(|class| self.of_class(class)).fold(of_queues, u64::saturating_add)
    }

    fn of_class(&self, class: &Class) -> u64 {
        let (sent, now) = (class.sent, self.now);
        let rates = [
            (class.flows.len(), sent),
            (class.crowds.len(), sent),
            (class.places.len(), now),
            (class.blocks.len(), now),
            (class.large.len(), now),
            (class.branches.len(), now),
            (class.bundles.len(), now),
        ];
        let rates = rates.into_iter().map(|(rows, reach)| history::<Number>(rows, reach));
        let others =
            [history::<Known>(class.flows.len(), class.known), history::<Passage>(class.branches.len(), self.passages)];
        rates.chain(others).fold(0, u64::saturating_add)
    }
}

/// Size of a history with `rows` rows, in bytes.
fn history<T>(rows: usize, reach: Reach) -> u64 {
    let places = u64::from(reach.past) + u64::from(reach.ahead);
    (rows as u64).saturating_mul(places).saturating_mul(size_of::<T>() as u64)
}
