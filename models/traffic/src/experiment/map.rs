//! Map of the load of links, at the positions of nodes if known, otherwise on a circle.

use crate::Traffic;
use crate::network::{Link, Network};
use crate::simulation::results::QueueRow;
use crate::text::percent;
use imminent_common::figure::{LinkLoad, LinkMap};
use std::f64::consts::TAU;

/// Largest number of links that are drawn: the most loaded ones.
const MAX_LINKS: usize = 6_000;
/// Largest number of nodes that are drawn.
const MAX_NODES: usize = 3_000;

/// Returns the map of the most loaded links.
pub(super) fn map(traffic: &Traffic, rows: &[QueueRow]) -> LinkMap {
    let network = traffic.network();
    let nodes = 0..network.nodes() as u32;
    let are_known = nodes.clone().filter(|node| network.place(*node).is_some()).nth(1).is_some();
    let (positions, place) = match are_known {
        true => (flattened(network), "where their places are known"),
        false => (around(network), "on a circle, as places are unknown; those with one neighbour beside it"),
    };
    let first = |link: &&Link| link.from < link.to || network.link_between(link.to, link.from).is_none();
    let edges = network.links().iter().filter(first).take(MAX_LINKS).map(|link| [link.from, link.to]).collect();
    let mut order: Vec<&QueueRow> = rows.iter().collect();
    order.sort_by(|a, b| a.utilization.total_cmp(&b.utilization));
    let is_placed = |node: u32| positions.get(node as usize).is_some_and(Option::is_some);
    let load = |row: &&QueueRow| {
        let link = network.link(row.link).filter(|link| is_placed(link.from) && is_placed(link.to))?;
        let title = format!("{}: {}, {} lost", row.label, percent(row.utilization), percent(row.loss));
        Some(LinkLoad { ends: [link.from, link.to], share: row.utilization, title })
    };
    let loads: Vec<_> = order.iter().skip(rows.len().saturating_sub(MAX_LINKS)).filter_map(load).collect();
    let left_out = match rows.len() - loads.len() {
        0 => String::new(),
        left_out => format!(" {left_out} links are not drawn."),
    };
    let caption = format!(
        "Utilization of links, nodes {place}. The half of a link at a node is what leaves it; grey where nothing is sent.{left_out}"
    );
    let names = nodes.filter(|_| network.nodes() <= MAX_NODES).map(|node| network.label(node).to_owned()).collect();
    LinkMap { positions, names, edges, loads, caption }
}

/// Projects longitudes and latitudes; longitudes are scaled for the middle latitude.
fn flattened(network: &Network) -> Vec<Option<(f64, f64)>> {
    let places: Vec<_> = (0..network.nodes() as u32).map(|node| network.place(node)).collect();
    let latitudes = || places.iter().flatten().map(|[_, latitude]| *latitude);
    let (south, north) = (latitudes().fold(f64::INFINITY, f64::min), latitudes().fold(f64::NEG_INFINITY, f64::max));
    let narrow = f64::midpoint(south, north).to_radians().cos().max(0.1);
    places.into_iter().map(|place| place.map(|[x, y]| (x * narrow, y))).collect()
}

/// Places nodes with several neighbours on a circle, by number, and nodes with one neighbour on an outer circle, beside
/// that neighbour.
fn around(network: &Network) -> Vec<Option<(f64, f64)>> {
    let count = network.nodes();
    let only = |node: u32| {
        let links = network.out_links(node);
        let ends = links.iter().filter_map(|&link| network.link(link)).map(|link| link.to).collect::<Vec<_>>();
        match ends.as_slice() {
            [first, rest @ ..] if rest.iter().all(|end| end == first) => Some(*first),
            _ => None,
        }
    };
    let only: Vec<Option<u32>> = (0..count as u32).map(only).collect();
    // In an isolated pair of nodes, neither is placed beside the other.
    let hangs_on = |node: usize| {
        let on = only.get(node).copied().flatten()?;
        only.get(on as usize).copied().flatten().is_none().then_some(on)
    };
    let mut families: Vec<(usize, Vec<usize>)> =
        (0..count).filter(|&node| hangs_on(node).is_none()).map(|node| (node, vec![])).collect();
    for node in 0..count {
        let Some(on) = hangs_on(node) else { continue };
        if let Ok(family) = families.binary_search_by_key(&(on as usize), |family| family.0) {
            families[family].1.push(node);
        }
    }
    // A node's arc of the circle is proportional to the number of nodes beside it.
    let wide = |family: &(usize, Vec<usize>)| family.1.len().max(1);
    let total: usize = families.iter().map(wide).sum();
    let at = |radius: f64, number: f64| {
        let angle = TAU * number / total.max(1) as f64;
        (radius * angle.sin(), radius * angle.cos())
    };
    let mut places = vec![None; count];
    let mut from = 0;
    for family in &families {
        let width = wide(family);
        places[family.0] = Some(at(0.7, from as f64 + (width - 1) as f64 / 2.0));
        for (number, &node) in family.1.iter().enumerate() {
            places[node] = Some(at(1.0, (from + number) as f64));
        }
        from += width;
    }
    places
}
