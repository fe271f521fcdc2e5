//! The step advance of the fire.

/// The paper's advance: `findMinTime` and `findImminents` for each distinct time, by one group of 256 lanes.
///
/// A distinct time has one or two imminents, so a launch of all cells is mostly its own cost. Here one group takes many
/// times in a launch, and no other has to be waited for. A lane has the cells at its place of every 16 by 16 tile, so
/// neighbours are at other lanes, which learn of an ignition through shared memory. A lane keeps the next-event times
/// of its cells as a tournament: the least of each 16 cells, the least of each 16 of these, and so on. The tournaments'
/// winners are reduced to the next time (`findMinTime`), and a lane whose winner is due descends to the cell
/// (`findImminents`), as the paper looks only into chunks whose recorded minimum is the time.
///
/// At a time there are rounds, in each of which a lane ignites up to one cell, until no lane has one left; then the
/// cells that were reached are evaluated, once each. Times are kept as *urgency*, the greatest time less the time, so
/// that zero is a cell without a pending ignition and a zeroed table is an unlit forest.
#[imminent_core::kernels]
pub mod step {
    use crate::engine::kernels::tournament::{FANOUT, find, set};
    use crate::fire::kernels::grid::{Ignition, NEVER, SIDE, column, line};

    /// Lanes of the group.
    pub const LANES: u32 = 256;
    /// Value of a cell that is lit at the start.
    const UNITS: u64 = crate::fire::UNITS;
    /// Mark of a cell that was reached at this time.
    const REACHED: u32 = 16;

    /// Cells of a lane, by the number of their tile.
    #[derive(Row)]
    pub struct Places {
        /// Greatest urgency of the cells.
        pub urgency: u32,
        /// The cell that was reached last at this time, plus 1; 0 without one.
        pub reached: u32,
        /// Tournament of urgencies: the cells, then the winners of each 16.
        pub urgencies: Lanes<u32>,
        /// Ignition time plus 1; 0 until the cell burns.
        pub ignited: Lanes<u32>,
        /// 8 less the first direction whose neighbour burns, 0 without one; with a mark if it is new.
        pub rank: Lanes<u32>,
        /// The cell that was reached before, plus 1.
        pub before: Lanes<u32>,
        /// Value computed last.
        pub value: Lanes<u64>,
        /// Value of the neighbour in the first direction that burns.
        pub from: Lanes<u64>,
    }

    /// Time of the group.
    #[derive(Row)]
    pub struct Clock {
        /// Next time, in milliseconds.
        pub time: u32,
        /// Distinct times so far.
        pub times: u32,
    }

    /// Cell that is lit at the start.
    #[derive(Row)]
    pub struct Lit {
        /// Lane that has it.
        pub lane: u32,
        /// Tile of the cell.
        pub tile: u32,
    }

    /// Ignition time of a cell of the grid.
    #[derive(Row)]
    pub struct Burnt {
        /// Milliseconds; `u32::MAX` if it does not burn.
        pub time: u32,
    }

    /// Shape of the grid and of the tournaments, and end of the run.
    #[derive(Params)]
    pub struct Forest {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
        /// Distinct times of a launch.
        pub times: u32,
        /// Levels of a tournament.
        pub levels: u32,
        /// First entry of each level.
        pub starts: [u32; 8],
    }

    /// Message of a lane to the others.
    pub struct Message {
        /// Greatest urgency of the lane's cells.
        pub urgency: u32,
        /// Tile of the cell that ignites, plus 1; 0 without one.
        pub tile: u32,
        /// Value of that cell.
        pub value: u64,
    }

    impl Forest {
        /// Returns the number of tiles side by side.
        pub fn across(&self) -> u32 {
            (self.width + SIDE - 1) / SIDE
        }
    }

    /// Sets the urgency of a cell, and the winners above it.
    fn set_urgency(me: &mut Places, forest: &Forest, cell: u32, urgency: u32) {
        me.urgency = set(&mut me.urgencies, forest.levels, &forest.starts, cell, urgency, me.urgency);
    }

    /// Ignites one cell of a lane that is due, and reports it to the others. Returns `true` if another is due.
    fn ignite(lane: &mut Lane<Message>, me: &mut Places, forest: &Forest, now: u32) -> bool {
        let due = NEVER - now;
        if me.urgency != due {
            lane.set(Message { urgency: me.urgency, tile: 0, value: 0 });
            return false;
        }
        let cell = find(&me.urgencies, forest.levels, &forest.starts, due);
        me.ignited.set(cell, now + 1);
        let value = me.value.get(cell);
        set_urgency(me, forest, cell, 0);
        lane.set(Message { urgency: me.urgency, tile: cell + 1, value });
        me.urgency == due
    }

    /// Place of a lane's neighbour, plus the side of a tile, so that it is not negative.
    struct Beside {
        x: u32,
        y: u32,
    }

    /// Returns the place of the neighbour of a lane in a direction.
    fn beside(lane: u32, direction: u32) -> Beside {
        Beside { x: column(lane % SIDE + SIDE, direction) - 1, y: line(lane / SIDE + SIDE, direction) - 1 }
    }

    impl Beside {
        /// Returns the lane of the neighbour.
        fn lane(self) -> u32 {
            self.y % SIDE * SIDE + self.x % SIDE
        }
    }

    /// Notes which cells of a lane have a neighbour that has ignited in this round.
    ///
    /// Lanes look into all directions before they note anything. A warp then notes what all its lanes have heard at
    /// once, instead of one direction after the other.
    fn hear(lane: &Lane<Message>, me: &mut Places, forest: &Forest) {
        let mut heard = 0u32;
        for direction in 0..8u32 {
            if lane.get(beside(lane.index(), direction).lane()).tile != 0 {
                heard |= 1 << direction;
            }
        }
        while heard != 0 {
            note(lane, me, forest, heard.trailing_zeros());
            heard &= heard - 1;
        }
    }

    /// Notes the cell of a lane whose neighbour in a direction has ignited, if there is one.
    fn note(lane: &Lane<Message>, me: &mut Places, forest: &Forest, direction: u32) {
        let across = forest.across();
        let from = beside(lane.index(), direction);
        let message = lane.get(from.lane());
        // Tile of the cell that sees it, plus 1.
        let tile_x = (message.tile - 1) % across + 2 - from.x / SIDE;
        let tile_y = (message.tile - 1) / across + 2 - from.y / SIDE;
        let inside = tile_x > 0
            && tile_y > 0
            && (tile_x - 1) * SIDE + lane.index() % SIDE < forest.width
            && (tile_y - 1) * SIDE + lane.index() / SIDE < forest.height;
        if inside {
            let cell = (tile_y - 1) * across + tile_x - 1;
            let rank = me.rank.get(cell);
            if me.ignited.get(cell) == 0 && 8 - direction > rank % REACHED {
                me.rank.set(cell, (8 - direction) | REACHED);
                me.from.set(cell, message.value);
                if rank < REACHED {
                    me.before.set(cell, me.reached);
                    me.reached = cell + 1;
                }
            }
        }
    }

    /// Evaluates the cells of a lane that were reached at this time. A cell whose first burning direction is the same
    /// as before would compute the same value, so it is none of them.
    fn evaluate(me: &mut Places, forest: &Forest, now: u32) {
        while me.reached != 0 {
            let cell = me.reached - 1;
            me.reached = me.before.get(cell);
            let rank = me.rank.get(cell) % REACHED;
            me.rank.set(cell, rank);
            if me.ignited.get(cell) == 0 {
                let burning = Ignition { time: now, value: me.from.get(cell) };
                let next = burning.spread(8 - rank, now);
                let pending = Ignition { time: now, value: me.value.get(cell) };
                if me.urgencies.get(cell) == 0 || pending.differs(next.value) {
                    me.value.set(cell, next.value);
                    set_urgency(me, forest, cell, NEVER - next.time);
                }
            }
        }
    }

    /// Takes up to `times` distinct times. Returns the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn advance(group: &mut Group<Message>, places: &mut Each<Places>, clock: &mut Clock, forest: &Forest) -> u32 {
        let mut now = clock.time;
        let mut taken = 0u32;
        while now <= forest.horizon && taken < forest.times {
            let mut more = true;
            while more {
                more = group.any(places, |lane, me| ignite(lane, me, forest, now));
                let last = !more;
                group.phase(places, |lane, me| {
                    hear(lane, me, forest);
                    if last {
                        evaluate(me, forest, now);
                        lane.set(Message { urgency: me.urgency, tile: 0, value: 0 });
                    }
                });
            }
            // Lanes that are 16 apart, so that the 16 that reduce read different banks.
            group.phase((), |lane, ()| {
                if lane.index() < FANOUT {
                    let mut most = 0u32;
                    for at in 0..LANES / FANOUT {
                        most = most.max(lane.get(at * FANOUT + lane.index()).urgency);
                    }
                    lane.set(Message { urgency: most, tile: 0, value: 0 });
                }
            });
            let mut most = 0u32;
            for at in 0..FANOUT {
                most = most.max(group.get(at).urgency);
            }
            now = NEVER - most;
            taken += 1;
        }
        clock.time = now;
        clock.times += taken;
        now
    }

    /// Lights the cells of a lane that are lit at the start.
    #[kernel]
    pub fn light(me: &mut Places, lits: &Rows<Lit>, forest: &Forest, lane: u32) {
        for at in 0..lits.len() {
            let lit = lits.get(at);
            if lit.lane == lane {
                me.value.set(lit.tile, UNITS);
                set_urgency(me, forest, lit.tile, NEVER);
            }
        }
    }

    /// Brings ignition times into the grid.
    #[kernel]
    pub fn collect(burnt: &mut Burnt, places: &Rows<Places>, forest: &Forest, cell: u32) {
        let x = cell % forest.width;
        let y = cell / forest.width;
        let ignited = places.get(y % SIDE * SIDE + x % SIDE).ignited.get(y / SIDE * forest.across() + x / SIDE);
        burnt.time = if ignited == 0 { NEVER } else { ignited - 1 };
    }
}
