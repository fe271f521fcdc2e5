//! Networks whose durations are very short, very long, or far apart.

use super::network;
use crate::config::NetworkConfig;
use crate::experiment::{Experiment, Findings, Timed};
use crate::law::Sampler;
use crate::network::Warning;
use crate::sequential;
use imminent_common::time::Tick;
use proptest::prelude::*;
use std::convert::Infallible;

/// One server with Poisson arrivals, at load 1/2, all times multiplied by `scale`.
fn station(scale: f64) -> Experiment {
    let (service, interarrival, horizon) = (scale, 2.0 * scale, 4000.0 * scale);
    let text = format!(
        "[network]\nedges = [['s', 'a'], ['a', 'out']]\nmean = {service:e}\n[[network.source]]\nname = 's'\nmean = {interarrival:e}
         [run]\nhorizon = {horizon:e}\nwarm_up = {:e}\nreplications = 20",
        horizon / 4.0
    );
    NetworkConfig::from_toml(&text, "net.toml").unwrap().experiment().unwrap()
}

fn findings(experiment: &Experiment) -> Findings {
    experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap()
}

#[test]
fn short_and_long_services_keep_their_load() {
    // 2e-6 is two of the default ticks and gave a utilization of 0.536; 5e6 was refused.
    for scale in [2e-6, 1.0, 5e6] {
        let found = findings(&station(scale));
        let estimate = |name: &str| (found.estimates[name].mean.unwrap(), found.estimates[name].half_width().unwrap());
        // Thrice the half-width: four chances in a million of a false alarm, by Student's law with 19 degrees of
        // freedom.
        let (utilization, half) = estimate("utilization");
        assert!((utilization - 0.5).abs() < 3.0 * half && half < 0.02, "{scale}: {utilization} +- {half}");
        // M/M/1 with load 1/2: twice the mean service.
        let (sojourn, half) = estimate("sojourn");
        assert!(
            (sojourn / scale - 2.0).abs() < 3.0 * half / scale && half / scale < 0.2,
            "{scale}: {sojourn} +- {half}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// If the time unit changes by a power of two, events stay the same. Numbers with a unit change exactly.
    #[test]
    fn another_time_unit_changes_no_event(bits in -80..90_i32) {
        prop_assume!(!(-8..12).contains(&bits));
        let scale = f64::from(bits).exp2();
        let (one, other) = (station(1.0), station(scale));
        prop_assert_eq!((one.network.tick(), other.network.tick()), (Tick::DEFAULT, Tick::of_bits(20 - bits)));
        let (one, other) = (findings(&one), findings(&other));
        prop_assert_eq!(one.digests(), other.digests());
        // The run's digest tells the units apart.
        prop_assert_ne!(one.digest(), other.digest());
        let mean = |found: &Findings, name: &str| found.estimates[name].mean.unwrap();
        prop_assert_eq!(mean(&one, "utilization"), mean(&other, "utilization"));
        prop_assert_eq!(mean(&one, "sojourn") * scale, mean(&other, "sojourn"));
        prop_assert_eq!(mean(&one, "throughput") / scale, mean(&other, "throughput"));
    }
}

#[test]
fn the_tick_is_part_of_the_fingerprint() {
    let (one, other) = (station(1.0).network, station(2_f64.powi(-30)).network);
    assert_eq!(one.samplers(), other.samplers());
    assert_ne!(one.fingerprint(), other.fingerprint());
}

#[test]
fn durations_far_apart_are_drawn_well_or_refused() {
    let ring = |short: &str, long: &str| {
        format!(
            "[network]\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'a'\nmean = {short}\n[[network.node]]\nname = 'b'\nmean = {long}"
        )
    };
    // Above 2^32 ticks an exponential law is drawn by quantiles.
    let far = network(&ring("1e-6", "1e6")).unwrap().experiment().unwrap().network;
    assert!(matches!(far.samplers(), [Sampler::Exponential(4096..), Sampler::Quantiles(_)]), "{:?}", far.tick());
    assert!(far.warnings().is_empty() && far.rounding().unwrap().error().abs() < 2e-4);
    // A network of ordinary scales keeps its tick, and so its digests.
    let near = network(&ring("0.004", "4000")).unwrap().experiment().unwrap().network;
    assert_eq!((near.tick(), near.mean_service(1)), (Tick::DEFAULT, 4000 << 20));
    // A small deviation gives a warning, a larger one is refused.
    let warned = network(&ring("1e-6", "1e8")).unwrap().experiment().unwrap().network;
    let text = warned.warnings().iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = "the law 'exponential' of node 'a' has a mean of 1e-6 time units and is drawn 0.1";
    assert!(text.len() == 1 && text[0].starts_with(expected), "{text:?}");
    for (short, expected) in
        [("1e-7", "the law 'exponential' of node 'a' has a mean of 1e-7"), ("1e-9", "less than a tick")]
    {
        let refused = network(&ring(short, "1e8")).unwrap_err().to_string();
        assert!(
            refused.starts_with("net.toml, line 5: network.node[0].mean: ") && refused.contains(expected),
            "{refused}"
        );
    }
}

#[test]
fn draws_that_miss_their_mean_are_warned_of() {
    // The mean of the heaviest tail allowed depends on draws rarer than 2^-33 too.
    let heavy = "[network]\nlinks = [['a', 'b']]\nservice = { law = 'weibull', mean = 10, shape = 0.1 }";
    let warnings = network(heavy).unwrap().experiment().unwrap().network.warnings();
    assert!(matches!(&warnings[..], [Warning::Rounded { node, .. }] if node == "a"), "{warnings:?}");
    let text = warnings[0].to_string();
    assert!(
        text.starts_with("the law 'weibull' of node 'a' has a mean of 10 time units and is drawn 0.")
            && text.contains("% too short"),
        "{text}"
    );
    let light = heavy.replace("0.1", "2");
    assert!(network(&light).unwrap().experiment().unwrap().network.warnings().is_empty());
}

#[test]
fn a_rate_is_one_over_a_mean_wherever_a_mean_can_stand() {
    let text = "[network]\nclasses = ['x', 'y']\nrate = 0.5\nedges = [['s', 'a'], ['a', 'b'], ['b', 'out']]
        [[network.source]]\nname = 's'\nclass = 'x'\nrate = 0.25
        [[network.node]]\nname = 'a'\nrate = 2\n[network.node.class.x]\nrate = 4";
    let config = NetworkConfig::from_toml(text, "net.toml").unwrap();
    let means = text
        .replace("rate = 0.5", "mean = 2")
        .replace("rate = 0.25", "mean = 4")
        .replace("rate = 2", "mean = 0.5")
        .replace("rate = 4", "mean = 0.25");
    assert!(!means.contains("rate"));
    let by_mean = NetworkConfig::from_toml(&means, "net.toml").unwrap();
    assert_eq!(config.network.network().unwrap(), by_mean.network.network().unwrap());
    let again = NetworkConfig::from_toml(&toml::to_string(&config).unwrap(), "net.toml").unwrap();
    assert_eq!(again, config);
    let open = "[network]\nmean = 1\ngenerate = { shape = 'open', lines = 2, servers = 1, rate = 0.5 }";
    let by_mean = network(&open.replace("rate = 0.5", "mean = 2")).unwrap().network.network().unwrap();
    assert_eq!(network(open).unwrap().network.network().unwrap(), by_mean);
    for (old, new, expected) in [
        (
            "rate = 0.25",
            "rate = 0",
            "net.toml, line 8: network.source[0].rate: 'rate' is 0: give a finite number above 0",
        ),
        (
            "rate = 0.25",
            "rate = 1\nmean = 1",
            "net.toml, line 8: network.source[0].rate: both 'mean' and 'rate' are given",
        ),
        ("rate = 0.5", "rate = nan", "net.toml, line 3: network.rate: 'rate' is NaN"),
    ] {
        let error = network(&text.replace(old, new)).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}
