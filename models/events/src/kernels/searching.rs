//! Search for the modules that have something to do in a step.

/// Modules that rest in a step, and modules that are due.
#[imminent_core::kernels]
pub mod search {
    use crate::kernels::list::{Earliest, EventList, Owner, Plan, Terms, rests_until, window};
    use imminent_core::mail::Inbox;

    /// Result of the search.
    #[derive(Row)]
    pub struct Due {
        /// `true` if the module has something to do.
        pub due: bool,
    }

    /// Tables that the search reads.
    #[derive(Bundle)]
    pub struct Seen {
        /// Earliest event that each module knew after the step before.
        pub before: &Rows<Earliest>,
        /// Event lists of the modules.
        pub lists: &Rows<EventList>,
        /// Simulations of the modules.
        pub owners: &Rows<Owner>,
        /// Constants of the simulations.
        pub terms: &Rows<Terms>,
        /// Earliest event of each simulation, if they are reduced.
        pub windows: &Rows<Earliest>,
    }

    /// Finds out which modules are due: those with messages, and those with an event in the window. The others publish
    /// the earliest event that they know. Every module reads a few words that lie side by side, and the few that are
    /// due then fill their warps.
    #[kernel]
    pub fn look(due: &mut Due, earliest: &mut Earliest, seen: &Seen, inbox: &Inbox, plan: &Plan, id: u32) {
        let simulation = seen.owners.get(id).simulation;
        let terms = seen.terms.get(simulation);
        let mut limit = terms.end;
        let mut message = 0;
        if terms.lookahead > 0 {
            let window = window(terms, simulation, seen.before, seen.windows, plan);
            limit = limit.min(window.saturating_add(terms.lookahead));
            message = inbox.first(id);
        }
        due.due = true;
        if message == 0 {
            let until = rests_until(limit, seen.before.get(id).time, seen.lists.get(id));
            if until >= limit {
                due.due = false;
                earliest.time = until;
            }
        }
    }
}
