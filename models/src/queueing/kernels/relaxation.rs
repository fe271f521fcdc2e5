//! The exact engine's relaxation in groups.

/// The exact engine by relaxation: every step first finds, to the fixed point, the time before which each node sends nothing, and
/// then serves every token that no earlier one can overtake.
///
/// The bound of a node starts at the end of its next service where a token waits, and at infinity where none does; then
/// `bound = min(bound, max(free_at, EIT) + next_service)`, where `EIT` is the least bound of its in-neighbours, until nothing changes.
/// Bounds only fall, so any order of these updates ends at the same bounds. Nodes are placed so that most in-neighbours of a node
/// are in its group, whose bounds meet in scratch memory.
#[imminent_core::kernels]
pub mod tiles {
    use crate::queueing::kernels::station::{Run, Source, Station, Target};

    /// Nodes of a group.
    pub const SIZE: u32 = 256;
    /// Updates of a group's bounds in one launch, at most: more are for the next launch, when the other groups have moved on too.
    const MOST_ROUNDS: u32 = 8;

    /// A time before which a node sends nothing.
    #[derive(Row)]
    pub struct Bound {
        /// The time, in ticks.
        pub time: u64,
    }

    /// The token that a node sent in the last step.
    #[derive(Row)]
    pub struct Parcel {
        /// When it arrives.
        pub time: u64,
        /// The node to which it goes, counted from 1; 0 if none is sent.
        pub to: u32,
    }

    /// What a group knows of a node.
    pub struct Known {
        /// Its bound so far.
        pub bound: u64,
        /// The least bound of its in-neighbours outside the group.
        pub outside: u64,
    }

    /// The bound of a node as its in-neighbours in the group have it now; those outside as they were when the launch began.
    fn bound_now(me: &Station, lane: &Lane<Known>, first: u32, sources: &Rows<Source>) -> u64 {
        let mut input = lane.own().outside;
        for edge in me.first_source..me.first_source + me.sources {
            let at = sources.get(edge).node.wrapping_sub(first);
            if at < SIZE {
                input = input.min(lane.get(at).bound);
            }
        }
        me.free_at.max(input).saturating_add(me.next_service)
    }

    /// Begins a step, in which nothing is `served` yet: every node takes in the tokens that were sent to it and bounds what it can send itself, as far as its own group
    /// tells.
    #[kernel(group = 256)]
    pub fn begin(
        group: &mut Group<Known>,
        stations: &mut Each<Station>,
        bounds: &mut Each<Bound>,
        parcels: &Rows<Parcel>,
        sources: &Rows<Source>,
        fullest: &Tally<u32>,
        served: &Tally<u32>,
    ) {
        if group.index() == 0 {
            served.and(0, 0);
        }
        let first = group.index() * SIZE;
        group.phase(stations, |lane, me| {
            for edge in me.first_source..me.first_source + me.sources {
                let from = parcels.get(sources.get(edge).node);
                if from.to == lane.row() + 1 {
                    me.arrive(from.time);
                }
            }
            // A step brings at most one token from every in-neighbour.
            if me.waiting + me.sources > me.line.capacity() {
                fullest.max(0, me.waiting + me.sources);
            }
            let mut bound = u64::MAX;
            if me.waiting > 0 {
                bound = me.free_at.max(me.earliest()).saturating_add(me.next_service);
            }
            lane.set(Known { bound, outside: u64::MAX });
        });
        let mut rounds = 0;
        let mut falling = true;
        while falling && rounds < MOST_ROUNDS {
            falling = group.any(stations, |lane, me| {
                let known = lane.own();
                let bound = bound_now(me, lane, first, sources);
                if bound < known.bound {
                    lane.set(Known { bound, ..known });
                }
                bound < known.bound
            });
            rounds += 1;
        }
        group.phase(bounds, |lane, bound| bound.time = lane.own().bound);
    }

    /// Lets the bounds of every group fall, the bounds outside it being those of the launch before. Raises `fell` if one did, and clears
    /// the flag of the `next` launch.
    #[kernel(group = 256)]
    pub fn relax(
        group: &mut Group<Known>,
        stations: &Each<Station>,
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
        group.phase(stations, |lane, me| {
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
            falling = group.any(stations, |lane, me| {
                let known = lane.own();
                let bound = bound_now(me, lane, first, sources);
                if bound < known.bound {
                    lane.set(Known { bound, ..known });
                }
                bound < known.bound
            });
            rounds += 1;
        }
        // The last round may have been the only one, with nothing to do; where the rounds ran out, bounds may still fall.
        if rounds > 1 || falling {
            fell.or(0, 1);
        }
        group.phase(bounds, |lane, bound| bound.time = lane.own().bound);
    }

    /// Ends a step: every node serves the first of its line if nothing earlier can still arrive, and sends it.
    #[kernel(group = 256)]
    pub fn serve(
        group: &mut Group<bool>,
        stations: &mut Each<Station>,
        parcels: &mut Each<Parcel>,
        bounds: &Rows<Bound>,
        sources: &Rows<Source>,
        targets: &Rows<Target>,
        served: &Tally<u32>,
        run: &Run,
    ) {
        let any = group.any((stations, parcels), |_lane, (me, parcel)| {
            parcel.to = 0;
            if me.waiting == 0 {
                return false;
            }
            let mut input = u64::MAX;
            for edge in me.first_source..me.first_source + me.sources {
                input = input.min(bounds.get(sources.get(edge).node).time);
            }
            let arrival = me.earliest();
            let start = me.free_at.max(arrival);
            let now = arrival <= input && start < run.horizon;
            if now {
                me.remove_earliest();
                let departure = me.serve(arrival, start, targets, run);
                parcel.time = departure.time;
                parcel.to = departure.to;
            }
            now
        });
        if any {
            served.or(0, 1);
        }
    }
}
