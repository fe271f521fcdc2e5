//! Drawings of node maps: each node in the colour of its value.

use super::escape;
use super::map::{MapPoint, SIDE, Scale, circle, fit, height, open};
use crate::digits::three;
use imminent_common::figure::NodeMap;
use std::fmt::Write;

/// Largest number of cells along a side of a grid; larger grids are averaged over squares.
const MAX_CELLS: u32 = 64;
/// Largest number of nodes with names beside them.
const MAX_NAMES: usize = 60;
/// Space for names to the right of the nodes.
const ROOM: f64 = 80.0;

/// Draws the figure of a map, whose values are called `name`.
pub fn node_map(map: &NodeMap, name: &str) -> String {
    let count = map.values.len();
    let is_small = count <= NodeMap::MAX_NODES;
    let (drawing, what) = match (map.grid, fit(&map.positions).filter(|_| is_small)) {
        (Some((width, height)), _) => grid(&map.values, width, height),
        (None, Some(places)) => network(map, &places, "where its position is known"),
        (None, None) if is_small => network(map, &round(count), "on a circle, as positions are unknown"),
        (None, None) => {
            let width = (count as f64).sqrt().ceil() as u32;
            grid(&map.values, width, (count as u32).div_ceil(width))
        }
    };
    format!("<figure>{drawing}<figcaption>Mean {}, each node {what}.</figcaption></figure>\n", escape(name))
}

/// Draws cells, or squares of them, row by row.
fn grid(values: &[Option<f64>], width: u32, height: u32) -> (String, &'static str) {
    let square = width.max(height).div_ceil(MAX_CELLS).max(1);
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

/// Draws the nodes at their positions, with names if they are few, and arrows between them.
fn network(map: &NodeMap, places: &[Option<MapPoint>], what: &'static str) -> (String, &'static str) {
    let scale = Scale::of(map.values.iter().filter_map(|value| *value));
    let height = height(places);
    let mut svg = open(SIDE + ROOM, height);
    let radius = (SIDE / (map.values.len() as f64).sqrt() / 6.0).clamp(2.0, 7.0);
    arrows(&mut svg, &map.edges, places, radius);
    for (node, (place, value)) in places.iter().zip(&map.values).enumerate() {
        let Some((x, y)) = *place else { continue };
        let label = map.names.get(node).map_or_else(String::new, |name| escape(name));
        let _ = match value {
            Some(value) => write!(
                svg,
                "<circle class=\"rim\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" style=\"fill:{}\"><title>{label}: {}</title></circle>",
                scale.colour(*value),
                three(*value)
            ),
            // A source, or a node without any event.
            None => write!(
                svg,
                "<rect class=\"source\" x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\"><title>{label}</title></rect>",
                x - 0.8 * radius,
                y - 0.8 * radius,
                1.6 * radius
            ),
        };
    }
    if map.names.len() <= MAX_NAMES {
        names(&mut svg, &map.names, places, radius);
    }
    scale.legend(&mut svg, height + 8.0);
    (svg + "</svg>", what)
}

/// Area of a name in a drawing: left, right, top and bottom.
type Taken = [f64; 4];

/// Writes names beside nodes, where they cover neither a node nor another name. A node without free space keeps only
/// its title.
fn names(svg: &mut String, names: &[String], places: &[Option<MapPoint>], radius: f64) {
    /// Approximate width of a letter, and height of a line.
    const LETTER: (f64, f64) = (6.0, 11.0);
    let around = |(x, y): MapPoint| [x - radius, x + radius, y - radius, y + radius];
    let mut taken: Vec<Taken> = places.iter().flatten().map(|place| around(*place)).collect();
    let apart = |a: &Taken, b: &Taken| a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
    let bottom = height(places) + 4.0;
    for (label, place) in names.iter().zip(places) {
        let Some((x, y)) = *place else { continue };
        let (width, line, gap) = (LETTER.0 * label.chars().count() as f64, LETTER.1, radius + 3.0);
        let right = |y| (x + gap, "start", x + gap, y);
        let left = |y| (x - gap, "end", x - gap - width, y);
        let middle = |y| (x, "middle", x - width / 2.0, y);
        let (level, above, below) = (y + 4.0, y - gap, y + gap + line - 2.0);
        let beside = [right(level), left(level), middle(above), middle(below)];
        let aslant = [right(above), left(above), right(below), left(below)];
        for (at, anchor, from, base) in beside.into_iter().chain(aslant) {
            let box_of = [from, from + width, base - line, base + 2.0];
            let inside = box_of[0] >= 0.0 && box_of[1] <= SIDE + ROOM && box_of[2] >= 0.0 && box_of[3] <= bottom;
            if inside && taken.iter().all(|other| apart(&box_of, other)) {
                let label = escape(label);
                let _ = write!(
                    svg,
                    "<text class=\"name\" x=\"{at:.1}\" y=\"{base:.1}\" text-anchor=\"{anchor}\">{label}</text>"
                );
                taken.push(box_of);
                break;
            }
        }
    }
}

/// Draws a line between nodes that send to each other, with an arrowhead at each end that receives.
fn arrows(svg: &mut String, edges: &[Vec<u32>], places: &[Option<MapPoint>], radius: f64) {
    let place = |node: u32| places.get(node as usize).copied().flatten();
    let sends = |from: u32, to: u32| edges.get(from as usize).is_some_and(|targets| targets.binary_search(&to).is_ok());
    for (from, targets) in (0_u32..).zip(edges) {
        // If both nodes send to each other, the first one draws the line.
        for &to in targets.iter().filter(|&&to| to != from && (from < to || !sends(to, from))) {
            let (Some(start), Some(end)) = (place(from), place(to)) else { continue };
            let (x1, y1, x2, y2) = (start.0, start.1, end.0, end.1);
            let _ = write!(svg, "<line class=\"way\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
            tip(svg, start, end, radius);
            if sends(to, from) {
                tip(svg, end, start, radius);
            }
        }
    }
}

/// Draws an arrowhead at the rim of the node it points to.
fn tip(svg: &mut String, from: MapPoint, to: MapPoint, radius: f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length <= radius {
        return;
    }
    let (dx, dy) = (dx / length, dy / length);
    let size = (0.9 * radius).max(3.0);
    let (x, y) = (to.0 - dx * radius, to.1 - dy * radius);
    let (back_x, back_y) = (x - dx * size, y - dy * size);
    let (side_x, side_y) = (-dy * size * 0.45, dx * size * 0.45);
    let _ = write!(
        svg,
        "<polygon class=\"tip\" points=\"{x:.1},{y:.1} {:.1},{:.1} {:.1},{:.1}\"/>",
        back_x + side_x,
        back_y + side_y,
        back_x - side_x,
        back_y - side_y
    );
}

/// Places all nodes on one circle.
fn round(count: usize) -> Vec<Option<MapPoint>> {
    let place = circle(count, 1.0);
    (0..count).map(|node| Some(place(node as f64))).collect()
}
