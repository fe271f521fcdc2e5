//! How far ahead each node can look, and what follows for the others.

/// The bounds below which nodes send nothing more, relaxed in groups to their fixed point.
///
/// The bound of a node is at first the end of its next service at the earliest, as far as the node itself knows, and infinity where it knows of
/// no token. Then `bound = min(bound, max(free, EIT) + ahead)`, where `EIT` is the least bound of its in-neighbours, until nothing
/// changes. Bounds only fall, so any order of these updates ends at the same bounds. Nodes are placed so that most in-neighbours of
/// a node are in its group, whose bounds meet in scratch memory.
#[imminent_core::kernels]
pub mod outlook {
    use crate::queueing::kernels::station::Source;

    /// Nodes of a group.
    pub const SIZE: u32 = 256;
    /// Updates of a group's bounds in one launch, at most: more are for the next launch, when the other groups have moved on too.
    pub const MOST_ROUNDS: u32 = 8;

    /// What a node knows of its own next services.
    #[derive(Row)]
    pub struct Outlook {
        /// When the next service can start at the earliest, for want of a free server, in ticks.
        pub free: u64,
        /// The least time that any of the next services can take, of as many as there are servers: no later one can end before one of
        /// these has.
        pub ahead: u64,
        /// Where its in-neighbours begin in the table of sources.
        pub first_source: u32,
        /// How many in-neighbours it has.
        pub sources: u32,
    }

    /// A time before which a node sends nothing.
    #[derive(Row)]
    pub struct Bound {
        /// The time, in ticks.
        pub time: u64,
        /// The least bound of its in-neighbours: all its arrivals before it are known.
        pub input: u64,
    }

    /// What a group knows of a node.
    pub struct Known {
        /// Its bound so far.
        pub bound: u64,
        /// The least bound of its in-neighbours outside the group.
        pub outside: u64,
    }

    /// The least bound of a node's in-neighbours: of those in the group as it is now, of those outside as they were when the launch began.
    pub fn input(lane: &Lane<Known>, me: &Outlook, first: u32, sources: &Rows<Source>) -> u64 {
        let mut input = lane.own().outside;
        for edge in me.first_source..me.first_source + me.sources {
            let at = sources.get(edge).node.wrapping_sub(first);
            if at < SIZE {
                input = input.min(lane.get(at).bound);
            }
        }
        input
    }

    /// Lowers the bound of a node to what its in-neighbours allow, and tells whether it fell.
    pub fn falls(lane: &mut Lane<Known>, me: &Outlook, first: u32, sources: &Rows<Source>) -> bool {
        let known = lane.own();
        let bound = me.free.max(input(lane, me, first, sources)).saturating_add(me.ahead);
        if bound < known.bound {
            lane.set(Known { bound, ..known });
        }
        bound < known.bound
    }

    /// Lets the bounds of every group fall, the bounds outside it being those of the launch before. Raises `fell` if one did, and clears
    /// the flag of the `next` launch. Where none falls in a whole launch, every `input` is final too.
    #[kernel(group = 256)]
    pub fn relax(
        group: &mut Group<Known>,
        outlooks: &Each<Outlook>,
        bounds: &mut Each<Bound>,
        before: &Rows<Bound>,
        sources: &Rows<Source>,
        fell: &Tally<u32>,
        next: &Tally<u32>,
    ) {
        if group.index() == 0 {
            next.and(0, 0);
        }
        let first = group.index() * SIZE;
        group.phase(outlooks, |lane, me| {
            let mut outside = u64::MAX;
            for edge in me.first_source..me.first_source + me.sources {
                let node = sources.get(edge).node;
                if node.wrapping_sub(first) >= SIZE {
                    outside = outside.min(before.get(node).time);
                }
            }
            lane.set(Known { bound: before.get(lane.row()).time, outside });
        });
        let mut rounds = 0;
        let mut falling = true;
        while falling && rounds < MOST_ROUNDS {
            falling = group.any(outlooks, |lane, me| falls(lane, me, first, sources));
            rounds += 1;
        }
        // The last round may have been the only one, with nothing to do; where the rounds ran out, bounds may still fall.
        if rounds > 1 || falling {
            fell.or(0, 1);
        }
        group.phase((bounds, outlooks), |lane, (bound, me)| {
            bound.time = lane.own().bound;
            bound.input = input(lane, me, first, sources);
        });
    }
}
