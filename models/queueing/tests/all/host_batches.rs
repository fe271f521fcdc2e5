//! Service in batches: Bailey's and Neuts' bulk service against Markov chains, and rules by hand.

use crate::host_replays::of_desk;
use crate::host_runs::{Runs, stationary};

const MOST: usize = 200;

/// Mean number that waits in M/M[a,b]/1: states are those that wait beside an idle server, then beside a busy one.
fn waiting_in_bulk(lambda: f64, mu: f64, [a, b]: [usize; 2]) -> f64 {
    let law = stationary(a + MOST, |state| {
        let mut moves = vec![];
        if state < a {
            moves.push((if state + 1 < a { state + 1 } else { a }, lambda));
            return moves;
        }
        let waiting = state - a;
        if waiting + 1 < MOST {
            moves.push((state + 1, lambda));
        }
        moves.push((if waiting < a { waiting } else { a + waiting - waiting.min(b) }, mu));
        moves
    });
    let waits = |state: usize| if state < a { state } else { state - a };
    law.iter().enumerate().map(|(state, share)| waits(state) as f64 * share).sum()
}

#[test]
fn batches_are_served_as_neuts_found() {
    for (keys, [a, b]) in [("most = 4", [1, 4]), ("least = 3, most = 5", [3, 5]), ("least = 3, most = 3", [3, 3])] {
        let text = format!(
            "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\nrate = 1.8\n\
             [[network.node]]\nname = 'desk'\nmean = 1.25\nbulk = {{ {keys} }}\n"
        );
        let runs = Runs::of(&text, 500.0, 15_500.0);
        let waiting = waiting_in_bulk(1.8, 0.8, [a, b]);
        runs.waiting("desk", None, waiting / 1.8);
        runs.sojourn("desk", None, waiting / 1.8 + 1.25);
        runs.number("desk", waiting + 1.8 * 1.25);
        runs.queue_length("desk", waiting);
        runs.throughput("desk", 1.8);
    }
}

#[test]
fn a_full_batch_starts_at_once_and_others_after_their_wait() {
    let table = "time,kind,take\n0,a,2\n1,a,3\n10,a,1\n11,b,2\n12,a,4\n12,a,4\n13,a,1\n";
    let keys = "bulk = { least = 3, most = 3, wait = 5 }";
    // The first two wait until 5, and take the time of the first of them. Three are there at 12; the next is alone
    // until its wait ends, while the one that comes at 13 rides along.
    let expected = [
        (0, 0.0, 5.0, 7.0),
        (0, 1.0, 5.0, 7.0),
        (0, 10.0, 12.0, 13.0),
        (1, 11.0, 12.0, 13.0),
        (0, 12.0, 12.0, 13.0),
        (0, 12.0, 17.0, 21.0),
        (0, 13.0, 17.0, 21.0),
    ];
    assert_eq!(of_desk("full.csv", table, keys), expected);
    // Two servers: the second begins while the first is busy; priorities choose who is in a batch.
    let table = "time,kind,take\n0,a,2\n0,a,5\n0,b,9\n1,b,3\n1,a,6\n1,b,8\n";
    let keys =
        "servers = 2\ndiscipline = 'priority'\nbulk = { least = 2, most = 2 }\n[network.node.class.a]\npriority = 1";
    let expected = [
        (1, 0.0, 0.0, 9.0),
        (0, 0.0, 0.0, 9.0),
        (1, 1.0, 1.0, 4.0),
        (1, 1.0, 1.0, 4.0),
        (0, 0.0, 4.0, 9.0),
        (0, 1.0, 4.0, 9.0),
    ];
    let mut found = of_desk("two.csv", table, keys);
    found.sort_by(|one, other| (one.2, one.1).partial_cmp(&(other.2, other.1)).unwrap());
    assert_eq!(found.len(), expected.len());
    for one in expected {
        assert!(found.contains(&one), "{one:?} is none of {found:?}");
    }
}
