//! Units of statistics.

/// Returns the unit of a statistic.
pub(super) fn unit(statistic: &str) -> &'static str {
    match statistic {
        "throughput" => "tokens per time unit",
        "queue_length" | "number_in_system" => "tokens",
        "waiting" | "sojourn" | "waiting_by_little" | "sojourn_by_little" => "time units",
        "utilization" | "utilization_corrected" => "share of the time",
        "loss" => "share of arrivals",
        "blocking" => "share of services",
        _ => "",
    }
}
