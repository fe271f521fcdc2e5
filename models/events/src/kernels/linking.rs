//! Links between modules, and the bounds that follow from them.

/// Links of modules. A link has a lookahead of its own, so modules that are far apart need not wait for each other.
///
/// The *bound* of a module is a time before which no message arrives there that has not been sent yet. Bounds are lower
/// limits of the shortest paths from all pending events, and grow by relaxation: a module's bound is the least of its
/// in-neighbours' earliest times plus the lookahead of their links, and the earliest time of a module is that of its
/// next event or its bound. Every relaxation of valid bounds gives valid bounds, so their number changes no result.
#[imminent_core::kernels]
pub mod links {
    use crate::kernels::list::{Earliest, EventList, Owner, Terms};
    use crate::kernels::order::{NO_SUCH_MODULE, NOT_LINKED, TOO_SOON};

    /// Link to a module.
    pub struct Link {
        /// Number of the module that the link leads to.
        pub to: u32,
        /// Least delay of events on the link, in ticks.
        pub lookahead: u64,
    }

    /// Links from a module to others.
    #[derive(Row)]
    pub struct OutLinks {
        /// Links in the order of the modules that they lead to; one to each at most.
        pub links: Lanes<Link>,
    }

    impl OutLinks {
        /// Returns the lookahead of the link to a module; 0 if there is none.
        pub fn lookahead_to(&self, to: u32) -> u64 {
            let mut low = 0;
            let mut high = self.links.capacity();
            while low < high {
                let middle = (low + high) / 2;
                let link = self.links.get(middle);
                if link.to == to {
                    return link.lookahead;
                }
                if link.to < to {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            0
        }
    }

    /// Range of the links to a module.
    #[derive(Row)]
    pub struct InLinks {
        /// First of them.
        pub first: u32,
        /// Number of the link after the last one.
        pub end: u32,
    }

    /// Link from a module.
    #[derive(Row)]
    pub struct InLink {
        /// Row of the module that the link leads from.
        pub from: u32,
        /// Least delay of events on the link, in ticks.
        pub lookahead: u64,
    }

    /// Bound of a module.
    #[derive(Row)]
    pub struct Bound {
        /// Time before which the module executes nothing, in ticks.
        pub earliest: u64,
        /// Time before which no message arrives that has not been sent yet, in ticks.
        pub horizon: u64,
    }

    /// Notes an error of an event that is sent to another module.
    pub fn check_send(list: &mut EventList, links: &OutLinks, terms: &Terms, to: u32, delay: u64) {
        let mut lookahead = terms.lookahead;
        if to >= terms.modules {
            list.fail(NO_SUCH_MODULE);
        } else if terms.has_links {
            lookahead = links.lookahead_to(to);
            if lookahead == 0 {
                list.fail(NOT_LINKED);
            }
        }
        if lookahead == 0 || delay < lookahead {
            list.fail(TOO_SOON);
        }
    }

    /// Returns the time before which the events of a module are safe. `window` is the earliest event of its simulation.
    pub fn horizon(terms: &Terms, window: u64, bounds: &Rows<Bound>, row: u32) -> u64 {
        let mut horizon = window.saturating_add(terms.lookahead);
        if terms.has_links {
            horizon = horizon.max(bounds.get(row).horizon);
        }
        horizon
    }

    /// Relaxes the bounds of all modules.
    #[kernel]
    pub fn relax(
        bound: &mut Bound,
        own: &Earliest,
        range: &InLinks,
        owner: &Owner,
        before: &Rows<Bound>,
        links: &Rows<InLink>,
        terms: &Rows<Terms>,
        windows: &Rows<Earliest>,
    ) {
        let mut horizon = u64::MAX;
        for place in range.first..range.end {
            let link = links.get(place);
            horizon = horizon.min(before.get(link.from).earliest.saturating_add(link.lookahead));
        }
        let terms = terms.get(owner.simulation);
        let soonest = windows.get(terms.window).time.saturating_add(terms.lookahead);
        bound.horizon = horizon.max(soonest);
        bound.earliest = own.time.min(bound.horizon);
    }
}
