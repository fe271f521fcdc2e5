//! Device of a run, for people and programs.

pub(super) struct Place {
    pub(super) backend: String,
    pub(super) device: String,
    /// Reason for the choice of the device.
    pub(super) why: Option<String>,
}
