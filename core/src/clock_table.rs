//! Clocks on a device.

use crate::device::Device;
use crate::error::Result;
use crate::library::stepping::{By, Now, advance};
use crate::program::ProgramBuilder;
use crate::queue::Queue;
use crate::table::Table;

/// With which step launches begin: a number on a device, which kernels see as [`Clock`](crate::data::Clock).
///
/// It goes on by [`Queue::advance`], or on the device inside a program ([`ProgramBuilder::advance`]), so a loop of launches needs the host for
/// no step. Histories keep what they promise as long as it does not go back.
#[derive(Debug)]
pub struct ClockTable {
    pub(crate) now: Table<Now>,
}

impl ClockTable {
    /// A clock at a step. A launch that begins with step `s` reads as far back as its histories reach, so a model whose series have a past
    /// begins as many steps after 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), errors of the driver.
    pub fn new(device: &Device, first: u32) -> Result<Self> {
        Ok(ClockTable { now: Table::from_rows(device, &[Now { first }])? })
    }

    /// The step with which the next launch begins, after the work before it on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), errors of earlier work and of the driver.
    pub fn first(&self) -> Result<u32> {
        Ok(self.now.read()?.first().map_or(0, |now| now.first))
    }

    /// Puts the clock to a step.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn set(&mut self, first: u32) -> Result<()> {
        self.now.write(&[Now { first }])
    }
}

impl Queue {
    /// Lets a clock go on by so many steps, after the work before it. A clock at the end of its 2<sup>32</sup> steps stops there, with a fault.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn advance(&self, clock: &mut ClockTable, steps: u32) -> Result<()> {
        self.launch::<advance>((&mut clock.now, &By { steps })).map(drop)
    }
}

impl ProgramBuilder {
    /// Lets a clock go on by so many steps, at every replay and in every round of a loop: the device does it.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn advance(&mut self, clock: &mut ClockTable, steps: u32) -> Result<()> {
        self.launch::<advance>((&mut clock.now, &By { steps })).map(drop)
    }
}
