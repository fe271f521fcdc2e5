//! Units of statistics.

/// Returns the unit of a statistic.
pub(super) fn unit(statistic: &str) -> &'static str {
    match statistic {
        "throughput" | "system_arrival_rate" | "system_throughput" | "system_drop_rate" => "tokens per time unit",
        "queue_length" | "number_in_system" | "system_number" => "tokens",
        "waiting" | "sojourn" | "waiting_by_little" | "sojourn_by_little" | "system_response" => "time units",
        "utilization" | "utilization_corrected" => "share of the time",
        "loss" => "share of arrivals",
        "blocking" => "share of services",
        "cost" => "money in a time unit",
        "system_loss" => "share of emitted tokens",
        _ => "",
    }
}
