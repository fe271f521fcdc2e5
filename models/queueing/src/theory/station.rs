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
    // Weights of the states over that of the last, from this downwards: they grow down to the load and fall from there.
    // With 2^32 servers few million count.
    let (mut weight, mut sum) = (1.0, 1.0);
    for number in (1..=servers).rev() {
        weight *= f64::from(number) / load;
        sum += weight;
        if sum.is_infinite() || (f64::from(number) < load && weight < sum * f64::EPSILON / 16.0) {
            break;
        }
    }
    1.0 / sum
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
    let busy = servers.min(capacity);
    let places = capacity - busy;
    let (blocked, growth) = (erlang_b(load, busy), load / f64::from(busy));
    // Weights of states by the tokens that wait are powers of the growth: from none on, or from a full line down if
    // they grow.
    let (sum, last, waiting) = if growth > 1.0 {
        let full = Powers::below(places, 1.0 / growth);
        (full.next / blocked + full.sum, 1.0, f64::from(places) * full.sum - full.weighted)
    } else {
        let line = Powers::below(places, growth);
        (1.0 / blocked + growth * line.sum, line.next, growth * (line.sum + line.weighted))
    };
    let loss = last / sum;
    let stays = rate * (1.0 - loss);
    let waiting = if stays > 0.0 { waiting / sum / stays } else { 0.0 };
    Lossy { measures: measures(stays, mean, servers, waiting), loss }
}

/// Powers of a number that is 1 at most, from that of 0 on.
#[derive(Debug, Clone, Copy)]
struct Powers {
    /// Power of their number.
    next: f64,
    /// Sum of all.
    sum: f64,
    /// Sum of all, each times its exponent.
    weighted: f64,
}

impl Powers {
    /// Computes the first `count` powers of `x` by doubling their number, so that only positive numbers are added.
    fn below(count: u32, x: f64) -> Powers {
        let mut powers = Powers { next: 1.0, sum: 0.0, weighted: 0.0 };
        let mut number = 0.0;
        for bit in (0..u32::BITS - count.leading_zeros()).rev() {
            let Powers { next, sum, weighted } = powers;
            powers = Powers {
                next: next * next,
                sum: sum + next * sum,
                weighted: weighted + next * (number * sum + weighted),
            };
            number *= 2.0;
            if count >> bit & 1 == 1 {
                powers.weighted += number * powers.next;
                powers.sum += powers.next;
                powers.next *= x;
                number += 1.0;
            }
        }
        powers
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

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

    /// Probabilities of M/M/c/K, by the weights of all states.
    fn by_states(load: f64, servers: u32, capacity: u32) -> (f64, f64) {
        let mut weights = vec![1.0];
        for number in 1..=capacity {
            let last = weights[weights.len() - 1];
            weights.push(last * load / f64::from(number.min(servers)));
        }
        let sum: f64 = weights.iter().sum();
        let waiting = |(number, weight): (u32, &f64)| f64::from(number.saturating_sub(servers)) * weight;
        (weights[weights.len() - 1] / sum, (0..).zip(&weights).map(waiting).sum::<f64>() / sum)
    }

    proptest! {
        #[test]
        fn a_limited_station_is_the_sum_of_its_states(
            load in prop_oneof![0.01..30.0_f64, (1_u32..20).prop_map(f64::from)],
            servers in 1_u32..20,
            capacity in 1_u32..60,
        ) {
            let (lossy, (loss, waiting)) = (mmck(load / 2.0, 2.0, servers, capacity), by_states(load, servers, capacity));
            prop_assert!(close(lossy.loss, loss), "{} instead of {loss}", lossy.loss);
            prop_assert!(close(lossy.measures.queue_length, waiting), "{} instead of {waiting}", lossy.measures.queue_length);
        }

        #[test]
        fn blocking_follows_erlangs_recursion(load in 0.01..300.0_f64, servers in 1_u32..400) {
            let recursion =
                (1..=servers).fold(1.0, |blocked, server| load * blocked / (f64::from(server) + load * blocked));
            let found = erlang_b(load, servers);
            // Below the least normal number, its inverse is past the largest, and the formula gives 0.
            let tolerance = 1e-11 * recursion + f64::MIN_POSITIVE;
            prop_assert!((found - recursion).abs() <= tolerance, "{found} instead of {recursion}");
        }
    }

    #[test]
    fn the_largest_stations_take_no_time() {
        assert_eq!(erlang_b(2.0, u32::MAX), 0.0);
        assert_eq!(erlang_b(0.0, 3), 0.0);
        // As many servers as load: sqrt(2 / (pi c)), for many (Jagerman 1974).
        let blocked = erlang_b(4e9, 4_000_000_000);
        assert!((blocked / (2.0 / (std::f64::consts::PI * 4e9)).sqrt() - 1.0).abs() < 1e-4, "{blocked}");
        let roomy = mmck(0.5, 1.0, 1, u32::MAX);
        assert!(roomy.loss == 0.0 && close(roomy.measures.queue_length, 0.5));
        let full = mmck(2.0, 1.0, 1, 4_000_000_000);
        assert!(close(full.loss, 0.5) && close(full.measures.queue_length, 4e9 - 2.0));
        let even = mmck(1.0, 1.0, 1, 1_000_000_000);
        assert!((even.loss * 1e9 - 1.0).abs() < 1e-6 && close(even.measures.queue_length, 5e8 - 1.0));
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
