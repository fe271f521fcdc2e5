//! Uses of bundles in functions.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { pub a: u32, pub few: [u32; 4] }

    #[derive(Params)]
    pub struct Pace { pub step: u32 }

    #[derive(Bundle)]
    pub struct Node { pub me: &mut Cell, pub left: &Cell, pub pace: &Pace }

    #[derive(Bundle)]
    pub struct Net { pub all: &Rows<Cell>, pub counts: &Tally<u32> }

    #[derive(Bundle)]
    pub struct Few { pub one: &mut u32 }

    impl Node {
        fn raise(&mut self) { self.me.a += 1; }
    }

    fn change(node: &mut Node) { node.me.a += 1; }

    fn look(net: &Net, i: u32) -> u32 { net.all.get(i).a }

    fn one(few: &mut Few) { *few.one += 1; }

    fn fields(node: &mut Node, net: &Net) {
        node.mee.a = 1;
        node.rais();
        node.raise;
        node.left.a = 1;
        node.pace.step = 1;
        net.counts = net.counts;
        let x = node;
        let y = net.all;
        node.0 = 1;
    }

    fn shared(node: &Node, net: &Net) {
        node.me.a = 1;
        node.raise();
        change(node);
        change(&mut node);
        net.clone();
        net + 1;
        net;
        if *net == 1 { }
    }

    fn literals(me: &mut Cell, left: &Cell, pace: &Pace, all: &Rows<Cell>, net: &Net) {
        change(&mut Node { me, left });
        change(&mut Node { me, left, pace, right: left });
        change(&mut Node { me: left, left: me, pace });
        change(&mut Node { me, left: all.get(1), pace });
        change(&mut Node { me, left: *left, pace });
        change(&mut Node { me, left, pace: left });
        change(&Node { me, left, pace });
        change(Node { me, left, pace });
        change(me);
        look(net.all, 1);
        look(&Net { all, ..*net }, 1);
        one(&mut Few { one: &mut me.few[me.a as usize] });
        let later: Net;
        let net = Node { me, left, pace };
        look(&net, 1);
    }

    #[kernel]
    pub fn twice(me: &mut Cell, net: &Net) {
        net.counts.add(0, 1);
        tell(net);
    }

    fn tell(net: &Net) { net.counts.max(0, 1); }
}

fn main() {}
