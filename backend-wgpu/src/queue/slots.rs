//! Fault slots: where kernels leave their faults, and how those are read.

use crate::device::Context;
use crate::module::Kernel;
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Error, Fault, Result};
use std::sync::Arc;

/// What a slot holds that no row has raised a fault at.
const NO_FAULT: u32 = u32::MAX;
/// Slots of a queue. When they are used up, the queue waits for its work and looks at them.
const SLOTS: u32 = 1 << 16;

/// The fault slots of a queue: one for each site of each launch since they were last looked at, in order of the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: wgpu::Buffer,
    capacity: u32,
    used: u32,
    launches: Vec<(u32, Arc<Kernel>)>,
}

/// A state buffer whose head is zero and whose slots are empty.
fn state_buffer(context: &Context, slots: u32) -> Result<wgpu::Buffer> {
    let head = HEAD_WORDS as usize;
    let mut words = vec![NO_FAULT; head + slots as usize];
    words[..head].fill(0);
    let descriptor = wgpu::BufferDescriptor {
        label: Some("fault slots"),
        size: words.len() as u64 * 4,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let state = context.create_buffer(&descriptor)?;
    context.scoped("clearing fault slots", || context.queue.write_buffer(&state, 0, bytemuck::cast_slice(&words)))?;
    Ok(state)
}

impl FaultSlots {
    pub(super) fn new(context: &Context) -> Result<FaultSlots> {
        Self::with_capacity(context, SLOTS)
    }

    /// Slots for a known set of launches.
    pub(crate) fn with_capacity(context: &Context, capacity: u32) -> Result<FaultSlots> {
        Ok(FaultSlots { state: state_buffer(context, capacity)?, capacity, used: 0, launches: Vec::new() })
    }

    /// The buffer whose word 0 says whose turn it is.
    pub(crate) fn state(&self) -> &wgpu::Buffer {
        &self.state
    }

    /// Whether a launch of the kernel finds slots.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        let sites = sites(kernel);
        if sites > self.capacity {
            return Err(Error::Limit {
                what: format!("places in kernel `{}` that can raise a fault", kernel.flat.name),
                requested: u64::from(sites),
                limit: u64::from(self.capacity),
            });
        }
        Ok(self.capacity - self.used >= sites)
    }

    /// Takes slots, which there are, for a launch of the kernel: the word where they start.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>) -> u32 {
        let first = self.used;
        self.used += sites(kernel);
        self.launches.push((first, kernel.clone()));
        HEAD_WORDS + first
    }

    /// Offset and length in bytes of the slots in use, if there are any.
    pub(crate) fn used(&self) -> Option<(u64, u64)> {
        (self.used > 0).then(|| (u64::from(HEAD_WORDS) * 4, u64::from(self.used) * 4))
    }

    /// The fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        decode(&self.launches, bytes)
    }

    /// Clears the slots in use, which stay in use.
    pub(crate) fn empty(&self, context: &Context) {
        let empty = vec![NO_FAULT; self.used as usize];
        context.queue.write_buffer(&self.state, u64::from(HEAD_WORDS) * 4, bytemuck::cast_slice(&empty));
    }

    /// Makes all slots free again. They are cleared only if one was written.
    pub(crate) fn reset(&mut self, context: &Context, written: bool) {
        if written {
            self.empty(context);
        }
        self.used = 0;
        self.launches.clear();
    }
}

fn sites(kernel: &Kernel) -> u32 {
    u32::try_from(kernel.flat.sites.len()).unwrap_or(u32::MAX)
}

/// The fault of the earliest launch that raised one: its lowest row, and the site of that row.
fn decode(launches: &[(u32, Arc<Kernel>)], bytes: &[u8]) -> Option<Fault> {
    launches.iter().find_map(|(first, kernel)| {
        let slots = bytes.get(*first as usize * 4..)?.chunks_exact(4).take(kernel.flat.sites.len());
        let (site, row) = lowest(slots.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])))?;
        kernel.fault(site, row)
    })
}

/// The position and value of the lowest row among slots, if one is taken.
fn lowest(slots: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
    slots.enumerate().filter(|(_, row)| *row != NO_FAULT).min_by_key(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_row_wins_whatever_its_site() {
        assert_eq!(lowest([NO_FAULT, 7, 3, NO_FAULT].into_iter()), Some((2, 3)));
        assert_eq!(lowest([0].into_iter()), Some((0, 0)));
        assert_eq!(lowest([NO_FAULT; 4].into_iter()), None);
        assert_eq!(lowest(std::iter::empty()), None);
    }
}
