//! The borrow checker judges the bundles of a launch, and those that functions make.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { pub a: u32 }

    #[derive(Bundle)]
    pub struct Pair { pub me: &mut Cell, pub other: &mut Cell }

    #[derive(Bundle)]
    pub struct Net { pub all: &Rows<Cell> }

    #[kernel]
    pub fn step(pair: &mut Pair, net: &Net) {
        pair.me.a = net.all.get(0).a + pair.other.a;
    }
}

#[imminent_core::kernels]
mod n {
    use super::m::{Cell, Pair};

    fn change(pair: &mut Pair) { pair.me.a += pair.other.a; }

    fn alias(me: &mut Cell) {
        change(&mut Pair { me, other: me });
    }
}

fn run(queue: &imminent_core::Queue, table: &mut imminent_core::Table<m::Cell>, other: &mut imminent_core::Table<m::Cell>) {
    let _ = queue.launch::<m::step>((m::PairArgs { me: table, other: table }, m::NetArgs { all: other }));
    let _ = queue.launch::<m::step>((m::PairArgs { me: table, other }, m::NetArgs { all: other }));
}

fn main() {}
