//! Resources that tokens hold over several stations.

use super::{Discipline, Network, NetworkError, Overflow, Role, Routing};

/// A number of equal units, such as beds, that tokens seize at stations and release at later ones.
///
/// A token that comes to a station which [seizes](super::Behaviour::seize) resources waits there until a server and a
/// unit of each of them that it does not hold yet are free, and takes them together when its service starts. Units that
/// several tokens could take go to the one that came to its station first. A token gives a unit back when its service
/// at a station that [releases](super::Behaviour::release) the resource is over, and all units when it leaves the
/// network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Name of the resource.
    pub name: String,
    /// Number of its units, at least 1.
    pub units: u32,
}

impl Resource {
    /// Largest number of resources of a network.
    pub const MOST: usize = 64;
}

/// Returns the resources of a set, which has a bit for each.
fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..Resource::MOST).filter(move |number| set >> number & 1 == 1)
}

impl Network {
    /// Returns the resources that tokens hold over several stations.
    #[must_use]
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// Returns the resources that a node seizes and releases, as sets with a bit for each.
    pub(crate) fn seized_and_released(&self, node: u32) -> (u64, u64) {
        self.conduct(node).map_or((0, 0), |conduct| (conduct.seize, conduct.release))
    }

    /// Checks the resources, and that tokens cannot wait for one another in a circle.
    pub(super) fn check_resources(&self) -> Result<(), NetworkError> {
        if self.resources.is_empty() {
            return Ok(());
        }
        let wrong = |problem: String| Err(NetworkError::Resources { problem });
        if self.resources.len() > Resource::MOST {
            return wrong(format!("there are {}: give at most {}", self.resources.len(), Resource::MOST));
        }
        if let Some(resource) = self.resources.iter().find(|resource| resource.units == 0) {
            return wrong(format!("'{}' has no units: give at least 1", resource.name));
        }
        let nodes = || 0..self.len() as u32;
        if let Some(name) = (0..self.resources.len())
            .find(|&number| !nodes().any(|node| self.seized_and_released(node).0 >> number & 1 == 1))
            .and_then(|number| self.resources.get(number))
            .map(|resource| &resource.name)
        {
            return wrong(format!("no station seizes '{name}': let one seize it, or remove it"));
        }
        // What makes tokens wait otherwise than in lines could close a circle that no order of resources excludes.
        for node in nodes() {
            let conduct = self.conduct(node);
            let blocks = |station: super::Station| station.overflow == Overflow::Block && station.capacity.is_some();
            let others = [
                (self.station(node).is_some_and(blocks), "tokens that wait in the servers they come from"),
                (self.routing(node) == Routing::Fork, "forks"),
                (conduct.is_some_and(|conduct| conduct.join.is_some()), "joins"),
                (
                    conduct.and_then(|conduct| conduct.bulk).is_some_and(|bulk| bulk.least > 1 && bulk.wait.is_none()),
                    "batches that wait for others without end",
                ),
            ];
            if let Some((_, what)) = others.into_iter().find(|(has, _)| *has) {
                let label = self.label(node);
                return wrong(format!(
                    "node '{label}' has {what}, beside which they are not simulated: remove one of them"
                ));
            }
            if self.seized_and_released(node).0 != 0
                && let Role::Station(station) = self.role(node)
            {
                let others = [
                    (station.discipline == Discipline::Random, "random order"),
                    (station.discipline.shares(), "shared servers"),
                    (station.discipline.interrupts(), "a discipline that interrupts services"),
                    (conduct.is_some_and(|conduct| !conduct.speeds.is_empty()), "speeds by the number of tokens"),
                    (conduct.is_some_and(|conduct| conduct.bulk.is_some()), "service in batches"),
                    (
                        conduct.is_some_and(|conduct| conduct.polling.is_some()),
                        "a server that goes from queue to queue",
                    ),
                ];
                if let Some((_, what)) = others.into_iter().find(|(has, _)| *has) {
                    let label = self.label(node);
                    return wrong(format!("node '{label}' seizes some and has {what}: remove one of them"));
                }
            }
        }
        if self.regions.iter().any(|region| region.overflow == Overflow::Block) {
            return wrong(
                "tokens wait outside of a region, beside which they are not simulated: remove one".to_owned(),
            );
        }
        match self.circle() {
            None => Ok(()),
            Some(circle) => {
                let names: Vec<_> = circle.iter().filter_map(|&number| self.resources.get(number)).collect();
                let names: Vec<_> = names.iter().map(|resource| format!("'{}'", resource.name)).collect();
                wrong(format!(
                    "tokens that hold one of {} wait for the next, and those of the last for the first, which may never end: let all \
                     tokens seize them in one order, or together at one station",
                    names.join(", ")
                ))
            }
        }
    }

    /// Returns resources of which tokens may hold each while they wait for the next, in a circle; `None` if there are
    /// no such resources.
    fn circle(&self) -> Option<Vec<usize>> {
        let classes = self.classes() as u32;
        let pairs = self.len() * self.classes();
        let place = |node: u32, class: u32| node as usize * classes as usize + class as usize;
        // Resources that tokens of a pair may hold when they come: the least fixed point along all routes.
        let mut holds = vec![0_u64; pairs];
        let mut waits_for = vec![0_u64; self.resources.len()];
        let mut open: Vec<(u32, u32)> =
            (0..self.len() as u32).flat_map(|node| (0..classes).map(move |class| (node, class))).collect();
        while let Some((node, class)) = open.pop() {
            let held = holds.get(place(node, class)).copied().unwrap_or(0);
            let (seize, release) = self.seized_and_released(node);
            for resource in members(held) {
                if let Some(of) = waits_for.get_mut(resource) {
                    *of |= seize & !(1 << resource);
                }
            }
            let impatient = self.conduct(node).and_then(|of| of.patience.get(class as usize)?.as_ref()?.1);
            let impatient = impatient.map(|to| (to, class, held));
            let routes = self.routes(node, class).iter();
            let served = routes.filter_map(|route| Some((route.to?, route.class, (held | seize) & !release)));
            for (to, class, held) in served.chain(impatient) {
                let Some(there) = holds.get_mut(place(to, class)) else { continue };
                if *there | held != *there {
                    *there |= held;
                    open.push((to, class));
                }
            }
        }
        // A resource from which one comes back to it.
        let after = |first: usize| {
            let (mut reached, mut open) = (0_u64, waits_for.get(first).copied().unwrap_or(0));
            while let Some(next) = members(open).next() {
                reached |= 1 << next;
                open = (open | waits_for.get(next).copied().unwrap_or(0)) & !reached;
            }
            reached
        };
        let in_circle = (0..self.resources.len()).find(|&first| after(first) >> first & 1 == 1)?;
        // The shortest way back, step by step.
        let mut circle = vec![in_circle];
        while let Some(&last) = circle.last() {
            let next = waits_for.get(last).copied().unwrap_or(0);
            if next >> in_circle & 1 == 1 {
                break;
            }
            let leads_back = |next: &usize| after(*next) >> in_circle & 1 == 1 && !circle.contains(next);
            circle.push(members(next).find(leads_back)?);
        }
        Some(circle)
    }
}
