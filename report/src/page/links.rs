//! Map of a network whose links have the colours of their loads.

use super::escape;
use super::map::{MapPoint, SIDE, Scale, fit, height, open};
use imminent_common::figure::LinkMap;
use std::fmt::Write;

/// Largest number of nodes with names beside them; others have tooltips.
const MAX_NAMES: usize = 60;

/// Draws each link as two halves: the half at a node has the colour of the link that leaves that node.
pub fn link_map(map: &LinkMap) -> String {
    let caption = escape(&map.caption);
    let Some(places) = fit(&map.positions) else { return format!("<p>{caption}</p>\n") };
    let scale = Scale { least: 0.0, greatest: 1.0 };
    let height = height(&places);
    let mut svg = open(SIDE, height);
    let ends = |[from, to]: [u32; 2]| {
        let place = |node: u32| places.get(node as usize).copied().flatten();
        Some((place(from)?, place(to)?))
    };
    for ((x1, y1), (x2, y2)) in map.edges.iter().filter_map(|edge| ends(*edge)) {
        let _ = write!(svg, "<line class=\"edge\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }
    for load in &map.loads {
        let Some(((x1, y1), (x2, y2))) = ends(load.ends) else { continue };
        let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"{}\" stroke-width=\"{:.1}\"><title>{}</title></line>",
            scale.colour(load.share),
            1.0 + 2.5 * load.share.clamp(0.0, 1.0),
            escape(&load.title)
        );
    }
    nodes(&mut svg, &map.names, &places);
    scale.legend(&mut svg, height + 8.0);
    format!("<figure>{svg}</svg><figcaption>{caption}</figcaption></figure>\n")
}

fn nodes(svg: &mut String, names: &[String], places: &[Option<MapPoint>]) {
    let radius = (SIDE / (names.len() as f64).sqrt() / 12.0).clamp(1.0, 4.0);
    for (name, place) in names.iter().zip(places) {
        let (name, Some((x, y))) = (escape(name), *place) else { continue };
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"currentColor\"><title>{name}</title></circle>"
        );
        if names.len() <= MAX_NAMES {
            // Names near the right edge extend to the left.
            let (anchor, beside) = if x > 0.7 * SIDE { ("end", -radius - 3.0) } else { ("start", radius + 3.0) };
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"currentColor\" text-anchor=\"{anchor}\">{name}</text>",
                x + beside,
                y - 4.0
            );
        }
    }
}
