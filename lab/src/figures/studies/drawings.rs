//! The figures as a page with plots.

use super::super::lines::figure;
use super::super::printed;
use super::figure::Figure;
use super::results::{FOUR_CORES, Measured, Point};
use super::setting::{Setting, Work};
use super::{paper, tables};
use imminent_report::plot::{Axes, Curve, PlotError, columns};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 6 to 13 of Kunz et al. 2012, measured anew.";
    let texts = ["Events of many simulations", about, &tables::markdown(measured)];
    measured.page(texts, Figure::title, |part, settings| measured.drawings(part, settings))
}

/// Labels of the axes.
const SIMULATIONS: &str = "simulations";
const DOUBLINGS: &str = "simulations, as a power of two";
const SPEED: &str = "events a second";
const TIME: &str = "s for all events";
const SHARE: &str = "share of the speed of one generator";

impl Measured {
    fn drawings(&self, part: Figure, settings: &[Setting]) -> Result<String, PlotError> {
        if part == Figure::Mesh {
            return self.columns(settings);
        }
        let mut text = String::new();
        for place in self.places.iter().map(String::as_str) {
            let by_simulations = |setting: &Setting| f64::from(setting.simulations);
            let time = |point: &Point| Some(point.found.seconds_of_all());
            let modules = |_: &str, setting: &Setting| of_modules(setting);
            let draw = |lines: Vec<Curve>, labels, caption: &str| {
                figure(&lines, Axes::Logarithmic, labels, &format!("{place}{caption}"))
            };
            match part {
                Figure::Overhead | Figure::States => {
                    for (lists, settings) in by_lists(settings) {
                        let caption = format!(", lists {lists}.");
                        let (lines, label) = if part == Figure::Overhead {
                            (self.lines(&settings, &[place], (by_simulations, time), modules), SIMULATIONS)
                        } else {
                            let bytes = |setting: &Setting| f64::from(setting.work.bytes().unwrap_or(0));
                            (self.lines(&settings, &[place], (bytes, time), modules), "bytes of a state")
                        };
                        text += &draw(lines, [label, TIME], &caption)?;
                    }
                }
                Figure::Mappings => {
                    let name = |_: &str, setting: &Setting| setting.mapping();
                    let lines = self.lines(settings, &[place], (by_simulations, time), name);
                    let lines = lines.into_iter().map(dashed_if_repeated).collect();
                    text += &draw(lines, [SIMULATIONS, TIME], ".")?;
                }
                _ => {
                    let lines = self.by_generators(settings, place);
                    let caption = if part == Figure::Alike { "." } else { "; one generator dashed, four not." };
                    text += &draw(lines, [SIMULATIONS, SPEED], caption)?;
                    let caption = "; four generators beside one, and (dashed) as the paper says.";
                    let lines = self.shares(part, settings, place);
                    text += &figure(&lines, Axes::Even, [DOUBLINGS, SHARE], &format!("{place}{caption}"))?;
                }
            }
        }
        Ok(text)
    }

    /// Returns a line for each number of modules. Where one generator is compared with four, its line is dashed, in the
    /// same colour, and has no name.
    fn by_generators(&self, settings: &[Setting], place: &str) -> Vec<Curve> {
        let of = |generators| {
            let some: Vec<_> = settings.iter().copied().filter(|own| own.work == Work::Lcg(generators)).collect();
            let by_simulations = |setting: &Setting| f64::from(setting.simulations);
            let speed = |point: &Point| Some(point.found.events_per_second());
            self.lines(&some, &[place], (by_simulations, speed), |_, setting| of_modules(setting))
        };
        let (one, four) = (of(1), of(4));
        if four.is_empty() {
            return one;
        }
        let dashed = one.into_iter().map(|line| Curve { name: None, is_dashed: true, ..line });
        dashed.chain(four).collect()
    }

    /// Returns the speed with four generators as a share of that with one, and the paper's statement.
    fn shares(&self, part: Figure, settings: &[Setting], place: &str) -> Vec<Curve> {
        let doublings = |setting: &Setting| f64::from(setting.simulations).log2();
        let of_four: Vec<_> = settings.iter().copied().filter(|own| own.work == Work::Lcg(4)).collect();
        let share = |point: &Point| self.beside_one(part, point);
        let mut lines = self.lines(&of_four, &[place], (doublings, share), |_, setting| of_modules(setting));
        let [_, last] = printed::ends(&lines);
        if let Some((name, values)) = of_paper(part).filter(|_| !lines.is_empty()) {
            let values = values.iter().map(|&(simulations, share)| (simulations.log2(), share));
            let values: Vec<_> = values.filter(|(doublings, _)| *doublings <= last).collect();
            lines.push(printed::through(name, &values, lines.len()));
        }
        lines
    }

    /// Returns two charts of the mesh: times, and speeds beside those of the paper.
    fn columns(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let times: Vec<_> = self.of_mesh(settings).map(|(name, point)| (name, point.found.ran.seconds)).collect();
        let drawn = columns(&times, "s")?;
        let text =
            format!("<figure>{drawn}<figcaption>The whole study, and one simulation alone.</figcaption></figure>\n");
        let Some(base) = self.mesh_base(settings) else { return Ok(text) };
        let mut speeds: Vec<_> = self
            .of_mesh(settings)
            .map(|(name, point)| {
                let name = if point.setting.work == Work::MeshAlone { "a core each".to_owned() } else { name };
                (name, base.found.ran.seconds / point.found.ran.seconds)
            })
            .collect();
        if base.place == FOUR_CORES.to_string() {
            speeds.push(("paper, GPU".to_owned(), paper::ON_GPU));
            speeds.push(("paper, a core each".to_owned(), paper::ON_GPU * paper::ON_270_CORES));
        }
        let drawn = columns(&speeds, &format!("as fast as {}", base.place))?;
        Ok(format!("{text}<figure>{drawn}<figcaption>Speed of the whole study.</figcaption></figure>\n"))
    }
}

/// Returns what the paper states of a figure that compares four generators with one.
fn of_paper(part: Figure) -> Option<paper::Shares> {
    match part {
        Figure::Unsorted => Some(paper::UNSORTED),
        Figure::Sorted => Some(paper::SORTED),
        Figure::Padded => Some(paper::PADDED),
        _ => None,
    }
}

/// Number of colours of lines.
const COLOURS: usize = 6;

/// Returns a dashed line if another has its colour.
fn dashed_if_repeated(line: Curve) -> Curve {
    if line.colour < COLOURS {
        return line;
    }
    Curve { name: line.name.map(|name| format!("{name} (dashed)")), is_dashed: true, ..line }
}

fn of_modules(setting: &Setting) -> String {
    if setting.modules == 1 { "1 module".to_owned() } else { format!("{} modules", setting.modules) }
}

/// Groups settings by the place of their lists.
fn by_lists(settings: &[Setting]) -> Vec<(String, Vec<Setting>)> {
    let mut found: Vec<(String, Vec<Setting>)> = vec![];
    for setting in settings {
        match found.iter_mut().find(|(lists, _)| *lists == setting.lists()) {
            Some((_, own)) => own.push(*setting),
            None => found.push((setting.lists(), vec![*setting])),
        }
    }
    found
}
