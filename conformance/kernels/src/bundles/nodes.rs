//! Bundles, and functions and methods that take them.

/// Nodes of a network, and the tables that all nodes read.
#[imminent_core::kernels]
pub mod network {
    #[derive(Row)]
    pub struct Facility {
        pub served: u32,
        pub free: u64,
        pub seen: [u32; 4],
    }

    #[derive(Row)]
    pub struct Line {
        pub waiting: u32,
        pub sum: u64,
        pub times: Lanes<u64>,
    }

    #[derive(Row)]
    pub struct Reach {
        pub first: u32,
        pub count: u32,
    }

    #[derive(Row)]
    pub struct Route {
        pub to: u32,
        pub length: u64,
    }

    #[derive(Params)]
    pub struct Pace {
        pub step: u64,
        pub limit: u32,
    }

    /// Rows of one node.
    #[derive(Bundle)]
    pub struct Node {
        pub me: &mut Facility,
        pub line: &mut Line,
        pub reach: &Reach,
    }

    /// Tables that all nodes read.
    #[derive(Bundle)]
    pub struct Network {
        pub routes: &Rows<Route>,
        pub visits: &Tally<u32>,
        pub longest: &Tally<u32>,
        pub pace: &Pace,
    }

    /// Arguments of functions only: no launch gives lanes or values.
    #[derive(Bundle)]
    pub struct LineEntry {
        pub times: &mut Lanes<u64>,
        pub taken: &mut u32,
        pub line_sum: &mut u64,
        pub pace: &Pace,
    }

    impl Network {
        /// Returns the length of a route, which is counted.
        pub fn travel(&self, edge: u32) -> u64 {
            let route = self.routes.get(edge);
            self.visits.add(route.to, 1);
            self.longest.max(route.to % self.longest.len(), route.length as u32);
            route.length + self.pace.step
        }

        pub fn twice(&self, edge: u32) -> u64 {
            self.travel(edge) + travel_of(self, edge)
        }
    }

    impl Node {
        pub fn is_busy(&self) -> bool {
            self.line.waiting > 0 && self.me.free < 1000
        }

        /// Takes all routes of the node.
        pub fn take(&mut self, net: &Network) -> u64 {
            let mut sum = 0;
            for edge in self.reach.first..self.reach.first + self.reach.count {
                sum += net.twice(edge);
                self.me.seen[(edge % 5) as usize] += 1;
            }
            note(self.line, sum);
            self.me.free += sum;
            sum
        }

        fn serve(&mut self, net: &Network) {
            if self.is_busy() {
                self.me.served += 1;
                let last = self.take(net);
                raise(self.me, last);
            }
        }
    }

    impl LineEntry {
        fn enter(&mut self, time: u64) {
            if *self.taken < self.times.capacity() {
                self.times.set(*self.taken, time);
                *self.taken += 1;
            }
            *self.line_sum += time * self.pace.step;
        }
    }

    fn travel_of(net: &Network, edge: u32) -> u64 {
        net.routes.get(edge).length
    }

    fn note(line: &mut Line, time: u64) {
        line.sum += time;
    }

    fn raise(me: &mut Facility, by: u64) {
        me.free += by % 3;
    }

    fn look(node: &Node) -> u64 {
        if node.is_busy() { node.me.free } else { node.line.sum }
    }

    fn enter(entry: &mut LineEntry, time: u64) {
        entry.enter(time);
        entry.enter(time + 1);
    }

    /// Serves a node twice, with a bundle made of the fields of another in between.
    pub fn step(node: &mut Node, net: &Network, id: u32) -> u64 {
        node.serve(net);
        let before = look(node);
        let mut taken = node.line.waiting;
        let mut sum = 0;
        enter(
            &mut LineEntry { times: &mut node.line.times, taken: &mut taken, line_sum: &mut sum, pace: net.pace },
            id as u64 + 3,
        );
        node.line.waiting = taken;
        node.line.sum += sum;
        let mut again = Node { me: node.me, line: node.line, reach: node.reach };
        again.serve(&Network { routes: net.routes, visits: net.visits, longest: net.longest, pace: net.pace });
        let shared = &again;
        before + look(shared)
    }
}
