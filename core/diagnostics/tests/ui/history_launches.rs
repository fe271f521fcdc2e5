//! A history that is written is borrowed exclusively, and only once.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Node { pub upstream: u32 }

    #[kernel]
    pub fn relay(me: &Node, sent: &mut History<u32>, heard: &History<u32>, now: &Clock) {
        sent.set(now.first(), heard.get(me.upstream, now.first()));
    }
}

use imminent_core::{ClockTable, HistoryTable, Queue, Table};

fn twice(queue: &Queue, nodes: &Table<m::Node>, sent: &mut HistoryTable<u32>, clock: &ClockTable) {
    let _ = queue.launch::<m::relay>((nodes, sent, sent, clock));
}

fn shared(queue: &Queue, nodes: &Table<m::Node>, sent: &HistoryTable<u32>, clock: &ClockTable) {
    let _ = queue.launch::<m::relay>((nodes, sent, sent, clock));
}

fn other_entries(queue: &Queue, nodes: &Table<m::Node>, sent: &mut HistoryTable<u64>, heard: &HistoryTable<u32>, clock: &ClockTable) {
    let _ = queue.launch::<m::relay>((nodes, sent, heard, clock));
}

fn main() {}
