//! Fault slots: where kernels leave their faults, and how those are read.

use crate::device::Context;
use crate::module::Kernel;
use imminent_core::backend::{SlotRing, SlotWindow};
use imminent_core::replay::HEAD_WORDS;
use imminent_core::{Error, Fault, Result};
use std::ops::Range;
use std::sync::Arc;

/// What a slot holds that no row has raised a fault at.
const NO_FAULT: u32 = u32::MAX;
/// Slots of a queue. When they are used up, the queue waits for its work and looks at them.
const SLOTS: u32 = 1 << 16;

/// The fault slots of a queue: one for each site of each launch since they were last looked at, in order of the launches.
#[derive(Debug)]
pub(crate) struct FaultSlots {
    state: wgpu::Buffer,
    ring: SlotRing,
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
        Ok(FaultSlots { state: state_buffer(context, capacity)?, ring: SlotRing::new(capacity), launches: Vec::new() })
    }

    /// The buffer whose word 0 says whose turn it is.
    pub(crate) fn state(&self) -> &wgpu::Buffer {
        &self.state
    }

    /// Whether a launch of the kernel finds slots.
    pub(crate) fn has_room(&self, kernel: &Kernel) -> Result<bool> {
        let sites = sites(kernel);
        if sites > self.ring.capacity() {
            return Err(Error::Limit {
                what: format!("places in kernel `{}` that can raise a fault", kernel.flat.name),
                requested: u64::from(sites),
                limit: u64::from(self.ring.capacity()),
            });
        }
        Ok(self.ring.has_room(sites))
    }

    /// Takes slots, which there are, for a launch of the kernel: the word where they start.
    pub(crate) fn claim(&mut self, kernel: &Arc<Kernel>) -> u32 {
        let first = self.ring.claim(sites(kernel));
        self.launches.push((first, kernel.clone()));
        HEAD_WORDS + first
    }

    /// Offset and length in bytes of the slots in use, if there are any.
    pub(crate) fn used(&self) -> Option<(u64, u64)> {
        (self.ring.used() > 0).then(|| bytes_of(&(0..self.ring.used())))
    }

    /// The slots that nobody has looked at, with their offset and length in bytes.
    pub(super) fn unseen(&self) -> Option<(SlotWindow, (u64, u64))> {
        self.ring.unseen().map(|window| (window.clone(), bytes_of(&window.slots())))
    }

    /// Looks at the bytes of a window: the fault of the earliest launch that raised one and was not looked at before. When all
    /// have been looked at they are free again.
    pub(super) fn look(&mut self, context: &Context, window: &SlotWindow, bytes: &[u8]) -> Option<Fault> {
        let slots = self.ring.see(window)?;
        let fault = decode(&self.launches, window.slots().start, &slots, bytes);
        if fault.is_some() {
            self.empty_slots(context, &slots);
        }
        if self.ring.all_seen() {
            self.ring.free();
            self.launches.clear();
        }
        fault
    }

    /// The fault of the earliest launch that raised one, from the bytes of the slots in use.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<Fault> {
        decode(&self.launches, 0, &(0..self.ring.used()), bytes)
    }

    /// Clears the slots in use, which stay in use.
    pub(crate) fn empty(&self, context: &Context) {
        self.empty_slots(context, &(0..self.ring.used()));
    }

    fn empty_slots(&self, context: &Context, slots: &Range<u32>) {
        let empty = vec![NO_FAULT; slots.len()];
        context.queue.write_buffer(&self.state, bytes_of(slots).0, bytemuck::cast_slice(&empty));
    }
}

/// Offset and length in bytes of slots in the state buffer.
fn bytes_of(slots: &Range<u32>) -> (u64, u64) {
    (u64::from(HEAD_WORDS + slots.start) * 4, slots.len() as u64 * 4)
}

fn sites(kernel: &Kernel) -> u32 {
    u32::try_from(kernel.flat.sites.len()).unwrap_or(u32::MAX)
}

/// The fault of the earliest launch with these slots that raised one: its lowest row, and the site of that row. The bytes begin
/// with slot `first`.
fn decode(launches: &[(u32, Arc<Kernel>)], first: u32, slots: &Range<u32>, bytes: &[u8]) -> Option<Fault> {
    let start = launches.partition_point(|(slot, _)| *slot < slots.start);
    launches.get(start..)?.iter().take_while(|(slot, _)| *slot < slots.end).find_map(|(slot, kernel)| {
        let words = bytes.get((slot - first) as usize * 4..)?.chunks_exact(4).take(kernel.flat.sites.len());
        let (site, row) = lowest(words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])))?;
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
