//! Generators: components of the top model that send at constant or random intervals.

use super::super::error::{Built, Problem};
use super::super::port_value::PortValue;
use super::super::sections::{Entry, Section, needed};
use super::super::source::{Sources, text_of};
use super::intervals::Intervals;
use crate::sequential::InputSource;
use imminent_core::random::Pcg32;

/// Number of the first stream of random numbers that no cell has.
const FIRST_STREAM: u64 = 1 << 32;

/// A generator, and the cells that receive what it sends.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) struct Generator {
    intervals: Intervals,
    /// Position among the components, which chooses the stream of its random numbers.
    position: usize,
    value: f64,
    increment: f64,
    /// `true` if it sends after all outputs of a time.
    late: bool,
    /// Cells, and the rules that they then evaluate.
    reaches: Vec<(u32, u32)>,
}

impl Generator {
    /// Links a generator to cells; it has a position among the components.
    pub(super) fn linked(self, position: usize, late: bool, reaches: Vec<(u32, u32)>) -> Self {
        Generator { position, late, reaches, ..self }
    }

    /// Returns the milliseconds between two inputs; `None` if intervals are drawn.
    pub(in crate::rules) fn period(&self) -> Option<u32> {
        match self.intervals {
            Intervals::Constant(seconds) => Some((seconds * SECOND) as u32),
            _ => None,
        }
    }

    /// Returns the inputs of all cells until a horizon, in units of some milliseconds. Intervals are drawn with the
    /// random numbers of a seed, in units of one.
    pub(in crate::rules) fn inputs(&self, seed: u64, horizon: u32, unit: u64) -> Vec<InputSource<PortValue>> {
        let &Generator { intervals, position, value, increment, late, .. } = self;
        if let Some(period) = self.period() {
            // A quotient of 32 bits has at most as many.
            let period = (u64::from(period) / unit) as u32;
            let input = |rules| PortValue { rules, value, increment };
            let source = |&(cell, rules)| InputSource { cell, first: 0, period, late, input: input(rules) };
            return self.reaches.iter().map(source).collect();
        }
        let times = intervals.times(&mut Pcg32::new(seed, FIRST_STREAM + position as u64), horizon);
        let mut inputs = Vec::with_capacity(times.len() * self.reaches.len());
        for (first, sent) in times {
            let value = value + increment * f64::from(sent);
            inputs.extend(self.reaches.iter().map(|&(cell, rules)| {
                let input = PortValue { rules, value, increment: 0.0 };
                InputSource { cell, first, period: 0, late, input }
            }));
        }
        inputs
    }
}

/// Milliseconds of a generator's second.
const SECOND: f64 = 1000.0;

fn number(sources: &Sources, section: &Section, key: &str, default: Option<f64>) -> Built<f64> {
    let entry = match (section.first(key), default) {
        (None, Some(default)) => return Ok(default),
        _ => needed(section, key)?,
    };
    let wrong = || Problem::new(entry.value.clone(), format!("`{key}` has to be a number"), "no number");
    let number = text_of(sources, &entry.value).split_whitespace().next().and_then(|word| word.parse().ok());
    number.filter(|number: &f64| number.is_finite()).ok_or_else(wrong)
}

/// Reads the distribution of a generator's intervals.
fn intervals(sources: &Sources, section: &Section) -> Built<Intervals> {
    let distribution = needed(section, "distribution")?;
    let number = |key| number(sources, section, key, None);
    let name = text_of(sources, &distribution.value).to_lowercase();
    let (intervals, key) = match name.as_str() {
        "constant" => (Intervals::Constant(number("value")?), "value"),
        "exponential" => (Intervals::Exponential { mean: number("mean")? }, "mean"),
        "poisson" => (Intervals::Poisson { mean: number("mean")? }, "mean"),
        "normal" => (Intervals::Normal { mean: number("mean")?, deviation: number("deviation")? }, "mean"),
        "chi" => (Intervals::Chi { degrees: number("degreesfreedom")?.trunc() }, "degreesfreedom"),
        _ => {
            let message = format!("a generator has no distribution `{name}`");
            let problem = Problem::new(distribution.value.clone(), message, "unknown distribution");
            return Err(problem.note("known: constant, exponential, poisson, normal, chi"));
        }
    };
    if !(1.0..f64::from(i32::MAX)).contains(&(intervals.mean() * SECOND)) {
        let span = needed(section, key)?.value.clone();
        return Err(Problem::new(span, "a generator's interval has to be at least a millisecond", "seconds"));
    }
    Ok(intervals)
}

/// Returns the generator `name`, which reaches no cell yet.
pub(super) fn generator(
    sources: &Sources,
    all: &[Section],
    top: &Section,
    name: &str,
    link: &Entry,
) -> Built<Generator> {
    let component = format!("{name}@generator");
    let listed =
        |entry: &Entry| text_of(sources, &entry.value).to_lowercase().split_whitespace().any(|word| word == component);
    let section = all.iter().find(|section| section.name == name).filter(|_| top.all("components").any(listed));
    let Some(section) = section else {
        let problem = Problem::new(link.value.clone(), format!("there is no generator `{name}`"), "linked here");
        return Err(problem.note(format!("list `{component}` among the components and describe it in `[{name}]`")));
    };
    Ok(Generator {
        intervals: intervals(sources, section)?,
        position: 0,
        value: number(sources, section, "initial", Some(0.0))?,
        increment: number(sources, section, "increment", Some(1.0))?,
        late: false,
        reaches: Vec::new(),
    })
}
