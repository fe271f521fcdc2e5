//! Map of the load of links, at the positions of nodes if known, otherwise on a circle.

use imminent::models::traffic::Traffic;
use imminent::models::traffic::network::{Link, Network};
use imminent::models::traffic::simulation::results::QueueRow;
use imminent::models::traffic::text::percent;
use imminent_report::page::escape;
use imminent_report::page::map::{MapPoint, SIDE, Scale, circle, fit, height, open};
use std::fmt::Write;

/// Largest number of links that are drawn: the most loaded ones.
const MOST_LINKS: usize = 6_000;
/// Largest number of nodes with names beside them; others have tooltips.
const MOST_NAMES: usize = 60;
/// Largest number of nodes that are drawn.
const MOST_NODES: usize = 3_000;

/// Draws each link as two halves: the half at a node has the colour of the link that leaves that node.
pub(super) fn figure(traffic: &Traffic, rows: &[QueueRow]) -> String {
    let network = traffic.network();
    let (places, what) = match fit(&flattened(network)) {
        Some(places) => (places, "where their places are known"),
        None => (around(network), "on a circle, as places are unknown; those with one neighbour beside it"),
    };
    let scale = Scale { least: 0.0, greatest: 1.0 };
    let height = height(&places);
    let mut svg = open(SIDE, height);
    edges(&mut svg, network, &places);
    let drawn = links(&mut svg, network, rows, &places, scale);
    nodes(&mut svg, network, &places);
    scale.legend(&mut svg, height + 8.0);
    let left_out = rows.len() - drawn;
    let left_out = if left_out > 0 { format!(" {left_out} links are not drawn.") } else { String::new() };
    format!(
        "<figure>{svg}</svg><figcaption>Utilization of links, nodes {what}. The half of a link at a node is what leaves it; grey where nothing is sent.{left_out}</figcaption></figure>\n"
    )
}

/// Projects longitudes and latitudes; longitudes are scaled for the middle latitude.
fn flattened(network: &Network) -> Vec<Option<MapPoint>> {
    let places: Vec<_> = (0..network.nodes() as u32).map(|node| network.place(node)).collect();
    let latitudes = Scale::of(places.iter().flatten().map(|[_, latitude]| *latitude));
    let narrow = f64::midpoint(latitudes.least, latitudes.greatest).to_radians().cos().max(0.1);
    places.into_iter().map(|place| place.map(|[x, y]| (x * narrow, y))).collect()
}

/// Draws all edges, with or without traffic.
fn edges(svg: &mut String, network: &Network, places: &[Option<MapPoint>]) {
    let place = |node: u32| places.get(node as usize).copied().flatten();
    let first = |link: &&Link| link.from < link.to || network.link_between(link.to, link.from).is_none();
    for link in network.links().iter().filter(first).take(MOST_LINKS) {
        let (Some((x1, y1)), Some((x2, y2))) = (place(link.from), place(link.to)) else { continue };
        let _ = write!(svg, "<line class=\"edge\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }
}

/// Draws the most loaded links, the busiest on top. Returns their number.
fn links(svg: &mut String, network: &Network, rows: &[QueueRow], places: &[Option<MapPoint>], scale: Scale) -> usize {
    let mut order: Vec<&QueueRow> = rows.iter().collect();
    order.sort_by(|a, b| a.utilization.total_cmp(&b.utilization));
    let place = |node: u32| places.get(node as usize).copied().flatten();
    let mut drawn = 0;
    for row in order.iter().skip(rows.len().saturating_sub(MOST_LINKS)) {
        let Some(link) = network.link(row.link) else { continue };
        let (Some((x1, y1)), Some((x2, y2))) = (place(link.from), place(link.to)) else { continue };
        let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"{}\" stroke-width=\"{:.1}\"><title>{}: {}, {} lost</title></line>",
            scale.colour(row.utilization),
            1.0 + 2.5 * row.utilization.clamp(0.0, 1.0),
            escape(&row.label),
            percent(row.utilization),
            percent(row.loss)
        );
        drawn += 1;
    }
    drawn
}

fn nodes(svg: &mut String, network: &Network, places: &[Option<MapPoint>]) {
    if network.nodes() > MOST_NODES {
        return;
    }
    let radius = (SIDE / (network.nodes() as f64).sqrt() / 12.0).clamp(1.0, 4.0);
    for (node, place) in (0_u32..).zip(places) {
        let Some((x, y)) = *place else { continue };
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"currentColor\"><title>{}</title></circle>",
            escape(network.label(node))
        );
        if network.nodes() <= MOST_NAMES {
            // Names near the right edge extend to the left.
            let (anchor, beside) = if x > 0.7 * SIDE { ("end", -radius - 3.0) } else { ("start", radius + 3.0) };
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"currentColor\" text-anchor=\"{anchor}\">{}</text>",
                x + beside,
                y - 4.0,
                escape(network.label(node))
            );
        }
    }
}

/// Places nodes with several neighbours on a circle, by number, and nodes with one neighbour on an outer circle, beside
/// that neighbour.
fn around(network: &Network) -> Vec<Option<MapPoint>> {
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
    let (inner, outer) = (circle(total, 0.7), circle(total, 1.0));
    let mut places = vec![None; count];
    let mut from = 0;
    for family in &families {
        let width = wide(family);
        places[family.0] = Some(inner(from as f64 + (width - 1) as f64 / 2.0));
        for (number, &node) in family.1.iter().enumerate() {
            places[node] = Some(outer((from + number) as f64));
        }
        from += width;
    }
    places
}
