//! Relaxation in groups: the earliest times at which nodes may still send something.

/// The bounds below which nodes send nothing more, relaxed in groups to their fixed point.
///
/// The bound of a node is at first the end of its next service as far as the node itself knows, and infinity where it knows of
/// no token. Then `bound = min(bound, max(free, EIT) + ahead)`, where `EIT`, the earliest input time, is the least bound of its in-neighbours, until
/// nothing changes. Bounds only fall, so any order of these updates ends at the same bounds. Nodes are placed so that most in-neighbours of
/// a node are in its group, whose bounds meet in scratch memory.
///
/// A launch brings every group to the fixed point of its own bounds, those outside being as the launch before left them. So a group to which nothing
/// comes from outside has nothing to do.
#[imminent_core::kernels]
pub mod relaxation {
    /// Nodes of a group.
    pub const SIZE: u32 = 256;
    /// In-neighbours of a node that it can meet in its group.
    pub const NEAR: u32 = 4;
    /// Bits of the place of one of them.
    const PLACE_BITS: u32 = 8;

    /// Who can send to a node: up to [`NEAR`] nodes of its group, and others.
    #[derive(Row)]
    pub struct Reach {
        /// The places of those in its group, eight bits each. What is left over repeats one of them, or names the node itself where there is none.
        pub places: u32,
        /// How many those are.
        pub near: u32,
        /// Where the others begin in the table of far nodes.
        pub first_far: u32,
        /// How many those are.
        pub far: u32,
    }

    /// An entry of the lists of far nodes.
    #[derive(Row)]
    pub struct Far {
        /// The row of the node.
        pub node: u32,
    }

    /// What a node knows of its own next services.
    #[derive(Row)]
    pub struct Outlook {
        /// When the next one can start at the earliest, for want of a free server, in ticks.
        pub free: u64,
        /// The least time that any of the next services can take, of as many as there are servers, in ticks: no later one can end before one of
        /// these has.
        pub ahead: u64,
    }

    /// A time before which a node sends nothing.
    #[derive(Row)]
    pub struct Bound {
        /// The time, in ticks.
        pub time: u64,
    }

    impl Reach {
        /// The place in the group of in-neighbour `k`.
        pub fn place(&self, k: u32) -> u32 {
            (self.places >> (k * PLACE_BITS)) % SIZE
        }
    }

    impl Outlook {
        /// The bound of the node if nothing comes to it before `input`.
        pub fn bound(&self, input: u64) -> u64 {
            self.free.max(input).saturating_add(self.ahead)
        }
    }

    /// The first row of the group in which a row is.
    pub fn first_of_group(row: u32) -> u32 {
        row - row % SIZE
    }

    /// Lowers the bound of a node to what those of its in-neighbours in the group allow, and tells whether it fell.
    pub fn falls(lane: &mut Lane<u64>, me: &Outlook, reach: &Reach) -> bool {
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

    /// The least bound of the in-neighbours of the node in this row: nothing that is still to come to it is earlier.
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

    /// Lets the bounds of every group fall, the bounds outside it being those of the launch before. Raises `fell` if one did, and clears
    /// the flag of the `next` launch.
    #[kernel(group = 256)]
    pub fn relax(
        group: &mut Group<u64>,
        outlooks: &Each<Outlook>,
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
        let mut falling = group.any((outlooks, reaches), |lane, (me, reach)| {
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
            falling = group.any((outlooks, reaches), |lane, (me, reach)| falls(lane, me, reach));
        }
        group.phase(bounds, |lane, bound| bound.time = lane.own());
    }
}
