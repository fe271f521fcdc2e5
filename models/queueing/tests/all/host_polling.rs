//! A server that goes from queue to queue: pseudo-conservation laws of Boxma and Groenendijk, and rules by hand.

use crate::host_replays::of_desk;
use crate::host_runs::Runs;

/// Three queues with rates 0.2, 0.1 and 0.3, and services that are exponential, constant and uniform.
fn queues(visits: &str) -> Runs {
    let text = format!(
        "[network]\nclasses = ['a', 'b', 'c']\nedges = [['x', 'desk'], ['y', 'desk'], ['z', 'desk'], ['desk', 'out']]\n\
         [[network.source]]\nname = 'x'\nclass = 'a'\nrate = 0.2\n[[network.source]]\nname = 'y'\nclass = 'b'\nrate = 0.1\n\
         [[network.source]]\nname = 'z'\nclass = 'c'\nrate = 0.3\n\
         [[network.node]]\nname = 'desk'\npolling = {{ visits = {visits}, switch = {{ mean = 0.2 }} }}\n\
         [network.node.class.a]\nmean = 1.0\n\
         [network.node.class.b]\nservice = {{ law = 'deterministic', value = 2.0 }}\nswitch = {{ law = 'deterministic', value = 0.3 }}\n\
         [network.node.class.c]\nservice = {{ law = 'uniform', low = 0.0, high = 1.0 }}\n"
    );
    Runs::of(&text, 500.0, 30_500.0)
}

const RATE: [f64; 3] = [0.2, 0.1, 0.3];
const LOAD: [f64; 3] = [0.2, 0.2, 0.15];

/// Terms of the law that all rules have: the mean amount of work without switching, and that of a switch.
fn common() -> f64 {
    let second = [2.0, 4.0, 1.0 / 3.0];
    let rho: f64 = LOAD.iter().sum();
    let work: f64 = RATE.iter().zip(second).map(|(rate, second)| rate * second).sum::<f64>() / (2.0 * (1.0 - rho));
    // A cycle has two exponential times of mean 0.2 and a constant one of 0.3.
    let (s, variance) = (0.7_f64, 2.0 * 0.04);
    rho * work + rho * (variance + s * s) / (2.0 * s)
}

#[test]
fn all_who_wait_are_served() {
    let (rho, s) = (LOAD.iter().sum::<f64>(), 0.7);
    let squares: f64 = LOAD.iter().map(|load| load * load).sum();
    let runs = queues("'exhaustive'");
    runs.waits("desk", &LOAD, common() + s / (2.0 * (1.0 - rho)) * (rho * rho - squares));
    runs.throughput("desk", 0.6);
}

#[test]
fn those_are_served_who_waited_when_the_server_came() {
    let (rho, s) = (LOAD.iter().sum::<f64>(), 0.7);
    let squares: f64 = LOAD.iter().map(|load| load * load).sum();
    queues("'gated'").waits("desk", &LOAD, common() + s / (2.0 * (1.0 - rho)) * (rho * rho + squares));
}

#[test]
fn one_is_served_at_a_time() {
    let (rho, s) = (LOAD.iter().sum::<f64>(), 0.7);
    let squares: f64 = LOAD.iter().map(|load| load * load).sum();
    let factors: Vec<f64> = RATE.iter().zip(LOAD).map(|(rate, load)| load * (1.0 - rate * s / (1.0 - rho))).collect();
    queues("1").waits("desk", &factors, common() + s / (2.0 * (1.0 - rho)) * (rho * rho + squares));
}

#[test]
fn a_server_that_needs_no_time_to_switch_is_never_idle_in_vain() {
    // Two equal queues: work is conserved, so the mean wait is that of M/M/1.
    let text = "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['x', 'desk'], ['y', 'desk'], ['desk', 'out']]\n\
                [[network.source]]\nname = 'x'\nclass = 'a'\nrate = 0.3\n[[network.source]]\nname = 'y'\nclass = 'b'\nrate = 0.3\n\
                [[network.node]]\nname = 'desk'\npolling = { visits = 'gated' }\n";
    Runs::of(text, 500.0, 20_500.0).waiting("desk", None, 1.5);
}

#[test]
fn queues_are_visited_in_their_order() {
    // Both wait at 0. The server comes to 'a' at 0, and to 'b' one time unit after it has left 'a'.
    let table = "time,kind,take\n0,a,2\n0,b,3\n1,a,4\n2,b,1\n20,a,1\n";
    let constant = "law = 'deterministic', value = 1.0";
    let gated = format!("polling = {{ visits = 'gated', switch = {{ {constant} }} }}");
    // It leaves 'a' at 2, serves the two of 'b' from 3 on, of whom the second came at 2; comes to 'a' at 8.
    // Then it goes round: at 'b' at 13 and 'a' at 14, ..., 'a' at 20.
    let expected =
        [(0, 0.0, 0.0, 2.0), (1, 0.0, 3.0, 6.0), (1, 2.0, 6.0, 7.0), (0, 1.0, 8.0, 12.0), (0, 20.0, 20.0, 21.0)];
    assert_eq!(of_desk("gated.csv", table, &gated), expected);
    let all = format!("polling = {{ order = ['b', 'a'], switch = {{ {constant} }} }}");
    // From 'b', 0 to 3 and the one that came at 2 until 4, to 'a' at 5: both are served, 5 to 7 and 7 to 11.
    let expected =
        [(1, 0.0, 0.0, 3.0), (1, 2.0, 3.0, 4.0), (0, 0.0, 5.0, 7.0), (0, 1.0, 7.0, 11.0), (0, 20.0, 21.0, 22.0)];
    assert_eq!(of_desk("all.csv", table, &all), expected);
    let one = format!("polling = {{ visits = 1, switch = {{ {constant} }} }}");
    // 'a' 0 to 2, 'b' 3 to 6, 'a' 7 to 11, 'b' 12 to 13; 'a' at 14, 16, 18, 20.
    let expected =
        [(0, 0.0, 0.0, 2.0), (1, 0.0, 3.0, 6.0), (0, 1.0, 7.0, 11.0), (1, 2.0, 12.0, 13.0), (0, 20.0, 20.0, 21.0)];
    assert_eq!(of_desk("one.csv", table, &one), expected);
}
