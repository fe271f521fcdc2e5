//! Kernels that take bundles of another module.

/// Row by row, with bundles and without.
#[imminent_core::kernels]
pub mod rows {
    use crate::bundles::network::{Facility, Line, Network as Net, Node, Pace, Reach, Route, step};

    #[kernel(reduce = max)]
    pub fn bundled(node: &mut Node, net: &Net, id: u32) -> u64 {
        step(node, net, id)
    }

    #[kernel(reduce = max)]
    pub fn flat(
        me: &mut Facility,
        line: &mut Line,
        reach: &Reach,
        routes: &Rows<Route>,
        visits: &Tally<u32>,
        longest: &Tally<u32>,
        pace: &Pace,
        id: u32,
    ) -> u64 {
        let net = Net { routes, visits, longest, pace };
        step(&mut Node { me, line, reach }, &net, id)
    }

    /// Reads a route that may not exist, through a bundle.
    #[kernel]
    pub fn past(me: &mut Facility, net: &Net, id: u32) {
        me.free = net.travel(id);
    }
}
