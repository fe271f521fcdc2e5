//! Cases of the suite, by group.

mod faults;
mod grouped;
mod histories;
mod kernels;
mod memory;
mod models;
mod primitives;
mod programs;
mod queues;
mod random;

use crate::case::{Case, Cases, Group};

/// Returns every case of the suite, in the order of the groups.
pub(crate) fn all() -> Vec<Case> {
    let collect = |group: Group, add: fn(&mut Cases)| {
        let mut cases = Cases::new(group);
        add(&mut cases);
        cases.into_list()
    };
    [
        collect(Group::Memory, memory::add),
        collect(Group::Kernels, kernels::add),
        collect(Group::Groups, grouped::add),
        collect(Group::Histories, histories::add),
        collect(Group::RandomNumbers, random::add),
        collect(Group::Primitives, primitives::add),
        collect(Group::Programs, programs::add),
        collect(Group::Faults, faults::add),
        collect(Group::Queues, queues::add),
        collect(Group::Models, models::add),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_cases_share_a_name() {
        let mut seen = HashSet::new();
        for case in all() {
            assert!(seen.insert((case.group, case.name.clone())), "twice: {}: {}", case.group, case.name);
        }
    }
}
