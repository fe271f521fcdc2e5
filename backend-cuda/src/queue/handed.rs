//! Programs in progress that the queue was handed as one unit.

use crate::driver::Stream;
use crate::memory::Pinned;
use imminent_core::{Fault, Result};
use std::fmt::Debug;

/// A program that records its faults in a state of its own. The queue looks there when it looks for faults.
pub(crate) trait HandedOver: Debug + Send + Sync {
    /// Starts to read the bytes that reveal faults, into host memory for [`Head::BYTES`] bytes whose event is recorded.
    ///
    /// [`Head::BYTES`]: imminent_device::replay::Head::BYTES
    fn fetch(&self, head: Pinned, stream: &Stream) -> Result<Pinned>;

    /// Returns the fault, if these bytes reveal one that was not yet reported.
    fn judge(&self, head: &[u8], stream: &Stream) -> Result<Option<Fault>>;

    /// Returns the unreported fault, if there is one. The stream was waited for.
    fn look(&self, stream: &Stream) -> Result<Option<Fault>>;
}
