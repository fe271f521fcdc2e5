//! Map of a network that plays: nodes that move, their links, and packets on their way.
//!
//! An SVG drawing with animations (SMIL), which browsers play without scripts.

use crate::sequential::{self, Mode, Transmission};
use crate::{Network, Position, Protocol};
use std::fmt::Write as _;

/// Largest number of nodes of a map.
const MAX_NODES: u32 = 3200;

/// Largest number of nodes of a map with links.
const MAX_LINKED: u32 = 400;

/// Simulated time that a map plays, in µs.
const SHOWN: u64 = 4_000_000;

/// Playing time of a simulated second, in seconds.
const SLOW: f64 = 10.0;

/// Length of the longer side of the drawing.
const SIDE: f64 = 880.0;

/// Number of positions of each node.
const SAMPLES: u64 = 8;

/// Largest number of transmissions of a map.
const MAX_TRANSMISSIONS: usize = 4000;

/// Draws the map of the first replication, from the time on when nodes begin to send, or says why there is none.
pub(super) fn draw(network: &Network) -> Result<String, String> {
    if network.nodes > MAX_NODES {
        return Err(format!("Maps are drawn of up to {MAX_NODES} nodes."));
    }
    let begin = network.traffic.first_start().min(network.end.saturating_sub(SHOWN));
    let end = network.end.min(begin + SHOWN);
    // The sequential program has the same result, and shows every transmission.
    let shown = Network { end, ..network.clone() };
    let mut transmissions = vec![];
    let simulated = sequential::simulate_with(&shown, 0, |transmission| {
        if transmission.end > begin && transmissions.len() < MAX_TRANSMISSIONS {
            transmissions.push(transmission);
        }
    });
    let times: Vec<_> = (0..=SAMPLES).map(|sample| begin + (end - begin) * sample / SAMPLES).collect();
    let places = simulated.and_then(|_| sequential::places(&shown, 0, &times));
    match places {
        Ok(places) => {
            let stays = (0..network.nodes).map(|node| network.stay(node));
            let there = stays.map(|stay| times.iter().map(|time| stay.has(*time)).collect()).collect();
            Ok(Map { network, begin, end, places, there }.svg(&transmissions))
        }
        Err(error) => Err(format!("There is no map: {error}.")),
    }
}

struct Map<'n> {
    network: &'n Network,
    begin: u64,
    end: u64,
    places: Vec<Vec<Position>>,
    /// `true` for each node at each sample at which it is there.
    there: Vec<Vec<bool>>,
}

impl Map<'_> {
    /// Number of mm in a unit of the drawing.
    fn unit(&self) -> f64 {
        f64::from(self.network.field.width.max(self.network.field.height)) / SIDE
    }

    /// Returns a position in the drawing, with north above.
    fn point(&self, place: Position) -> (f64, f64) {
        (f64::from(place.x) / self.unit(), (f64::from(self.network.field.height) - f64::from(place.y)) / self.unit())
    }

    /// Playing time in seconds.
    fn playing(&self) -> f64 {
        (self.end - self.begin) as f64 / 1e6 * SLOW
    }

    fn svg(&self, transmissions: &[Transmission]) -> String {
        let unit = self.unit();
        let (width, height) = (f64::from(self.network.field.width) / unit, f64::from(self.network.field.height) / unit);
        let mut svg = format!(
            "<figure><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"-6 -6 {:.0} {:.0}\"><rect x=\"0\" y=\"0\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.4\"/>",
            width + 12.0,
            height + 12.0,
            width + 12.0,
            height + 12.0
        );
        if self.network.nodes <= MAX_LINKED {
            self.links(&mut svg);
        }
        for (places, there) in self.places.iter().zip(&self.there).filter(|(_, there)| there.contains(&true)) {
            self.node(&mut svg, places, there);
        }
        for transmission in transmissions {
            self.packet(&mut svg, transmission);
        }
        svg.push_str("</svg>");
        let seconds = |time: u64| time as f64 / 1e6;
        let modes = match self.network.protocol {
            Protocol::Gpsr => "Blue: a packet in greedy mode, orange: in perimeter mode.",
            Protocol::Aodv(_) => "Blue: a packet of the traffic, green: of AODV; circles are broadcasts.",
        };
        let links = if self.network.nodes <= MAX_LINKED { "Thin lines: nodes in range. " } else { "" };
        let _ = writeln!(
            svg,
            "<figcaption>The first replication from {} s to {} s, {SLOW} times slower than real time, again and again. {links}{modes}</figcaption></figure>",
            seconds(self.begin),
            seconds(self.end)
        );
        svg
    }

    /// Radius of a node: an eighth of the mean distance between neighbours, so that paths between many are seen.
    fn radius(&self) -> f64 {
        let field = self.network.field;
        let area = f64::from(field.width) * f64::from(field.height) / self.unit().powi(2);
        ((area / f64::from(self.network.nodes.max(1))).sqrt() / 8.0).clamp(0.8, 3.0)
    }

    fn node(&self, svg: &mut String, places: &[Position], there: &[bool]) {
        let points: Vec<_> = places.iter().map(|place| self.point(*place)).collect();
        let (x, y) = points[0];
        let opacity = if self.network.nodes <= MAX_LINKED { "1" } else { "0.5" };
        let _ = write!(
            svg,
            "<circle r=\"{:.1}\" cx=\"{x:.1}\" cy=\"{y:.1}\" fill=\"currentColor\" fill-opacity=\"{}\">",
            self.radius(),
            opacity
        );
        self.moving(svg, "cx", &points.iter().map(|point| point.0).collect::<Vec<_>>());
        self.moving(svg, "cy", &points.iter().map(|point| point.1).collect::<Vec<_>>());
        self.showing(svg, "fill-opacity", there, opacity);
        svg.push_str("</circle>");
    }

    /// Writes the animation of an attribute, unless it stays.
    fn moving(&self, svg: &mut String, attribute: &str, values: &[f64]) {
        if values.windows(2).any(|pair| (pair[0] - pair[1]).abs() >= 0.05) {
            let values: Vec<_> = values.iter().map(|value| format!("{value:.1}")).collect();
            let _ = write!(
                svg,
                "<animate attributeName=\"{attribute}\" values=\"{}\" dur=\"{:.1}s\" repeatCount=\"indefinite\"/>",
                values.join(";"),
                self.playing()
            );
        }
    }

    /// Draws lines between nodes that are in range at any sample; a line is hidden while they are not.
    fn links(&self, svg: &mut String) {
        let reach = i64::from(self.network.range).pow(2);
        let are_near = |a: Position, b: Position| {
            let (dx, dy) = (i64::from(a.x) - i64::from(b.x), i64::from(a.y) - i64::from(b.y));
            dx * dx + dy * dy <= reach
        };
        for (number, a) in self.places.iter().enumerate() {
            for (other, b) in self.places[..number].iter().enumerate() {
                let there = self.there[number].iter().zip(&self.there[other]).map(|(a, b)| *a && *b);
                let near: Vec<_> =
                    a.iter().zip(b).zip(there).map(|((a, b), there)| there && are_near(*a, *b)).collect();
                if near.contains(&true) {
                    self.link(svg, a, b, &near);
                }
            }
        }
    }

    fn link(&self, svg: &mut String, a: &[Position], b: &[Position], near: &[bool]) {
        let [from, to] = [a, b].map(|places| places.iter().map(|place| self.point(*place)).collect::<Vec<_>>());
        let ((x1, y1), (x2, y2)) = (from[0], to[0]);
        let _ = write!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"currentColor\" stroke-opacity=\"0.15\">"
        );
        for (name, points, is_x) in [("x1", &from, true), ("y1", &from, false), ("x2", &to, true), ("y2", &to, false)] {
            self.moving(
                svg,
                name,
                &points.iter().map(|point| if is_x { point.0 } else { point.1 }).collect::<Vec<_>>(),
            );
        }
        self.showing(svg, "stroke-opacity", near, "0.15");
        svg.push_str("</line>");
    }

    /// Writes the animation of an opacity that is 0 at some samples.
    fn showing(&self, svg: &mut String, attribute: &str, is_shown: &[bool], opacity: &str) {
        if is_shown.contains(&false) {
            let values: Vec<_> = is_shown.iter().map(|shown| if *shown { opacity } else { "0" }).collect();
            let _ = write!(
                svg,
                "<animate attributeName=\"{attribute}\" calcMode=\"discrete\" values=\"{}\" dur=\"{:.1}s\" repeatCount=\"indefinite\"/>",
                values.join(";"),
                self.playing()
            );
        }
    }

    /// Draws a packet from its sender to its receiver.
    fn packet(&self, svg: &mut String, transmission: &Transmission) {
        let share = |time: u64| {
            time.clamp(self.begin, self.end).saturating_sub(self.begin) as f64 / (self.end - self.begin) as f64
        };
        let (begin, end) = (share(transmission.begin), share(transmission.end));
        let sample = ((begin * SAMPLES as f64) as usize).min(SAMPLES as usize);
        let at = |node: u32| self.point(self.places[node as usize][sample]);
        let (x1, y1) = at(transmission.from);
        let colour = match transmission.mode {
            _ if transmission.kind.of_routing().is_some() => "#2ca02c",
            Mode::Perimeter => "#e07b00",
            Mode::Greedy | Mode::Table | Mode::Broadcast => "#1f77b4",
        };
        // The line stays for a moment after the packet has arrived.
        let stays = (end + 0.02).min(1.0);
        let animate = format!(
            "<animate attributeName=\"stroke-opacity\" calcMode=\"discrete\" values=\"0;1;0.4;0\" keyTimes=\"0;{begin:.5};{end:.5};{stays:.5}\" dur=\"{:.1}s\" repeatCount=\"indefinite\"/>",
            self.playing()
        );
        let _ = match transmission.to.map(at) {
            Some((x2, y2)) => write!(
                svg,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-opacity=\"0\">{animate}</line>"
            ),
            // A broadcast is a circle around its sender.
            None => write!(
                svg,
                "<circle cx=\"{x1:.1}\" cy=\"{y1:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0\">{animate}</circle>",
                3.0 * self.radius()
            ),
        };
    }
}
