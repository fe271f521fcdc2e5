//! Search for the modules that have safe events.

/// Modules that have safe events.
#[imminent_core::kernels]
pub mod search {
    use crate::kernels::links::{Bound, horizon};
    use crate::kernels::list::{Earliest, EventList, Owner, Terms, first_of_all, simulation_of};

    /// Result of the search.
    #[derive(Row)]
    pub struct Due {
        /// `true` if the module has something to do.
        pub due: bool,
    }

    /// Finds the earliest event of each simulation.
    #[kernel]
    pub fn reduce(earliest: &mut Earliest, terms: &Terms, modules: &Rows<Earliest>) {
        earliest.time = first_of_all(terms, modules);
    }

    /// Finds the earliest event of each simulation, at the row of its first module.
    #[kernel]
    pub fn reduce_apart(
        earliest: &mut Earliest,
        modules: &Rows<Earliest>,
        owners: &Rows<Owner>,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        let of_all = terms.get(simulation_of(owners, terms, id));
        if of_all.first == id {
            earliest.time = first_of_all(of_all, modules);
        }
    }

    /// Returns `true` if a module has an event before the end of its simulation, or needs room: messages that its list
    /// has no room for are events that it does not know yet.
    #[kernel(reduce = any)]
    pub fn is_pending(
        earliest: &Earliest,
        list: &EventList,
        owners: &Rows<Owner>,
        terms: &Rows<Terms>,
        id: u32,
    ) -> bool {
        earliest.time < terms.get(simulation_of(owners, terms, id)).end || list.wanted > 0
    }

    /// Returns `true` if a simulation has events before its end.
    #[kernel(reduce = any)]
    pub fn goes_on(earliest: &Earliest, terms: &Terms) -> bool {
        earliest.time < terms.end
    }

    /// Finds the modules that have safe events: events before the end, and before the module's
    /// [horizon]. A module with an error has none.
    #[kernel]
    pub fn find_safe(
        due: &mut Due,
        earliest: &Earliest,
        owner: &Owner,
        lists: &Rows<EventList>,
        terms: &Rows<Terms>,
        windows: &Rows<Earliest>,
        bounds: &Rows<Bound>,
        id: u32,
    ) {
        let of_all = terms.get(owner.simulation);
        let mut limit = of_all.end;
        if of_all.lookahead > 0 {
            limit = limit.min(horizon(of_all, windows.get(of_all.window).time, bounds, id));
        }
        due.due = earliest.time < limit && lists.get(id).trouble == 0;
    }

    /// Returns the time before which the events of a simulation without links are executed: they are safe, and before
    /// its end.
    #[kernel(reduce = min)]
    pub fn limit(terms: &Terms, earliest: &Earliest) -> u64 {
        let mut limit = terms.end;
        if terms.lookahead > 0 {
            limit = limit.min(earliest.time.saturating_add(terms.lookahead));
        }
        limit
    }
}
