//! Rules of a model, evaluated as trees: the oracle.

use super::ast::Rule;
use super::model::Model;
use super::port_value::PortValue;
use super::tree::{Scene, UNDEFINED, delay, equal, number, truth};
use crate::sequential::{LocalRule, Next, Seen};
use imminent_core::random::Pcg32;

/// The rules of a model, evaluated as trees.
pub struct TreeRules<'a> {
    model: &'a Model,
    random: Vec<Pcg32>,
}

impl<'a> TreeRules<'a> {
    /// Evaluates the rules of a model, with the random numbers of a seed.
    #[must_use]
    pub fn new(model: &'a Model, seed: u64) -> Self {
        let random = (0..model.space().cells() as u64).map(|cell| Pcg32::new(seed, cell)).collect();
        TreeRules { model, random }
    }

    fn rules(&self, cell: u32) -> &'a [Rule] {
        self.model.rules_of(cell)
    }
}

impl LocalRule for TreeRules<'_> {
    type Value = f64;
    type Input = PortValue;

    fn same(&self, a: f64, b: f64) -> bool {
        let quantum = self.model.quantum();
        let step = |value: f64| if quantum > 0.0 { (value / quantum).trunc() } else { value };
        equal(step(a), step(b)) == Some(true)
    }

    fn evaluate(&mut self, seen: &Seen<'_, f64, PortValue>) -> Result<Option<Next<f64>>, String> {
        let neighbours: Vec<f64> = seen.neighbours.iter().map(|value| value.unwrap_or(UNDEFINED)).collect();
        let position = self.model.space().position(seen.cell);
        let position = position.get(..self.model.space().dimensions().len()).unwrap_or_default();
        let rules = match seen.input {
            Some(input) => self.model.programs().get(input.input.rules as usize).map_or(&[][..], Vec::as_slice),
            None => self.rules(seen.cell),
        };
        let input = seen.input.map_or(UNDEFINED, |input| input.input.after(input.sent));
        let random = self.random.get_mut(seen.cell as usize).ok_or("a cell that does not exist")?;
        let mut scene = Scene { neighbours: &neighbours, position, time: seen.time, input, random };
        let mut undefined = false;
        for rule in rules {
            match truth(&rule.condition, &mut scene) {
                Some(true) => {
                    let value = number(&rule.value, &mut scene);
                    let milliseconds = number(&rule.delay, &mut scene);
                    let delay = delay(milliseconds).ok_or_else(|| format!("a rule has the delay {milliseconds}"))?;
                    return Ok(Some(Next { value, delay }));
                }
                Some(false) => {}
                None => undefined = true,
            }
        }
        if undefined { Ok(None) } else { Err("no rule is true: end with `rule : {(0,0)} 0 {t}`".to_owned()) }
    }
}
