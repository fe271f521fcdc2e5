//! Scratch elements of every type, and functions that borrow the lane.

macro_rules! scalars {
    ($module:ident, $t:ty, |$x:ident, $y:ident| $mix:expr) => {
        /// Scratch of the scalar type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Cell {
                pub value: $t,
                pub seen: $t,
            }

            #[kernel(group = 64)]
            pub fn mix(group: &mut Group<$t>, cells: &mut Each<Cell>) {
                let size = group.size();
                group.phase(cells, |lane, cell| lane.set(cell.value));
                group.phase((), |lane, ()| {
                    let $x = lane.own();
                    let $y = lane.get((lane.index() + 7) % size);
                    lane.set($mix);
                });
                let first = group.get(0);
                group.phase(cells, |lane, cell| {
                    let $x = lane.get(lane.index());
                    let $y = first;
                    cell.seen = $mix;
                });
            }
        }
    };
}

scalars!(of_bool, bool, |x, y| x != y);
scalars!(of_u32, u32, |x, y| x * 3 + y);
scalars!(of_i32, i32, |x, y| x - y * 5);
scalars!(of_u64, u64, |x, y| x * 0x1_0000_0001 + y);
scalars!(of_i64, i64, |x, y| x - y * 7);
scalars!(of_f32, f32, |x, y| x.max(y));
scalars!(of_f64, f64, |x, y| x.min(y));

/// Structs, arrays and enums in scratch, up to the largest element that a group of 256 can have.
#[imminent_core::kernels]
pub mod structs {
    pub enum Kind {
        Idle = 0,
        Busy = 3,
        Done = 7,
    }

    pub struct Pair {
        pub narrow: u32,
        pub wide: u64,
    }

    /// An element of 60 bytes.
    pub struct Element {
        pub flag: bool,
        pub pair: Pair,
        pub kind: Kind,
        pub list: [u32; 4],
        pub pairs: [Pair; 2],
    }

    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub wide: u64,
        pub sum: u64,
        pub kind: Kind,
    }

    #[derive(Params)]
    pub struct Rules {
        pub offset: u32,
        pub scale: u64,
        pub weights: [u32; 4],
    }

    fn kind_of(value: u32) -> Kind {
        match value % 3 {
            0 => Kind::Idle,
            1 => Kind::Busy,
            _ => Kind::Done,
        }
    }

    impl Element {
        fn sum(&self) -> u64 {
            let mut sum = self.pair.wide + self.pair.narrow as u64;
            for i in 0..4 {
                sum += self.list[i as usize] as u64;
            }
            for i in 0..2 {
                sum += self.pairs[i as usize].wide * 3;
            }
            sum
        }
    }

    /// Reads another lane's element.
    fn across(lane: &Lane<Element>, by: u32) -> Element {
        lane.get((lane.index() + by) % 256)
    }

    /// Sets the own element from its current value and another.
    fn change(lane: &mut Lane<Element>, value: u64) -> u32 {
        let before = lane.own();
        lane.set(Element { flag: !before.flag, pair: Pair { wide: value, ..before.pair }, ..before });
        lane.own().pair.narrow
    }

    #[kernel(group = 256)]
    pub fn elements(group: &mut Group<Element>, cells: &mut Each<Cell>, all: &Rows<Cell>, rules: &Rules) {
        let rows = all.len();
        let weights = rules.weights;
        let shift = Pair { narrow: rules.offset, wide: rules.scale };
        group.phase(cells, |lane, cell| {
            let pair = Pair { narrow: cell.value + shift.narrow, wide: cell.wide };
            lane.set(Element {
                flag: cell.value % 2 == 0,
                pair,
                kind: kind_of(cell.value),
                list: [cell.value; 4],
                pairs: [pair, Pair { narrow: 1, wide: shift.wide }],
            });
        });
        group.phase(cells, |lane, cell| {
            let other = across(lane, weights[(cell.value % 4) as usize]);
            let narrow = change(lane, other.sum() + all.get((lane.row() + 1) % rows).value as u64);
            cell.kind = if other.flag { other.kind } else { Kind::Done };
            cell.sum = narrow as u64;
        });
        group.phase(cells, |lane, cell| {
            let mine = lane.own();
            cell.sum += mine.pair.wide * rules.scale + across(lane, 1).sum();
            if mine.flag {
                cell.value += 1;
            }
        });
    }
}
