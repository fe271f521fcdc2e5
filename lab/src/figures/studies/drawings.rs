//! The figures as a page with plots.

use super::super::lines::figure;
use super::part::Part;
use super::setting::{Setting, Work};
use super::{Measured, Point, tables};
use imminent_cli::plot::{Axes, Curve, PlotError, columns};

/// Returns the whole page.
pub(super) fn page(measured: &Measured) -> Result<String, PlotError> {
    let about = "Figures 6 to 13 of Kunz et al. 2012, measured anew.";
    let texts = ["Events of many simulations", about, &tables::markdown(measured)];
    measured.page(texts, Part::title, |part, settings| measured.drawings(part, settings))
}

/// Labels of the axes.
const SIMULATIONS: &str = "simulations";
const SPEED: &str = "events a second";
const TIME: &str = "s for all events";

impl Measured {
    fn drawings(&self, part: Part, settings: &[Setting]) -> Result<String, PlotError> {
        if part == Part::Mesh {
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
                Part::Overhead | Part::States => {
                    for (lists, settings) in by_lists(settings) {
                        let caption = format!(", lists {lists}.");
                        let (lines, label) = if part == Part::Overhead {
                            (self.lines(&settings, &[place], (by_simulations, time), modules), SIMULATIONS)
                        } else {
                            let bytes = |setting: &Setting| f64::from(setting.work.bytes().unwrap_or(0));
                            (self.lines(&settings, &[place], (bytes, time), modules), "bytes of a state")
                        };
                        text += &draw(lines, [label, TIME], &caption)?;
                    }
                }
                Part::Mappings => {
                    let name = |_: &str, setting: &Setting| setting.mapping();
                    let lines = self.lines(settings, &[place], (by_simulations, time), name);
                    text += &draw(lines, [SIMULATIONS, TIME], ".")?;
                }
                _ => {
                    let lines = self.by_generators(settings, place);
                    let caption = if part == Part::Alike { "." } else { "; one generator dashed, four not." };
                    text += &draw(lines, [SIMULATIONS, SPEED], caption)?;
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

    fn columns(&self, settings: &[Setting]) -> Result<String, PlotError> {
        let values: Vec<_> = self.of_mesh(settings).map(|(name, point)| (name, point.found.ran.seconds)).collect();
        let drawn = columns(&values, "s")?;
        Ok(format!("<figure>{drawn}<figcaption>The whole study, and one simulation alone.</figcaption></figure>\n"))
    }
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
