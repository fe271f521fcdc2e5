//! Declarations of bundles, and parameters that take them.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { pub a: u32, pub times: Lanes<u64> }

    #[derive(Params)]
    pub struct Pace { pub step: u32 }

    #[derive(Bundle)]
    pub struct Node { pub me: &mut Cell, pub pace: &Pace }

    #[derive(Bundle)]
    pub struct Lived<'a> { pub me: &'a mut Cell }

    #[derive(Bundle)]
    pub struct Generic<T> { pub me: &T }

    #[derive(Bundle, Row)]
    pub struct Both { pub me: &Cell }

    #[derive(Bundle)]
    pub struct Valued { pub me: &mut Cell, pub id: u32, pub by_value: Pace }

    #[derive(Bundle)]
    pub struct Nested { pub node: &mut Node, pub whole: Node }

    #[derive(Bundle)]
    pub struct Wrong { pub pace: &mut Pace, pub all: &mut Rows<Cell>, pub count: Tally<u32>, pub group: &mut Group<u32> }

    #[derive(Row)]
    pub struct Holds { pub node: Node }

    #[derive(Params)]
    pub struct Given { pub node: &Node }

    fn by_value(node: Node) {}

    fn all(nodes: &Rows<Node>) {}

    fn result(node: &Node) -> Node { node }

    impl Node {
        fn taken(self) {}
    }
}

#[imminent_core::kernels]
mod kernels {
    #[derive(Row)]
    pub struct Cell { pub a: u32, pub times: Lanes<u64> }

    #[derive(Params)]
    pub struct Pace { pub step: u32 }

    #[derive(Bundle)]
    pub struct Node { pub me: &mut Cell, pub pace: &Pace }

    #[derive(Bundle)]
    pub struct Work { pub me: &mut Cell, pub times: &mut Lanes<u64>, pub sum: &mut u32 }

    #[derive(Bundle)]
    pub struct Cells { pub cells: &mut Each<Cell> }

    #[derive(Bundle)]
    pub struct Net { pub all: &Rows<Cell>, pub pace: &Pace }

    #[kernel]
    pub fn reads(node: &Node) {}

    #[kernel]
    pub fn works(work: &mut Work) {}

    #[kernel]
    pub fn no_row(net: &Net) {}

    #[kernel]
    pub fn not_grouped(me: &mut Cell, cells: &mut Cells) {}

    #[kernel(group = 64)]
    pub fn grouped(group: &mut Group<u32>, node: &mut Node) {}

    fn helper(cells: &mut Cells) {}
}

fn main() {}
