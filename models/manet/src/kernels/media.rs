//! Carrier sense.

/// Medium around a node.
#[imminent_core::kernels]
pub mod medium {
    use crate::kernels::geometry::squared_distance;
    use crate::kernels::grid::{Grid, Spot};
    use crate::kernels::motion::{Motion, Owner, Terms, is_there, on_clock, place_at};
    use crate::kernels::node::{BUSY, Bound, GONE, IDLE, Sense, Signal, Time, WAITS};
    use crate::kernels::team::{NO_RANK, NO_ROW, Note, collect, is_raised, join, raise};
    use crate::kernels::walk::{NONE, Part, begin, next_near};

    /// Flag of a lane that has found a node with an earlier attempt.
    const HAS_EARLIER: u32 = 0;
    /// Flag of a lane that has found a node that transmits.
    const HAS_SENDER: u32 = 1;

    /// Returns `true` if an attempt of one node comes before that of another.
    fn is_before(time: u64, row: u32, other_time: u64, other: u32) -> bool {
        time < other_time || (time == other_time && row < other)
    }

    /// Returns `true` if two nodes are in range and there at a time.
    fn can_sense(id: u32, other: u32, at: u64, terms: &Terms, motion: &Motion) -> bool {
        squared_distance(place_at(id, at, terms, motion), place_at(other, at, terms, motion)) <= terms.reach
            && is_there(other, at, terms, motion)
    }

    /// Senses a part of the medium around a node. Returns [`WAITS`] if a node in range has an earlier attempt.
    fn sense_part(
        id: u32,
        part: Part,
        spot: &Spot,
        terms: &Terms,
        motion: &Motion,
        grid: &Grid,
        signals: &Rows<Signal>,
    ) -> u32 {
        let attempt = signals.get(id).next;
        let at = on_clock(attempt, terms.interval);
        let mut walk = begin(spot, terms.sense_cells, part, terms);
        let mut verdict = IDLE;
        loop {
            let other = next_near(&mut walk, id, spot, terms.sense_reach, terms, grid);
            if other == NONE {
                return verdict;
            }
            let signal = signals.get(other);
            let is_earlier = is_before(signal.next, other, attempt, id);
            // A transmission that began later does not count, but the one before it does.
            let mut until = signal.before;
            if is_before(signal.start, other, attempt, id) {
                until = signal.until;
            }
            // Few nodes attempt or transmit just then, so positions are looked at last.
            if (is_earlier || (at < until && verdict == IDLE)) && can_sense(id, other, at, terms, motion) {
                if is_earlier {
                    return WAITS;
                }
                verdict = BUSY;
            }
        }
    }

    /// Returns `true` if the next attempt of a node is safe and the node is there. Notes the verdict on one that has
    /// left.
    fn seeks(
        id: u32,
        sense: &mut Sense,
        bound: &Bound,
        owner: &Owner,
        signals: &Rows<Signal>,
        motion: &Motion,
        time: &Time,
    ) -> bool {
        if time.rests(bound, owner) {
            return false;
        }
        let terms = time.terms.get(owner.simulation);
        let at = on_clock(signals.get(id).next, terms.interval);
        // A node whose queue needs room has an attempt at time 0, which `act` does not execute.
        if at >= time.horizon(owner).min(terms.end) {
            return false;
        }
        let stays = is_there(id, at, terms, motion);
        if !stays {
            sense.verdict = GONE;
        }
        stays
    }

    /// Finds the nodes whose next attempt is safe, and lets them sense the medium.
    #[kernel]
    pub fn sense(
        sense: &mut Sense,
        bound: &Bound,
        owner: &Owner,
        spot: &Spot,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        time: &Time,
        id: u32,
    ) {
        if seeks(id, sense, bound, owner, signals, motion, time) {
            let all = Part { number: 0, of: 1 };
            sense.verdict = sense_part(id, all, spot, time.terms.get(owner.simulation), motion, grid, signals);
        }
    }

    /// Does what [`sense`](fn@sense) does, by groups whose lanes help one another.
    #[kernel(group = 256)]
    pub fn sense_in_teams(
        group: &mut Group<Note>,
        senses: &mut Each<Sense>,
        bounds: &Each<Bound>,
        owners: &Rows<Owner>,
        spots: &Rows<Spot>,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        time: &Time,
    ) {
        let seekers = group.count((senses, bounds), |lane, (sense, bound)| {
            let seeks = seeks(lane.row(), sense, bound, owners.get(lane.row()), signals, motion, time);
            raise(lane, u32::from(seeks));
            seeks
        });
        if seekers > 0 {
            let share = group.len() / seekers;
            group.phase((), |lane, ()| collect(lane));
            group.phase((), |lane, ()| {
                join(lane, share, seekers);
                let mut flags = 0;
                let note = lane.own();
                if note.row != NO_ROW {
                    let part = Part { number: lane.index() % share, of: share };
                    let terms = time.terms.get(owners.get(note.row).simulation);
                    let verdict = sense_part(note.row, part, spots.get(note.row), terms, motion, grid, signals);
                    if verdict == WAITS {
                        flags = 1 << HAS_EARLIER;
                    } else if verdict == BUSY {
                        flags = 1 << HAS_SENDER;
                    }
                }
                raise(lane, flags);
            });
            group.phase((), |lane, ()| collect(lane));
            group.phase(senses, |lane, sense| {
                let rank = lane.own().rank;
                if rank != NO_RANK {
                    let from = rank * share;
                    sense.verdict = IDLE;
                    if is_raised(lane, HAS_EARLIER, from, from + share) {
                        sense.verdict = WAITS;
                    } else if is_raised(lane, HAS_SENDER, from, from + share) {
                        sense.verdict = BUSY;
                    }
                }
            });
        }
    }
}
