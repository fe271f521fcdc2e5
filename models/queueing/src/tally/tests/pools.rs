//! Load of pools of servers.

use super::*;

/// A fast server and a slow one without a line: arrivals of rate 1.5 take the fast one of rate 2 if it is free, or else
/// the slow one of rate 1, or are lost.
#[test]
fn pools_have_the_loads_of_their_chain() {
    let pools = "pool = [{ servers = 1, speed = 2.0 }, { servers = 1, shifts = { at = [[0, 1]] } }]";
    let text = Model::along("door desk out")
        .source("door", "rate = 1.5")
        .node("desk", &format!("mean = 1.0; capacity = 2; {pools}"))
        .run("horizon = 6000.0; warm_up = 100.0; replications = 16");
    let experiment = experiment(&text, |_| Wanted { pools: true, ..Wanted::default() });
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let found = findings.tally.as_ref().unwrap().pools(&experiment.network, findings.confidence).unwrap();
    // The law of both servers by the number of the fast one and that of the slow one, by iteration of its balance.
    let mut law = [[0.25; 2]; 2];
    for _ in 0..2_000 {
        let mut next = law;
        for (fast, slow) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut flow = |to: (usize, usize), rate: f64| {
                next[fast][slow] -= 0.1 * rate * law[fast][slow];
                next[to.0][to.1] += 0.1 * rate * law[fast][slow];
            };
            match (fast, slow) {
                (0, slow) => flow((1, slow), 1.5),
                (_, 0) => flow((1, 1), 1.5),
                _ => {}
            }
            if fast == 1 {
                flow((0, slow), 2.0);
            }
            if slow == 1 {
                flow((fast, 0), 1.0);
            }
        }
        law = next;
    }
    let [of_fast, of_slow] = found.as_slice() else { panic!("{found:?}") };
    assert!(of_fast.utilization.covers(law[1][0] + law[1][1], 1.8), "{of_fast:?} {law:?}");
    assert!(of_slow.utilization.covers(law[0][1] + law[1][1], 1.8), "{of_slow:?} {law:?}");
    assert!(of_slow.utilization.half_width().unwrap() < 0.01);
    assert_eq!((of_slow.pool, of_slow.servers, of_slow.name.as_str()), (2, 1, "desk"));
    // Each replication has its own loads.
    let first = &findings.replications[0].pools;
    assert!(first.loads().all(|(_, load)| load.is_some_and(|load| (0.1..0.9).contains(&load))), "{first:?}");
}

/// Servers on duty for half of the time make the load, and so do those that finish a service after their shift.
#[test]
fn a_pool_is_loaded_while_it_is_on_duty() {
    let pools =
        "pool = [{ servers = 1, shifts = { at = [[0, 1], [25, 0]], period = 50 } }, { servers = 2, speed = 0.5 }]";
    let text = Model::along("door desk out")
        .source("door", "interarrival = { law = 'deterministic', value = 10 }")
        .node("desk", &format!("service = {{ law = 'deterministic', value = 6 }}; {pools}"))
        .run("horizon = 505.0; warm_up = 5.0");
    let experiment = experiment(&text, |_| Wanted { pools: true, ..Wanted::default() });
    let findings = experiment.run_watched(host::watched, drop).unwrap();
    let found = findings.tally.as_ref().unwrap().pools(&experiment.network, findings.confidence).unwrap();
    // Tokens come at 0, 10, ... 40 of each period of 50: the first pool serves those of 0, 10 and 20, until 26. The
    // second one serves the others for 12 each.
    let loads: Vec<f64> = found.iter().map(|of| of.utilization.mean.unwrap()).collect();
    let busy = [18.0 / 26.0, 24.0 / 100.0];
    assert!(loads.iter().zip(busy).all(|(load, busy)| (load - busy).abs() < 0.01), "{loads:?} {busy:?}");
}
