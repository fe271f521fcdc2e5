//! Clocks on a device.

use super::table::Table;
use crate::device::Device;
use crate::error::Result;
use crate::native::Now;

/// Number of the step with which launches begin: a value on a device, which kernels see as
/// [`Clock`](crate::data::Clock).
///
/// [`Queue::advance`](crate::Queue::advance) advances it, or the device does so inside a program
/// ([`ProgramBuilder::advance`](crate::ProgramBuilder::advance)). So a loop of launches needs no step of the host.
/// A clock must not go back: a history would return the entries that were last written to its places.
#[derive(Debug)]
pub struct ClockTable {
    pub(crate) now: Table<Now>,
}

impl ClockTable {
    /// Creates a clock at step `first`. A launch that begins with step `s` reads as far back as its histories reach. A
    /// model whose series have a past therefore begins that many steps after 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), errors of the driver.
    pub fn new(device: &Device, first: u32) -> Result<Self> {
        Ok(ClockTable { now: Table::from_rows(device, &[Now { first }])? })
    }

    /// Returns the step with which the next launch begins, after earlier work on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), errors of earlier work and of the driver.
    pub fn first(&self) -> Result<u32> {
        Ok(self.now.read()?.first().map_or(0, |now| now.first))
    }

    /// Sets the clock to a step.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn set(&mut self, first: u32) -> Result<()> {
        self.now.write(&[Now { first }])
    }
}
