//! Histories where they cannot be, and what they cannot do.

#[imminent_core::kernels]
mod kinds {
    #[derive(Row)]
    pub struct Hop {
        upstream: u32,
        sent: History<u32>,
    }

    #[derive(Row)]
    pub struct Line {
        waiting: Lanes<u32>,
    }

    #[derive(Row)]
    pub struct Node {
        upstream: u32,
    }

    fn lane_entries(all: &History<Line>) {}

    fn by_value(all: History<u32>, now: Clock) {}

    fn a_clock_that_changes(now: &mut Clock) {}

    fn a_clock_of_something(now: &Clock<u32>) {}

    #[kernel]
    fn no_clock(me: &mut Node, sent: &mut History<u32>) {}

    #[kernel]
    fn two_clocks(me: &mut Node, a: &Clock, b: &Clock) {}

    #[kernel]
    fn no_row(sent: &mut History<u32>, now: &Clock) {}

    #[kernel(group = 64)]
    fn groups(group: &mut Group<u32>, nodes: &mut Each<Node>, sent: &History<u32>, now: &Clock) {}
}

#[imminent_core::kernels]
mod uses {
    #[derive(Row)]
    pub struct Node {
        upstream: u32,
    }

    fn put(sent: &mut History<u32>, step: u32) {
        sent.set(step, 1);
    }

    #[kernel]
    fn other_rows(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        sent.set(me.upstream, now.first(), 1);
    }

    #[kernel]
    fn read_only(me: &mut Node, sent: &History<u32>, now: &Clock) {
        sent.set(now.first(), 1);
    }

    #[kernel]
    fn lent_to_be_changed(me: &mut Node, sent: &History<u32>, now: &Clock) {
        put(sent, now.first());
    }

    #[kernel]
    fn other_entries(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        sent.set(now.first(), 1.5f32);
        let long: u64 = sent.own(now.first());
    }

    #[kernel]
    fn as_an_array(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        me.upstream = sent[0];
    }

    #[kernel]
    fn as_a_value(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        let copy = sent;
    }

    #[kernel]
    fn unknown(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        me.upstream = sent.latest() + now.last();
    }

    #[kernel]
    fn without_a_row(me: &mut Node, sent: &mut History<u32>, now: &Clock) {
        me.upstream = sent.get(now.first());
    }
}

fn main() {}
