//! What fluids on a device are like.

/// A fluid flow after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowState {
    /// Its number.
    pub flow: u32,
    /// Window of a session, in packets; 0 for UDP, and for a flow that is off.
    pub window: f64,
    /// Round-trip time, in seconds.
    pub round_trip: f64,
    /// What a session sees lost, in packets per second.
    pub losses: f64,
}

/// The queue of a link after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueState {
    /// The link's number.
    pub link: u32,
    /// Length, in bytes.
    pub length: f64,
    /// The share of what arrives that is lost.
    pub loss: f64,
    /// What arrives, in bytes per second.
    pub arrivals: f64,
}
