//! Tests of links with losses.

use super::{compare, engine, in_singles};
use imminent_traffic::config::TrafficConfig;
use imminent_traffic::fluid::{Memory, Precision};
use imminent_traffic::network::validation;
use imminent_traffic::{Metric, Tcp, Traffic};

#[test]
fn lossy_links_stay_close_to_the_oracle() {
    let network = validation::network().unwrap().with_loss(0.002).unwrap();
    let traffic = Traffic::new(network, validation::flows(0).unwrap(), Metric::Hops, Tcp::default()).unwrap();
    let errors = compare(&traffic, in_singles(), 40);
    println!("{errors:?}");
    assert!(errors.window < 2e-3 && errors.round_trip < 3e-3 && errors.queue < 1e-3, "{errors:?}");
    let errors = compare(&traffic, (Memory::default(), Precision::Double), 40);
    println!("in f64: {errors:?}");
    assert!(errors.all_below(1e-9), "{errors:?}");
}

/// Two fast links in a row with losses, for two TCP sessions and 400 kb/s of UDP.
fn row(losses: [f64; 2]) -> Traffic {
    let links: Vec<_> = [("a", "b"), ("b", "c")]
        .into_iter()
        .zip(losses)
        .map(|((from, to), loss)| format!("[[topology.link]]\nfrom = '{from}'\nto = '{to}'\nloss = {loss}\n"))
        .collect();
    let flows = "[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nsessions = 2\n[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nkind = 'udp'\nrate = 4e5\n";
    let text = format!("[topology]\nbandwidth = 1e9\ndelay = 0.01\n{}{flows}", links.concat());
    TrafficConfig::from_toml(&text, "t").unwrap().traffic().unwrap()
}

/// With dW/dt = 0 equation 1 is `1/R = Wλ/2`. If only links lose, a share p together, `λ = pW/R`.
#[test]
fn windows_settle_and_arrivals_shrink_as_links_lose() {
    let [first, second] = [0.004, 0.01];
    let traffic = row([first, second]);
    for (precision, close) in [(Precision::Single, 1e-3), (Precision::Double, 1e-6)] {
        let mut engine = engine(&traffic, (Memory::default(), precision));
        (0..60).for_each(|_| engine.advance(50).unwrap());
        let (flow, queues) = (engine.flows().unwrap()[0], engine.queues().unwrap());
        let together = 1.0 - (1.0 - first) * (1.0 - second);
        let expected = f64::sqrt(2.0 / together);
        println!("{precision:?}: {} packets, expected {expected}", flow.window);
        assert!((flow.window / expected - 1.0).abs() < close, "{flow:?}");
        assert!((flow.losses * flow.round_trip / (together * flow.window) - 1.0).abs() < close, "{flow:?}");
        let [before, after] = [0, 2].map(|link| {
            let queue = queues.iter().find(|queue| queue.link == link);
            queue.map_or(0.0, |queue| queue.arrivals)
        });
        let sent = 2.0 * 1000.0 * expected / 0.04 + 50_000.0;
        assert!((before / sent - 1.0).abs() < close && (after / before - (1.0 - first)).abs() < close, "{queues:?}");
    }
}
