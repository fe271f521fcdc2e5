//! Means over replications of the same traffic with other seeds, and their intervals.

use super::results::{FlowRow, QueueRow, Results};
use crate::packet::{Completion, Delays, FlowReport};
use imminent_common::estimate::Estimate;

impl Results {
    /// Returns the means over replications, with intervals if there are several; counts are sums, and losses are ratios
    /// of sums. All must be of the same traffic.
    #[must_use]
    pub fn over(replications: Vec<Self>) -> Self {
        if let [_] = replications[..] {
            return replications.into_iter().next().unwrap_or_default();
        }
        let (mut queues, mut flows, mut packets) = (vec![], vec![], vec![]);
        let mut each = vec![];
        for one in replications {
            each.extend(one.replications);
            add_rows(&mut queues, one.queues);
            add_rows(&mut flows, one.flows);
            add_rows(&mut packets, one.packets);
        }
        Self {
            queues: queues.into_iter().filter_map(queue).collect(),
            flows: flows.into_iter().filter_map(flow).collect(),
            packets: packets.into_iter().filter_map(report).collect(),
            replications: each,
        }
    }
}

/// Adds rows to lists of rows, place by place.
fn add_rows<T>(lists: &mut Vec<Vec<T>>, rows: Vec<T>) {
    if lists.is_empty() {
        lists.resize_with(rows.len(), Vec::new);
    }
    lists.iter_mut().zip(rows).for_each(|(list, row)| list.push(row));
}

/// Returns the mean of the values that there are, and the half-width of its interval.
fn mean<T>(rows: &[T], of: impl Fn(&T) -> Option<f64>) -> (Option<f64>, Option<f64>) {
    let values: Vec<f64> = rows.iter().filter_map(of).collect();
    let estimate = Estimate::of(&values);
    (estimate.mean, estimate.half_width())
}

fn mean_of_all<T>(rows: &[T], of: impl Fn(&T) -> f64) -> f64 {
    mean(rows, |row| Some(of(row))).0.unwrap_or(0.0)
}

fn queue(rows: Vec<QueueRow>) -> Option<QueueRow> {
    let dropped = mean_of_all(&rows, |row| row.offered * row.loss);
    let offered = mean_of_all(&rows, |row| row.offered);
    let first = rows.first()?.clone();
    Some(QueueRow {
        offered,
        carried: mean_of_all(&rows, |row| row.carried),
        mean_length: mean_of_all(&rows, |row| row.mean_length),
        greatest_length: rows.iter().map(|row| row.greatest_length).fold(0.0, f64::max),
        utilization: mean_of_all(&rows, |row| row.utilization),
        loss: if offered > 0.0 { dropped / offered } else { 0.0 },
        lost: mean_of_all(&rows, |row| row.lost),
        marked: rows.iter().map(|row| row.marked).sum(),
        failed: rows.iter().map(|row| row.failed).sum(),
        ..first
    })
}

fn flow(rows: Vec<FlowRow>) -> Option<FlowRow> {
    let (rate, rate_ci95) = mean(&rows, |row| Some(row.rate));
    let (window, round_trip) = (mean(&rows, |row| row.window).0, mean(&rows, |row| row.round_trip).0);
    let first = rows.first()?.clone();
    Some(FlowRow { rate: rate.unwrap_or(0.0), rate_ci95, window, round_trip, ..first })
}

fn report(rows: Vec<FlowReport>) -> Option<FlowReport> {
    let sum = |of: fn(&FlowReport) -> u64| rows.iter().map(of).sum();
    let (goodput, goodput_ci95) = mean(&rows, |row| Some(row.goodput));
    let loss = Estimate::of_ratios(&rows.iter().map(|row| (row.losses() as f64, row.sent as f64)).collect::<Vec<_>>());
    let delays: Vec<Delays> = rows.iter().filter_map(|row| row.delay).collect();
    let transfers: Vec<Completion> = rows.iter().filter_map(|row| row.completion).collect();
    let first = rows.first()?.clone();
    Some(FlowReport {
        sent: sum(|row| row.sent),
        again: sum(|row| row.again),
        delivered: sum(|row| row.delivered),
        dropped: sum(|row| row.dropped),
        lost: sum(|row| row.lost),
        marked: sum(|row| row.marked),
        failed: sum(|row| row.failed),
        loss: loss.mean,
        loss_ci95: loss.half_width(),
        goodput: goodput.unwrap_or(0.0),
        goodput_ci95,
        delay: delay(&delays),
        mean_delay_ci95: mean(&delays, |delay| Some(delay.mean)).1,
        timeouts: sum(|row| row.timeouts),
        answers: sum(|row| row.answers),
        completion: completion(&transfers),
        ..first
    })
}

/// Returns means of delays and of their quantiles, and the extremes of all.
fn delay(delays: &[Delays]) -> Option<Delays> {
    let of = |value: fn(&Delays) -> f64| mean_of_all(delays, value);
    let first = delays.first()?;
    Some(Delays {
        mean: of(|delay| delay.mean),
        least: delays.iter().map(|delay| delay.least).fold(first.least, f64::min),
        median: of(|delay| delay.median),
        p90: of(|delay| delay.p90),
        p95: of(|delay| delay.p95),
        p99: of(|delay| delay.p99),
        greatest: delays.iter().map(|delay| delay.greatest).fold(first.greatest, f64::max),
    })
}

/// Returns the number of all transfers, the mean over replications of their mean times, and the longest time.
fn completion(all: &[Completion]) -> Option<Completion> {
    let transfers = all.iter().map(|done| done.transfers).sum();
    let longest = all.iter().filter_map(|done| done.longest).max_by(f64::total_cmp);
    (!all.is_empty()).then(|| Completion { transfers, mean: mean(all, |done| done.mean).0, longest })
}

#[cfg(test)]
mod tests {
    use crate::TrafficConfig;
    use crate::simulation::{Kept, Results, Setup};
    use imminent_common::estimate::Estimate;
    use std::ops::ControlFlow;

    const TEXT: &str = "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = '20 packets'\ndiscipline = 'drop-tail'
        [[topology.link]]\nfrom = 'a'\nto = 'b'
        [[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'poisson'\nrate = 9e6
        [[traffic.flow]]\nfrom = 'a'\nto = 'b'\ntcp = 'cubic'\nbytes = 20000\nsessions = 2\n[run]\nhorizon = 3\n";

    #[test]
    fn rows_are_means_and_sums_over_replications() {
        let mut config = TrafficConfig::from_toml(TEXT, "t").unwrap();
        let traffic = config.traffic().unwrap();
        let mut one = |seed: u64| {
            config.run.seed = seed;
            let simulation = Setup::new(&config, &traffic).unwrap().begin(None).unwrap();
            let record = simulation.run(Kept::MeansAlone, &mut |_| ControlFlow::Continue(())).unwrap();
            Results::of(&traffic, &record)
        };
        let alone = Results::over(vec![one(1)]);
        assert_eq!((alone.digest(), alone.packets[0].goodput_ci95), (one(1).digest(), None));
        let all = Results::over((1..=5).map(&mut one).collect());
        let each: Vec<Results> = (1..=5).map(one).collect();
        let estimate = |of: fn(&Results) -> f64| Estimate::of(&each.iter().map(of).collect::<Vec<_>>());
        let row = &all.packets[0];
        for (found, half, expected) in [
            (row.goodput, row.goodput_ci95, estimate(|one| one.packets[0].goodput)),
            (row.delay.unwrap().mean, row.mean_delay_ci95, estimate(|one| one.packets[0].delay.unwrap().mean)),
            (all.flows[0].rate, all.flows[0].rate_ci95, estimate(|one| one.flows[0].rate)),
        ] {
            assert_eq!((Some(found), half), (expected.mean, expected.half_width()));
            assert!(half.unwrap() > 0.0, "seeds differ: {expected:?}");
        }
        // Packets lost in all replications of those sent, by the formula of the ratio estimator.
        let pairs: Vec<(f64, f64)> =
            each.iter().map(|one| (one.packets[0].dropped as f64, one.packets[0].sent as f64)).collect();
        let (lost, sent) = pairs.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
        let residuals = pairs.iter().map(|(lost_here, sent_here)| (lost_here - lost / sent * sent_here).powi(2));
        // Student's t for 95 % and four degrees of freedom.
        let half = 2.776_445 * (residuals.sum::<f64>() / 4.0 / 5.0).sqrt() / (sent / 5.0);
        assert!((row.loss.unwrap() / (lost / sent) - 1.0).abs() < 1e-12, "{row:?}");
        assert!((row.loss_ci95.unwrap() / half - 1.0).abs() < 1e-5, "{row:?} instead of {half}");
        assert_eq!(row.sent, each.iter().map(|one| one.packets[0].sent).sum::<u64>());
        assert_eq!(all.packets[1].completion.unwrap().transfers, 10);
        let total = all.packet_total().unwrap();
        let expected = estimate(|one| one.packet_total().unwrap().goodput);
        assert!((total.goodput / expected.mean.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(total.goodput_ci95, expected.half_width());
        // Means of all flows are those of a study: of each replication first, then over the replications.
        for (found, of) in [
            (total.mean_delay, (|one| one.packet_total().unwrap().mean_delay.unwrap()) as fn(&Results) -> f64),
            (total.greatest_p99, |one| one.packet_total().unwrap().greatest_p99.unwrap()),
            (total.mean_transfer, |one| one.packet_total().unwrap().mean_transfer.unwrap()),
            (all.packets[1].completion.unwrap().mean, |one| one.packets[1].completion.unwrap().mean.unwrap()),
        ] {
            let sum: f64 = each.iter().map(of).sum();
            assert!((found.unwrap() / (sum / 5.0) - 1.0).abs() < 1e-12, "{total:?}");
        }
        // Within a replication every packet and every transfer counts the same.
        for one in &each {
            let rows = &one.packets;
            let (count, sum) = rows.iter().fold((0.0, 0.0), |(count, sum), row| {
                (count + row.delivered as f64, sum + row.delivered as f64 * row.delay.unwrap().mean)
            });
            let total = one.packet_total().unwrap();
            assert!((total.mean_delay.unwrap() * count / sum - 1.0).abs() < 1e-12, "{total:?}");
            assert_eq!(total.mean_transfer, rows[1].completion.unwrap().mean);
        }
        let whole = all.packets.iter().fold((0, 0), |sums, row| (sums.0 + row.dropped, sums.1 + row.sent));
        assert!((total.loss.unwrap() * whole.1 as f64 / whole.0 as f64 - 1.0).abs() < 1e-12, "{total:?}");
        assert!(total.loss_ci95.unwrap() > 0.0 && total.loss_ci95.unwrap() < total.loss.unwrap(), "{total:?}");
        assert_eq!(alone.packet_total().unwrap().loss_ci95, None);
        assert!((all.queues[0].carried / estimate(|one| one.queues[0].carried).mean.unwrap() - 1.0).abs() < 1e-12);
    }
}
