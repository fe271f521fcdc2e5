//! Finite-capacity regions.

use super::JsimgError;
use super::nodes::{Node, Role, find};
use super::parameter::{File, children};
use crate::network::{Overflow, Region};
use roxmltree::Node as Element;

/// Region that limits the number of jobs at its nodes.
pub(super) struct Limit {
    /// Numbers of the stations in it. Nodes that tokens pass at once have no jobs, and are left out.
    pub(super) stations: Vec<usize>,
    /// Largest number of jobs.
    pub(super) capacity: u32,
    /// Names of classes with the largest number of their jobs.
    pub(super) classes: Vec<(String, u32)>,
    /// Treatment of a job that finds no room.
    pub(super) overflow: Overflow,
}

impl Limit {
    /// Returns `true` if the region is the capacity of a single station.
    pub(super) fn is_capacity(&self) -> bool {
        self.stations.len() == 1 && self.overflow == Overflow::Lose && self.classes.is_empty()
    }
}

/// Returns the regions that limit something.
///
/// # Errors
/// [`JsimgError`] for limits other than of numbers of jobs, and for classes that differ in what becomes of those that
/// find no room.
pub(super) fn limits<'a>(
    file: File<'a>,
    sim: Element<'a, 'a>,
    nodes: &[Node<'a>],
    classes: &[String],
) -> Result<Vec<Limit>, JsimgError> {
    let mut limits = vec![];
    for region in children(sim, "blockingRegion") {
        let name = region.attribute("name").unwrap_or("");
        let wrong = |problem: &str| file.wrong(region, &format!("region '{name}'"), problem);
        let limit = |element: &'static str, attribute: &'static str| {
            let given = children(region, element).filter_map(|entry| entry.attribute(attribute)?.parse::<f64>().ok());
            given.filter(|limit| *limit >= 0.0).collect::<Vec<_>>()
        };
        let of_memory =
            [limit("globalMemoryConstraint", "maxMemory"), limit("classMemoryConstraint", "maxMemoryPerClass")];
        let of_groups =
            [limit("groupConstraint", "maxJobsPerGroup"), limit("groupMemoryConstraint", "maxMemoryPerGroup")];
        let others = of_memory.iter().chain(&of_groups).flatten().count();
        let global = limit("globalConstraint", "maxJobs").first().copied();
        let of_class = |entry: Element<'_, '_>| {
            let limit = entry.attribute("maxJobsPerClass")?.parse::<f64>().ok().filter(|limit| *limit >= 0.0)?;
            Some((entry.attribute("jobClass")?.to_owned(), limit))
        };
        let of_classes: Vec<_> = children(region, "classConstraint").filter_map(of_class).collect();
        if global.is_none() && of_classes.is_empty() && others == 0 {
            continue;
        }
        let least = of_classes.iter().map(|(_, limit)| *limit).chain(global).fold(f64::INFINITY, f64::min);
        if others > 0 || least < 1.0 {
            return Err(wrong("has no counterpart here, unless all of its limits are above 0 and for numbers of jobs"));
        }
        let whole = |limit: f64| limit.min(f64::from(u32::MAX)) as u32;
        // The limit of the only class is one of the region.
        let (capacity, of_classes) = match (classes.len(), global) {
            (1, _) => (whole(least), vec![]),
            (_, global) => {
                let of_classes = of_classes.into_iter().map(|(class, limit)| (class, whole(limit)));
                (global.map_or(Region::UNLIMITED, whole), of_classes.collect())
            }
        };
        let drops = |class: &String| {
            let mut rules = children(region, "dropRules").filter(|rule| rule.attribute("jobClass") == Some(class));
            rules.next().and_then(|rule| rule.attribute("dropThisClass")) == Some("true")
        };
        let dropped = classes.iter().filter(|class| drops(class)).count();
        if dropped != 0 && dropped != classes.len() {
            return Err(wrong("drops jobs of some classes only, which has no counterpart here: treat all alike"));
        }
        let overflow = if dropped == 0 { Overflow::Block } else { Overflow::Lose };
        let mut stations = vec![];
        for inside in children(region, "regionNode").filter_map(|node| node.attribute("nodeName")) {
            let node = find(nodes, inside).ok_or_else(|| wrong("has a node that is not in the file: remove it"))?;
            match nodes.get(node).map(|node| &node.role) {
                Some(Role::Station(_)) => stations.push(node),
                Some(Role::Pass | Role::Switch(_)) => {}
                _ => return Err(wrong(&format!("has the node '{inside}', where no jobs stay: remove it"))),
            }
        }
        limits.push(Limit { stations, capacity, classes: of_classes, overflow });
    }
    Ok(limits)
}
