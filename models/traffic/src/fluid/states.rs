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

/// Means over all steps since measuring began, and what was greatest.
#[derive(Debug, Clone, PartialEq)]
pub struct Means {
    /// How many steps they are.
    pub steps: u64,
    /// Queues that a flow enters, by link.
    pub queues: Vec<QueueMeans>,
    /// Flows that are fluids, by number.
    pub flows: Vec<FlowMeans>,
}

/// The queue of a link over time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueMeans {
    /// The link's number.
    pub link: u32,
    /// Mean of the lengths after the steps, in bytes.
    pub length: f64,
    /// The greatest of them.
    pub greatest: f64,
    /// The share of the steps after which nothing waited.
    pub idle: f64,
    /// The share of the bandwidth that was used.
    pub used: f64,
    /// What arrived, in bytes per second.
    pub arrivals: f64,
    /// What of it the queue lost, in bytes per second; what the link loses after its queue is not in it.
    pub losses: f64,
}

/// A fluid flow over time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowMeans {
    /// Its number.
    pub flow: u32,
    /// The share of the steps at which it was on.
    pub on: f64,
    /// What it sent, all sessions together, in bytes per second, over all steps.
    pub rate: f64,
    /// Mean window of a session while the flow was on, in packets; `None` for UDP, and for a flow that was off.
    pub window: Option<f64>,
    /// Mean round-trip time while the flow was on, in seconds; `None` for a flow that was off.
    pub round_trip: Option<f64>,
}
