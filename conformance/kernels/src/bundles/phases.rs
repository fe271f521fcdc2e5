//! Bundles in kernels that run in groups.

/// Groups, whose phases make bundles of the rows that they see, or use those of the kernel.
#[imminent_core::kernels]
pub mod grouped {
    use crate::bundles::network::{Facility, Line, Network, Node, Pace, Reach, Route, step};

    #[derive(Row)]
    pub struct Total {
        pub sum: u64,
        pub busy: u32,
    }

    /// Own rows of the nodes of a group.
    #[derive(Bundle)]
    pub struct Nodes {
        pub facilities: &mut Each<Facility>,
        pub lines: &mut Each<Line>,
        pub reaches: &Each<Reach>,
    }

    /// Row of the group, and what it reads.
    #[derive(Bundle)]
    pub struct Whole {
        pub total: &mut Total,
        pub pace: &Pace,
    }

    fn count(whole: &mut Whole, busy: u32) {
        whole.total.busy += busy + whole.pace.limit;
    }

    #[kernel(group = 64, reduce = sum)]
    pub fn bundled(group: &mut Group<u64>, nodes: &mut Nodes, whole: &mut Whole, net: &Network) -> u64 {
        group.phase((nodes.facilities, nodes.lines, nodes.reaches), |lane, (me, line, reach)| {
            lane.set(step(&mut Node { me, line, reach }, net, lane.row()));
            me.served += 1;
        });
        let limit = whole.pace.limit;
        let busy = group.count(nodes.lines, |lane, line| {
            line.sum += net.pace.step + net.travel(lane.row() % net.routes.len());
            line.waiting > limit
        });
        count(whole, busy);
        whole.total.sum = group.get(0);
        whole.total.sum
    }

    #[kernel(group = 64, reduce = sum)]
    pub fn flat(
        group: &mut Group<u64>,
        facilities: &mut Each<Facility>,
        lines: &mut Each<Line>,
        reaches: &Each<Reach>,
        total: &mut Total,
        routes: &Rows<Route>,
        visits: &Tally<u32>,
        longest: &Tally<u32>,
        pace: &Pace,
    ) -> u64 {
        group.phase((facilities, lines, reaches), |lane, (me, line, reach)| {
            let net = Network { routes, visits, longest, pace };
            lane.set(step(&mut Node { me, line, reach }, &net, lane.row()));
            me.served += 1;
        });
        let limit = pace.limit;
        let busy = group.count(lines, |lane, line| {
            let net = &Network { routes, visits, longest, pace };
            line.sum += pace.step + net.travel(lane.row() % routes.len());
            line.waiting > limit
        });
        total.busy += busy + pace.limit;
        total.sum = group.get(0);
        total.sum
    }
}
