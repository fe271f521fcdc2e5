//! States and means of fluids.

/// State of a fluid flow after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowState {
    /// Number of the flow.
    pub flow: u32,
    /// Window of a session, in packets; 0 for UDP and for an inactive flow.
    pub window: f64,
    /// Round-trip time, in seconds.
    pub round_trip: f64,
    /// Losses that a session sees, in packets per second.
    pub losses: f64,
}

/// State of a link's queue after some step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueState {
    /// Number of the link.
    pub link: u32,
    /// Length, in bytes.
    pub length: f64,
    /// Share of the arrivals that is lost.
    pub loss: f64,
    /// Arrivals in bytes per second.
    pub arrivals: f64,
}

/// Means and maxima over all steps since measuring began.
#[derive(Debug, Clone, PartialEq)]
pub struct Means {
    /// Number of steps.
    pub steps: u64,
    /// Queues that a flow enters, by link.
    pub queues: Vec<QueueMeans>,
    /// Flows that are fluids, by number.
    pub flows: Vec<FlowMeans>,
}

/// Means of a link's queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueMeans {
    /// Number of the link.
    pub link: u32,
    /// Mean of the lengths after the steps, in bytes.
    pub length: f64,
    /// Greatest length after a step, in bytes.
    pub greatest: f64,
    /// Share of the steps after which the queue was empty.
    pub idle: f64,
    /// Share of the bandwidth that was used; by packets too, if they [share](crate::coupling) the queue.
    pub used: f64,
    /// Mean arrivals, in bytes per second.
    pub arrivals: f64,
    /// Mean losses of the queue, in bytes per second. Losses of the link after its queue are left out.
    pub losses: f64,
}

/// Means of a fluid flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowMeans {
    /// Number of the flow.
    pub flow: u32,
    /// Share of the steps at which the flow was active.
    pub on: f64,
    /// Mean sending rate over all sessions and all steps, in bytes per second.
    pub rate: f64,
    /// Mean window of a session while the flow was active, in packets; `None` for UDP, and for a flow that was never
    /// active.
    pub window: Option<f64>,
    /// Mean round-trip time while the flow was active, in seconds; `None` for a flow that was never active.
    pub round_trip: Option<f64>,
}
