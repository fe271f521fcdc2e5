//! Groups: votes, captures of closures, and the code between phases.

#[imminent_core::kernels]
pub mod groups {
    use crate::language::cells::cells::*;

    /// Arguments of a kernel beside its group.
    #[derive(Bundle)]
    pub struct Tables {
        pub cells: &mut Each<Cell>,
        pub posts: &Each<Post>,
        pub total: &mut Post,
        pub past: &Rows<Post>,
        pub p: &Par,
        pub counts: &Tally<u64>,
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn votes(group: &mut Group<bool>, tables: &mut Tables) -> u64 {
        let any = group.any(tables.cells, |lane, cell| {
            lane.set(cell.flag);
            cell.a > tables.p.scale
        });
        let all = group.all(tables.cells, |lane, cell| lane.own() || cell.b < 100);
        let some = group.count(tables.cells, |lane, cell| lane.get(0) != cell.flag);
        if any && group.all((), |lane, ()| lane.get(1)) || all {
            tables.total.to += some;
            tables.counts.add(1, 1);
        }
        let chosen =
            if group.any(tables.cells, |_, cell| cell.c < 0) { 1 } else { group.count((), |lane, ()| lane.own()) };
        tables.total.marks[(chosen % 4) as usize] += match group.count(tables.cells, |_, cell| cell.d > 5) {
            0 => 7,
            1 | 2 => some,
            n => n * 100,
        };
        u64::from(any) + u64::from(all) * 2 + chosen as u64 * 4
    }

    #[kernel(group = 5, reduce = sum)]
    pub fn loops(group: &mut Group<u32>, tables: &mut Tables) -> u64 {
        group.phase(tables.cells, |lane, cell| lane.set(cell.a % 16));
        let mut rounds = 0;
        let size = group.size();
        while group.any(tables.cells, |lane, cell| {
            let other = lane.get((lane.index() + 1) % size);
            if other > lane.own() {
                lane.set(other);
                cell.b += 1;
                return true;
            }
            false
        }) {
            rounds += 1;
            if rounds > 3 {
                break;
            }
        }
        for turn in 0..tables.p.scale % 4 {
            if turn == 1 {
                continue;
            }
            let mut inner = 2;
            loop {
                group.phase(tables.cells, |lane, cell| {
                    let mut sum = 0;
                    for i in 0..lane.index() {
                        if i == turn {
                            continue;
                        }
                        sum += lane.get(i) + inner;
                        if sum > 50 {
                            break;
                        }
                    }
                    cell.out[(turn + inner) as usize] += sum as u64;
                    lane.set(lane.own() / 2 + sum);
                });
                tables.counts.add(2, turn as u64);
                inner -= 1;
                if inner == 0 || group.all((), |lane, ()| lane.get(lane.index()) == 0) {
                    break;
                }
            }
        }
        tables.total.to = rounds;
        group.get(rounds % size) as u64
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn captures(
        group: &mut Group<u64>,
        cells: &mut Each<Cell>,
        _posts: &Each<Post>,
        _total: &mut Post,
        past: &Rows<Post>,
        p: &Par,
        counts: &Tally<u64>,
    ) -> u64 {
        let mut pair = Pair { a: p.scale, b: -3 };
        let mut list = [0; 3];
        for i in 0..3 {
            list[i as usize] = p.weights[i as usize] + i;
        }
        let many = past.len();
        let mut state = 0;
        for round in 0..3 {
            let a = round * 2;
            group.phase(cells, |lane, cell| {
                let a = cell.a + a;
                let mine = Pair { a, ..pair };
                let mut own = mine;
                own.stir(round);
                cell.pair = own;
                cell.few[(list[round as usize] % 7) as usize] = past.get(lane.index() % (many + 1)).to;
                lane.set(lane.own() + own.total() as u64 + state);
                counts.add(0, p.limit);
                cell.phase = if own.a > 9 { Phase::Done } else { Phase::Busy };
            });
            pair.a += 1;
            state += group.get(round);
        }
        state
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn faults(
        group: &mut Group<u32>,
        cells: &mut Each<Cell>,
        _posts: &Each<Post>,
        total: &mut Post,
        past: &Rows<Post>,
        p: &Par,
        counts: &Tally<u64>,
    ) -> u64 {
        group.phase(cells, |lane, cell| {
            lane.set(cell.a % 6);
            if cell.flag {
                assert!(cell.b < 40, "flagged");
            }
        });
        group.phase(cells, |lane, cell| {
            cell.b = lane.get(lane.own());
            cell.a /= cell.b;
            cell.few[lane.own() as usize] = 3;
        });
        let first = group.get(p.scale % 5);
        total.to = past.get(first).to % first;
        counts.add(first, 1);
        group.phase(cells, |lane, cell| cell.line.set(lane.get(1), 1));
        1
    }

    fn peek(lane: &Lane<u32>, by: u32) -> u32 {
        lane.get((lane.index() + by) % 4) + lane.own()
    }

    fn poke(lane: &mut Lane<u32>, cell: &mut Cell, value: u32) -> bool {
        let before = peek(lane, 2);
        lane.set(value);
        cell.b += lane.own() - before;
        if value % 2 == 0 {
            return true;
        }
        lane.set(lane.own() + 1);
        false
    }

    fn count(counts: &Tally<u64>, slot: u32) {
        counts.add(slot, 1);
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn helpers(
        group: &mut Group<u32>,
        cells: &mut Each<Cell>,
        _posts: &Each<Post>,
        _total: &mut Post,
        _past: &Rows<Post>,
        p: &Par,
        counts: &Tally<u64>,
    ) -> u64 {
        count(counts, 0);
        let even = group.count(cells, |lane, cell| {
            let value = cell.a;
            count(counts, value % 2);
            poke(lane, cell, value)
        });
        group.phase(cells, |lane, cell| {
            if poke(lane, cell, even + peek(lane, p.scale)) {
                count(counts, 3);
                return;
            }
            lane.set(lane.own() * 2);
        });
        count(counts, 2);
        even as u64 + group.get(3) as u64
    }

    #[kernel(group = 4, reduce = sum)]
    pub fn ranges(group: &mut Group<u32>, tables: &mut Tables) -> u64 {
        let mut seen = 0;
        for i in (0..=tables.p.scale % 4).rev() {
            group.phase(tables.cells, |lane, cell| {
                lane.set(lane.own() * 2 + i + cell.a % 3);
                cell.out[i as usize] += 1;
            });
            if group.get(i) % 3 == 1 {
                continue;
            }
            seen += i as u64 + 1;
        }
        for i in (1..3 + tables.p.scale % 3).rev() {
            if i == 2 {
                continue;
            }
            if group.any(tables.cells, |lane, cell| cell.b % 8 > lane.own() + i) {
                group.phase(tables.cells, |lane, cell| lane.set(cell.b % 8));
            } else {
                group.phase((), |lane, ()| lane.set(lane.get(3) + 1));
                tables.counts.add(1, 1);
            }
        }
        for i in u32::MAX - 1..=u32::MAX {
            let mut round = 0;
            while round < 3 {
                round += 1;
                if group.all((), |lane, ()| lane.own() % 4 != i % 4) {
                    if seen > 6 {
                        tables.total.to = round;
                        return seen;
                    }
                    continue;
                }
                group.phase((), |lane, ()| lane.set(lane.get(round) + 1));
                if round == tables.p.scale % 3 {
                    break;
                }
            }
            seen += round as u64;
        }
        for i in 0..9 {
            if i > tables.p.scale % 11 {
                return seen * 100 + i as u64;
            }
        }
        group.phase(tables.cells, |lane, cell| cell.b += lane.get(0));
        seen
    }
}
