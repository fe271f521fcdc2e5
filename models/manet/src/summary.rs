//! Statistics of a network.

use crate::count::NodeCount;

/// Statistics of a network over all nodes of one replication.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sum over all nodes.
    pub total: NodeCount,
}

impl Summary {
    /// Adds up the statistics of nodes.
    #[must_use]
    pub fn of<'a>(counts: impl IntoIterator<Item = &'a NodeCount>) -> Self {
        let mut total = NodeCount::default();
        for count in counts {
            let add = |into: &mut [u64], from: &[u64]| into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
            add(&mut total.created, &count.created);
            add(&mut total.delivered, &count.delivered);
            add(&mut total.delay, &count.delay);
            add(&mut total.hops, &count.hops);
            add(&mut total.lost, &count.lost);
            total.sent += count.sent;
            total.airtime += count.airtime;
            total.busy += count.busy;
            add(&mut total.control, &count.control);
            total.control_bytes += count.control_bytes;
        }
        Summary { total }
    }

    /// Packets of all kinds that were created.
    #[must_use]
    pub fn created(&self) -> u64 {
        self.total.created.iter().sum()
    }

    /// Packets of all kinds that were delivered.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.total.delivered.iter().sum()
    }

    /// Packets that were lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.total.lost.iter().sum()
    }

    /// Packets that were neither delivered nor lost before the end.
    #[must_use]
    pub fn under_way(&self) -> u64 {
        self.created() - self.delivered() - self.lost()
    }

    /// Delivered packets by created packets, unreachable destinations included; not a number without packets.
    #[must_use]
    pub fn delivery_ratio(&self) -> f64 {
        self.delivered() as f64 / self.created() as f64
    }

    /// Mean delay from end to end of delivered packets in s; that of responses is the time since their requests. Not a
    /// number without packets.
    #[must_use]
    pub fn mean_delay(&self) -> f64 {
        self.total.delay.iter().sum::<u64>() as f64 / 1e6 / self.delivered() as f64
    }

    /// Mean number of hops of delivered packets; not a number without packets.
    #[must_use]
    pub fn mean_hops(&self) -> f64 {
        self.total.hops.iter().sum::<u64>() as f64 / self.delivered() as f64
    }

    /// Transmissions of packets of the routing protocol.
    #[must_use]
    pub fn control(&self) -> u64 {
        self.total.control.iter().sum()
    }

    /// Transmissions of packets of the routing protocol for each delivered packet, the normalized routing load; not a
    /// number without packets.
    #[must_use]
    pub fn routing_load(&self) -> f64 {
        self.control() as f64 / self.delivered() as f64
    }
}
