//! Relaxation in groups: the earliest times at which nodes may still send a token.

/// Lower bounds on the time of each node's next message, relaxed in groups to their fixed point.
///
/// The bound of a node is at first the end of its next service by its own knowledge, and infinity if it knows of no
/// token. Then `bound = min(bound, max(free, EIT) + ahead)` is repeated until nothing changes. `EIT`, the
/// earliest input time, is the least bound of the node's in-neighbours. Bounds only fall, so any order of these updates
/// ends at the same bounds. Nodes are placed with most of their in-neighbours in their own group, whose bounds are in
/// scratch memory.
///
/// A launch brings every group to the fixed point of its own bounds, with outside bounds from the previous launch. A
/// group without changes outside has nothing to do.
#[imminent_core::kernels]
pub mod relaxation {
    /// Number of nodes of a group.
    pub const SIZE: u32 = 256;
    /// Largest number of in-neighbours of a node that are read within its group.
    pub const NEAR: u32 = 4;
    /// Number of bits of a place in the group.
    const PLACE_BITS: u32 = 8;

    /// In-neighbours of a node: up to [`NEAR`] nodes of its group, and others.
    #[derive(Row)]
    pub struct Reach {
        /// Places of the in-neighbours in the group, eight bits each. Unused entries repeat one of them, or name the
        /// node itself if there is none.
        pub places: u32,
        /// Number of in-neighbours in the group.
        pub near: u32,
        /// Index of the first other in-neighbour in the table of far nodes.
        pub first_far: u32,
        /// Number of other in-neighbours.
        pub far: u32,
    }

    /// An entry of the lists of far nodes.
    #[derive(Row)]
    pub struct Far {
        /// Row of the node.
        pub node: u32,
    }

    /// Lookahead of a node from its own servers.
    #[derive(Row)]
    pub struct Lookahead {
        /// Earliest time, in ticks, at which a server is free for the next service.
        pub free: u64,
        /// Shortest duration, in ticks, of the next services, as many as there are servers. No later service can end
        /// before one of these has.
        pub ahead: u64,
    }

    /// Lower bound on the time of a node's next message.
    #[derive(Row)]
    pub struct Bound {
        /// Time of the bound, in ticks.
        pub time: u64,
    }

    impl Reach {
        /// Returns the place in the group of in-neighbour `k`.
        pub fn place(&self, k: u32) -> u32 {
            (self.places >> (k * PLACE_BITS)) % SIZE
        }
    }

    impl Lookahead {
        /// Returns the bound of the node if nothing comes to it before `input`.
        pub fn bound(&self, input: u64) -> u64 {
            self.free.max(input).saturating_add(self.ahead)
        }
    }

    /// Returns the first row of the group that contains a row.
    pub fn first_of_group(row: u32) -> u32 {
        row - row % SIZE
    }

    /// Lowers the bound of a node by those of its in-neighbours in the group; returns `true` if it fell.
    pub fn falls(lane: &mut Lane<u64>, me: &Lookahead, reach: &Reach) -> bool {
        let mut input = u64::MAX;
        for k in 0..NEAR {
            input = input.min(lane.get(reach.place(k)));
        }
        let bound = me.bound(input);
        if bound < lane.own() {
            lane.set(bound);
            return true;
        }
        false
    }

    /// Returns the least bound of the in-neighbours of the node in this row: all messages to come are at this time or
    /// later.
    pub fn input(reach: &Reach, row: u32, bounds: &Rows<Bound>, fars: &Rows<Far>) -> u64 {
        let first = first_of_group(row);
        let mut input = u64::MAX;
        if reach.near > 0 {
            for k in 0..NEAR {
                input = input.min(bounds.get(first + reach.place(k)).time);
            }
        }
        for edge in reach.first_far..reach.first_far + reach.far {
            input = input.min(bounds.get(fars.get(edge).node).time);
        }
        input
    }

    /// Relaxes the bounds of every group, with outside bounds from the previous launch. Raises `fell` if a bound fell,
    /// and clears the flag of the `next` launch.
    #[kernel(group = 256)]
    pub fn relax(
        group: &mut Group<u64>,
        lookaheads: &Each<Lookahead>,
        reaches: &Each<Reach>,
        bounds: &mut Each<Bound>,
        before: &Rows<Bound>,
        fars: &Rows<Far>,
        fell: &Tally<u32>,
        next: &Tally<u32>,
    ) {
        if group.index() == 0 {
            next.and(0, 0);
        }
        let mut falling = group.any((lookaheads, reaches), |lane, (me, reach)| {
            let known = before.get(lane.row()).time;
            let mut input = u64::MAX;
            for edge in reach.first_far..reach.first_far + reach.far {
                input = input.min(before.get(fars.get(edge).node).time);
            }
            let bound = me.bound(input);
            lane.set(known.min(bound));
            bound < known
        });
        if falling {
            fell.or(0, 1);
        }
        while falling {
            falling = group.any((lookaheads, reaches), |lane, (me, reach)| falls(lane, me, reach));
        }
        group.phase(bounds, |lane, bound| bound.time = lane.own());
    }
}
