//! Single stations with Poisson arrivals.

use crate::measures::Measures;

/// Tokens of one kind at a server: arrival rate, mean service time, and squared coefficient of variation of the
/// service.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stream {
    /// Number of arrivals per time unit.
    pub rate: f64,
    /// Mean service time, in time units.
    pub mean: f64,
    /// Variance of the service over the square of its mean.
    pub squared_variation: f64,
}

/// Measures of a station with limited room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lossy {
    /// Measures of the tokens that find room.
    pub measures: Measures,
    /// Probability that an arriving token finds no room.
    pub loss: f64,
}

/// Derives all measures from `rate`, the tokens per time unit that stay, and `waiting`, their mean wait.
fn measures(rate: f64, mean: f64, servers: u32, waiting: f64) -> Measures {
    let (queue_length, sojourn) = (rate * waiting, waiting + mean);
    let any = rate > 0.0;
    Measures {
        utilization: rate * mean / f64::from(servers),
        throughput: rate,
        queue_length,
        number_in_system: rate * sojourn,
        waiting: any.then_some(waiting),
        sojourn: any.then_some(sojourn),
        waiting_by_little: any.then_some(waiting),
        sojourn_by_little: any.then_some(sojourn),
    }
}

/// Returns the probability that all of `servers` servers are busy if no token waits (Erlang's B formula); `load` is
/// arrival rate times mean service.
#[must_use]
pub fn erlang_b(load: f64, servers: u32) -> f64 {
    (1..=servers).fold(1.0, |blocked, server| load * blocked / (f64::from(server) + load * blocked))
}

/// Returns the probability of waiting for one of `servers` servers (Erlang's C formula); 1 if `load` is `servers` or
/// more.
#[must_use]
pub fn erlang_c(load: f64, servers: u32) -> f64 {
    let utilization = load / f64::from(servers);
    if utilization >= 1.0 {
        return 1.0;
    }
    let blocked = erlang_b(load, servers);
    blocked / (1.0 - utilization * (1.0 - blocked))
}

/// Computes M/M/c: Poisson arrivals, exponential services, `servers` servers. Utilization is that of each server.
/// `None` if the line grows without limit.
#[must_use]
pub fn mmc(rate: f64, mean: f64, servers: u32) -> Option<Measures> {
    let load = rate * mean;
    let spare = f64::from(servers) - load;
    (spare > 0.0).then(|| measures(rate, mean, servers, erlang_c(load, servers) * mean / spare))
}

/// Computes M/G/1, first come, first served, by the formula of Pollaczek and Khinchine. `None` if the line grows
/// without limit.
#[must_use]
pub fn mg1(stream: Stream) -> Option<Measures> {
    let Stream { rate, mean, squared_variation } = stream;
    let utilization = rate * mean;
    let waiting = utilization * mean * (1.0 + squared_variation) / (2.0 * (1.0 - utilization));
    (utilization < 1.0).then(|| measures(rate, mean, 1, waiting))
}

/// Computes M/G/1 with non-preemptive priorities (Cobham); the first stream is served first. `None` if the line grows
/// without limit.
#[must_use]
pub fn priority_mg1(streams: &[Stream]) -> Option<Vec<Measures>> {
    let total: f64 = streams.iter().map(|stream| stream.rate * stream.mean).sum();
    if total >= 1.0 {
        return None;
    }
    // Mean residual service that an arriving token finds, of whatever stream.
    let residual = |stream: &Stream| stream.rate * stream.mean * stream.mean * (1.0 + stream.squared_variation) / 2.0;
    let found: f64 = streams.iter().map(residual).sum();
    let mut before = 0.0;
    let of_stream = |stream: &Stream| {
        let after = before + stream.rate * stream.mean;
        let waiting = found / ((1.0 - before) * (1.0 - after));
        before = after;
        measures(stream.rate, stream.mean, 1, waiting)
    };
    Some(streams.iter().map(of_stream).collect())
}

/// Computes M/M/c/K: as [`mmc`], with room for `capacity` tokens waiting and in service; others are lost. This is
/// Erlang's loss system if `capacity` is `servers`.
#[must_use]
pub fn mmck(rate: f64, mean: f64, servers: u32, capacity: u32) -> Lossy {
    let load = rate * mean;
    // Weights of the states, scaled by the greatest against overflow.
    let mut logarithm = 0.0_f64;
    let mut logarithms = vec![0.0];
    for number in 1..=capacity {
        logarithm += load.ln() - f64::from(number.min(servers)).ln();
        logarithms.push(logarithm);
    }
    let greatest = logarithms.iter().copied().fold(0.0, f64::max);
    let weights: Vec<f64> = logarithms.iter().map(|logarithm| (logarithm - greatest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let loss = weights.last().copied().unwrap_or(0.0) / sum;
    let waiting: f64 =
        (0_u32..).zip(&weights).map(|(number, weight)| f64::from(number.saturating_sub(servers)) * weight).sum();
    let stays = rate * (1.0 - loss);
    Lossy { measures: measures(stays, mean, servers, waiting / sum / stays), loss }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + a.abs())
    }

    fn exponential(rate: f64, mean: f64) -> Stream {
        Stream { rate, mean, squared_variation: 1.0 }
    }

    #[test]
    fn one_server_has_the_values_found_by_hand() {
        // Load 1/2: one token on average, which waits as long as it is served.
        let one = mmc(0.05, 10.0, 1).unwrap();
        assert!(close(one.number_in_system, 1.0) && close(one.waiting.unwrap(), 10.0) && close(one.utilization, 0.5));
        assert_eq!(mg1(exponential(0.05, 10.0)), Some(one));
        // Half the waiting if all services are equal.
        let regular = mg1(Stream { rate: 0.05, mean: 10.0, squared_variation: 0.0 }).unwrap();
        assert!(close(regular.waiting.unwrap(), 5.0));
        assert!(mmc(0.1, 10.0, 1).is_none() && mg1(exponential(0.2, 10.0)).is_none());
    }

    #[test]
    fn two_servers_have_the_values_found_by_hand() {
        // Load 1 on two servers: states weigh 1, 1, 1/2, 1/4, ..., so the station is empty one third of the time.
        let two = mmc(1.0, 1.0, 2).unwrap();
        assert!(close(erlang_c(1.0, 2), 1.0 / 3.0) && close(erlang_b(1.0, 2), 0.2));
        assert!(close(two.queue_length, 1.0 / 3.0) && close(two.number_in_system, 4.0 / 3.0));
    }

    #[test]
    fn a_system_without_room_to_wait_is_that_of_erlang() {
        for (load, servers) in [(0.5, 1), (3.0, 5), (40.0, 30)] {
            let lossy = mmck(load / 2.0, 2.0, servers, servers);
            assert!(close(lossy.loss, erlang_b(load, servers)) && close(lossy.measures.queue_length, 0.0));
        }
        // One server and one waiting place, load 1: three equally likely states.
        let small = mmck(1.0, 1.0, 1, 2);
        assert!(close(small.loss, 1.0 / 3.0) && close(small.measures.number_in_system, 1.0));
    }

    #[test]
    fn much_room_is_as_good_as_no_limit() {
        for (rate, servers) in [(0.3, 1), (1.7, 2), (8.0, 10)] {
            let (limited, unlimited) = (mmck(rate, 1.0, servers, 2000), mmc(rate, 1.0, servers).unwrap());
            assert!(limited.loss < 1e-9 && close(limited.measures.number_in_system, unlimited.number_in_system));
        }
        // An overloaded station stays full.
        assert!((mmck(2.0, 1.0, 1, 1_000_000).loss - 0.5).abs() < 1e-6);
    }

    #[test]
    fn priorities_share_out_the_same_work() {
        let streams = [exponential(0.02, 10.0), Stream { rate: 0.05, mean: 8.0, squared_variation: 3.0 }];
        let by_priority = priority_mg1(&streams).unwrap();
        let work = |waiting: [f64; 2]| -> f64 {
            streams.iter().zip(waiting).map(|(stream, waiting)| stream.rate * stream.mean * waiting).sum()
        };
        let waiting = [by_priority[0].waiting.unwrap(), by_priority[1].waiting.unwrap()];
        assert!(waiting[0] < waiting[1]);
        // Kleinrock: waiting weighted by work is that of first come, first served, which is the same for both.
        let rate = 0.07;
        let mean = (0.02 * 10.0 + 0.05 * 8.0) / rate;
        let second = (0.02 * 2.0 * 100.0 + 0.05 * 4.0 * 64.0) / rate;
        let both = Stream { rate, mean, squared_variation: second / (mean * mean) - 1.0 };
        let shared = mg1(both).unwrap().waiting.unwrap();
        assert!(close(work(waiting), work([shared, shared])));
        assert!(priority_mg1(&[exponential(0.02, 10.0), exponential(0.2, 10.0)]).is_none());
    }
}
