//! Finite-capacity regions.

use super::JsimgError;
use super::nodes::{Node, Role, find};
use super::parameter::{File, children};
use crate::network::Overflow;
use roxmltree::Node as Element;

/// Region that limits the number of jobs at its nodes.
pub(super) struct Limit {
    /// Numbers of the stations in it. Nodes that tokens pass at once have no jobs, and are left out.
    pub(super) stations: Vec<usize>,
    /// Largest number of jobs.
    pub(super) capacity: u32,
    /// Treatment of a job that finds no room.
    pub(super) overflow: Overflow,
}

impl Limit {
    /// Returns `true` if the region is the capacity of a single station.
    pub(super) fn is_capacity(&self) -> bool {
        self.stations.len() == 1 && self.overflow == Overflow::Lose
    }
}

/// Returns the regions that limit something.
///
/// # Errors
/// [`JsimgError`] for limits other than one of the number of jobs, of all classes together, and for classes that differ
/// in what becomes of those that find no room.
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
        let (global, of_classes) = (limit("globalConstraint", "maxJobs"), limit("classConstraint", "maxJobsPerClass"));
        if global.is_empty() && of_classes.is_empty() && others == 0 {
            continue;
        }
        // The limit of the only class is one of the region.
        let jobs = match (classes.len(), global.first(), of_classes.first()) {
            (1, Some(global), Some(class)) => Some(global.min(*class)),
            (1, None, Some(class)) => Some(*class),
            (_, Some(global), None) => Some(*global),
            _ => None,
        };
        let jobs = jobs.filter(|jobs| *jobs >= 1.0 && others == 0);
        let jobs = jobs.ok_or_else(|| {
            wrong("has no counterpart here, unless it has one limit above 0 for the number of jobs of all classes together")
        })?;
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
        let capacity = jobs.min(f64::from(u32::MAX)) as u32;
        limits.push(Limit { stations, capacity, overflow });
    }
    Ok(limits)
}
