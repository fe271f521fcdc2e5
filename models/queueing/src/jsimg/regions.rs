//! Finite-capacity regions.

use super::JsimgError;
use super::assemble::find;
use super::nodes::Node;
use super::parameter::{File, children};
use roxmltree::Node as Element;
use std::collections::BTreeMap;

/// Returns the largest numbers of tokens at nodes that are regions by themselves and drop others.
///
/// # Errors
/// [`JsimgError`] for any other region that limits something.
pub(super) fn limits<'a>(
    file: File<'a>,
    sim: Element<'a, 'a>,
    nodes: &[Node<'a>],
    classes: &[String],
) -> Result<BTreeMap<usize, u32>, JsimgError> {
    let mut limits = BTreeMap::new();
    for region in children(sim, "blockingRegion") {
        let name = region.attribute("name").unwrap_or("");
        let wrong = |problem: &str| file.wrong(region, &format!("region '{name}'"), problem);
        let limit = |element: &'static str, attribute: &'static str| {
            let given = children(region, element).filter_map(|entry| entry.attribute(attribute)?.parse::<f64>().ok());
            given.filter(|limit| *limit >= 0.0).collect::<Vec<_>>()
        };
        let memory = limit("globalMemoryConstraint", "maxMemory")
            .into_iter()
            .chain(limit("classMemoryConstraint", "maxMemoryPerClass"));
        let of_memory = memory.count() > 0;
        let global = limit("globalConstraint", "maxJobs");
        let of_classes = limit("classConstraint", "maxJobsPerClass");
        let of_groups = limit("groupConstraint", "maxJobsPerGroup").len()
            + limit("groupMemoryConstraint", "maxMemoryPerGroup").len();
        if global.is_empty() && of_classes.is_empty() && !of_memory && of_groups == 0 {
            continue;
        }
        // The limit of the only class is one of the region.
        let jobs = match (classes.len(), global.first(), of_classes.first()) {
            (1, Some(global), Some(class)) => Some(global.min(*class)),
            (1, None, Some(class)) => Some(*class),
            (_, Some(global), None) => Some(*global),
            _ => None,
        };
        let inside: Vec<_> = children(region, "regionNode").filter_map(|node| node.attribute("nodeName")).collect();
        let drops = |class: &String| {
            let mut rules = children(region, "dropRules").filter(|rule| rule.attribute("jobClass") == Some(class));
            rules.next().and_then(|rule| rule.attribute("dropThisClass")) == Some("true")
        };
        match (inside.as_slice(), jobs) {
            ([node], Some(jobs)) if !of_memory && of_groups == 0 && jobs >= 1.0 && classes.iter().all(drops) => {
                let node = find(nodes, node).ok_or_else(|| wrong("has a node that is not in the file: remove it"))?;
                limits.insert(node, jobs.min(f64::from(u32::MAX)) as u32);
            }
            _ => {
                return Err(wrong(
                    "has no counterpart here, unless it has one node and drops jobs above one limit for all classes",
                ));
            }
        }
    }
    Ok(limits)
}
