//! A measure of every node, on the map or on the grid that the nodes stand on, with a scale of colours.

use super::super::columns::Nodes;
use crate::cli::page::escape;
use crate::cli::page::map::{Place, SIDE, Scale, circle, fit, open};
use imminent::models::queueing::measures::Measure;
use std::fmt::Write;

/// The most cells along a side of a grid; larger grids are averaged over squares.
const MOST_CELLS: u32 = 64;
/// The most nodes that are drawn one by one on a map.
const MOST_NODES: usize = 4_000;
/// The most edges that are drawn.
const MOST_EDGES: usize = 8_000;

/// The figure of one measure.
pub(super) fn figure(nodes: &Nodes<'_>, measure: Measure) -> String {
    let values: Vec<_> = (0..nodes.len()).map(|node| nodes.mean(node, measure)).collect();
    let name = measure.name().replace('_', " ");
    let (drawing, what) = match (nodes.network.grid(), places(nodes)) {
        (Some((width, height)), _) => grid(&values, width, height),
        (None, Some(places)) => network(nodes, &values, &places, "where its position is known"),
        (None, None) if nodes.len() <= MOST_NODES => {
            network(nodes, &values, &round(nodes.len()), "on a circle, as positions are unknown")
        }
        (None, None) => {
            let width = (nodes.len() as f64).sqrt().ceil() as u32;
            grid(&values, width, (nodes.len() as u32).div_ceil(width))
        }
    };
    format!("<figure>{drawing}<figcaption>Mean {name}, each node {what}.</figcaption></figure>\n")
}

/// Cells, or squares of them, row by row.
fn grid(values: &[Option<f64>], width: u32, height: u32) -> (String, &'static str) {
    let square = width.max(height).div_ceil(MOST_CELLS).max(1);
    let (columns, rows) = (width.div_ceil(square), height.div_ceil(square));
    let mut sums = vec![(0.0, 0_u32); columns as usize * rows as usize];
    for (node, value) in values.iter().enumerate() {
        let (column, row) = (node % width as usize / square as usize, node / width as usize / square as usize);
        if let (Some(value), Some((sum, count))) = (value, sums.get_mut(row * columns as usize + column)) {
            *sum += value;
            *count += 1;
        }
    }
    let mean = |&(sum, count): &(f64, u32)| (count > 0).then(|| sum / f64::from(count));
    let scale = Scale::of(sums.iter().filter_map(mean));
    let cell = SIDE / f64::from(columns.max(rows));
    let mut svg = open(SIDE, cell * f64::from(rows));
    for (index, value) in sums.iter().enumerate() {
        let Some(value) = mean(value) else { continue };
        let (x, y) = ((index % columns as usize) as f64 * cell, (index / columns as usize) as f64 * cell);
        let _ = write!(
            svg,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{0:.2}\" height=\"{0:.2}\" fill=\"{1}\"/>",
            cell + 0.3,
            scale.colour(value)
        );
    }
    scale.legend(&mut svg, cell * f64::from(rows) + 8.0);
    let what = if square == 1 { "in its cell" } else { "averaged with those of its square" };
    (svg + "</svg>", what)
}

/// The nodes at their places, and the edges between them.
fn network(
    nodes: &Nodes<'_>,
    values: &[Option<f64>],
    places: &[Option<Place>],
    what: &'static str,
) -> (String, &'static str) {
    let scale = Scale::of(values.iter().filter_map(|value| *value));
    let mut svg = open(SIDE, SIDE);
    if nodes.network.edges() <= MOST_EDGES {
        for (from, start) in (0_u32..).zip(places) {
            let Some((x1, y1)) = *start else { continue };
            for target in targets(nodes, from) {
                let Some((x2, y2)) = places.get(target as usize).copied().flatten() else { continue };
                let _ =
                    write!(svg, "<line class=\"edge\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
            }
        }
    }
    let radius = (SIDE / (nodes.len() as f64).sqrt() / 6.0).clamp(2.0, 9.0);
    for (node, (place, value)) in (0_u32..).zip(places.iter().zip(values)) {
        let (Some((x, y)), Some(value)) = (*place, *value) else { continue };
        let label = escape(&nodes.network.label(node));
        let _ = write!(
            svg,
            "<circle class=\"rim\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" style=\"fill:{}\"><title>{label}: {value:.5}</title></circle>",
            scale.colour(value)
        );
    }
    scale.legend(&mut svg, SIDE + 8.0);
    (svg + "</svg>", what)
}

/// The nodes that `from` sends to, each once.
fn targets(nodes: &Nodes<'_>, from: u32) -> Vec<u32> {
    let classes = 0..nodes.network.classes() as u32;
    let mut targets: Vec<_> =
        classes.flat_map(|class| nodes.network.routes(from, class).iter()).filter_map(|route| route.to).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The known positions, fitted into the drawing; `None` if there are fewer than two, or too many.
fn places(nodes: &Nodes<'_>) -> Option<Vec<Option<Place>>> {
    let positions: Vec<_> = (0..nodes.len() as u32).map(|node| nodes.network.position(node)).collect();
    if nodes.len() > MOST_NODES { None } else { fit(&positions) }
}

/// Every node on one circle.
fn round(count: usize) -> Vec<Option<Place>> {
    let place = circle(count, 1.0);
    (0..count).map(|node| Some(place(node as f64))).collect()
}
