//! Votes, and control flow that depends on them.

#[imminent_core::kernels]
pub mod votes {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub rounds: u32,
    }

    #[derive(Row)]
    pub struct Report {
        pub any: bool,
        pub all: bool,
        pub count: u32,
        pub rounds: u32,
        pub path: u32,
    }

    #[derive(Params)]
    pub struct Rules {
        pub limit: u32,
    }

    /// Takes one vote of each kind.
    #[kernel(group = 64)]
    pub fn each_kind(group: &mut Group<u32>, cells: &Each<Cell>, report: &mut Report, rules: &Rules) {
        report.any = group.any(cells, |_, cell| cell.value == rules.limit);
        report.all = group.all(cells, |_, cell| cell.value <= rules.limit);
        report.count = group.count(cells, |_, cell| cell.value < rules.limit);
    }

    /// Spreads the greatest value through the group until no row changes: each group has its own number of rounds.
    #[kernel(group = 128, reduce = sum)]
    pub fn spread(group: &mut Group<u32>, cells: &mut Each<Cell>, report: &mut Report) -> u32 {
        let last = group.len() - 1;
        group.phase(cells, |lane, cell| lane.set(cell.value));
        let mut rounds = 0;
        while group.any(cells, |lane, cell| {
            let i = lane.index();
            let left = if i == 0 { 0 } else { lane.get(i - 1) };
            let right = if i == last { 0 } else { lane.get(i + 1) };
            let best = left.max(right).max(lane.own());
            if best == lane.own() {
                return false;
            }
            lane.set(best);
            cell.rounds += 1;
            true
        }) {
            rounds += 1;
        }
        group.phase(cells, |lane, cell| cell.value = lane.own());
        report.rounds = rounds;
        rounds
    }

    /// Nested loops, `break`, `continue` and `return`, all decided by votes: every group takes its own path.
    #[kernel(group = 32, reduce = max)]
    pub fn ways(group: &mut Group<u32>, cells: &mut Each<Cell>, report: &mut Report, rules: &Rules) -> u32 {
        let mut path = 1;
        if !group.any(cells, |lane, cell| {
            lane.set(cell.value);
            cell.value % 4 == 3
        }) {
            report.path = path;
            return 7;
        }
        for turn in 0..rules.limit {
            let many = group.count((), |lane, ()| lane.get(lane.index()) > turn * 8);
            path = path * 3 + many;
            if many == 0 {
                break;
            }
            if many % 2 == 1 {
                group.phase((), |lane, ()| lane.set(lane.own() / 2));
                continue;
            }
            let mut inner = 0;
            loop {
                inner += 1;
                let done = group.all(cells, |lane, cell| {
                    if lane.own() > inner * 20 {
                        lane.set(lane.own() - 20);
                        cell.rounds += 1;
                    }
                    lane.own() <= inner * 20 + 40
                });
                if done || inner > 9 {
                    break;
                }
                if group.get(0) == 77 {
                    report.path = path;
                    return 1000 + inner;
                }
            }
            path += inner;
        }
        report.path = path;
        report.rounds = group.count((), |lane, ()| lane.get(0) == lane.own());
        path
    }

    /// Leaves one loop by a vote, and another by the group's own row. Groups fill no whole vectors of a processor.
    #[kernel(group = 13)]
    pub fn enough(group: &mut Group<u32>, cells: &mut Each<Cell>, report: &mut Report) {
        let mut rounds = 0;
        loop {
            if group.any(cells, |_, cell| cell.value <= rounds) {
                break;
            }
            rounds += 1;
        }
        while !report.any {
            report.count += 1;
            report.any = report.count == rounds + 1;
        }
        report.rounds = rounds;
        group.phase(cells, |_, cell| cell.rounds = rounds + 1);
    }

    /// Votes inside expressions, evaluated with short circuits and from left to right.
    #[kernel(group = 64)]
    pub fn in_expressions(group: &mut Group<u32>, cells: &mut Each<Cell>, report: &mut Report, rules: &Rules) {
        let both = group.any(cells, |lane, cell| {
            lane.set(1);
            cell.value > rules.limit
        }) && group.all(cells, |lane, cell| {
            lane.set(2);
            cell.rounds == 0
        });
        report.any = both;
        report.count = group.count(cells, |lane, cell| {
            lane.set(lane.own() * 10);
            cell.value % 2 == 0
        }) + group.get(0);
        report.all = both || group.any((), |lane, ()| lane.row() == 0);
    }
}
