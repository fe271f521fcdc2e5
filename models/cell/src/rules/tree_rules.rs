//! Rules of a model, evaluated as trees: the oracle.

use super::ast::Rule;
use super::layers::Layers;
use super::model::Model;
use super::port_value::PortValue;
use super::tree::{Scene, UNDEFINED, delay, equal, number, truth};
use crate::sequential::{LocalRule, Next, Seen};
use imminent_core::random::Pcg32;

/// The rules of a model, evaluated as trees.
pub struct TreeRules<'a> {
    model: &'a Model,
    layers: Layers,
    random: Vec<Pcg32>,
    /// State variables, cell by cell.
    variables: Vec<f64>,
}

impl<'a> TreeRules<'a> {
    /// Evaluates the rules of a model, with the random numbers of a seed.
    #[must_use]
    pub fn new(model: &'a Model, seed: u64) -> Self {
        let (layers, cells) = (model.layers(), model.space().cells() as u32);
        let random = (0..cells).map(|cell| Pcg32::new(seed, u64::from(layers.place(cell)))).collect();
        TreeRules { model, layers, random, variables: model.variables().to_vec() }
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
        let first = self.layers.dimensions() as usize;
        let position = position.get(first..self.model.space().dimensions().len()).unwrap_or_default();
        let (layers, port) = (self.layers, self.layers.port(seen.cell));
        let number_of_variables = self.model.variables_of_a_cell();
        let rules = match seen.input {
            Some(input) => self.model.programs().get(input.input.rules as usize).map_or(&[][..], Vec::as_slice),
            None => self.rules(seen.cell),
        };
        let input = seen.input.map_or(UNDEFINED, |input| input.input.after(input.sent));
        let random = self.random.get_mut(seen.cell as usize).ok_or("a cell that does not exist")?;
        let own = seen.cell as usize * number_of_variables;
        let variables = self.variables.get_mut(own..own + number_of_variables).unwrap_or_default();
        let unit = self.model.unit();
        let (neighbours, time) = (&neighbours, f64::from(seen.time) * unit as f64);
        let mut scene = Scene { neighbours, layers, port, variables, position, time, input, random };
        let mut undefined = false;
        for rule in rules {
            match truth(&rule.condition, &mut scene) {
                Some(true) => {
                    let milliseconds = number(&rule.delay, &mut scene);
                    for assign in &rule.assigns {
                        let value = number(&assign.value, &mut scene);
                        if let Some(variable) = scene.variables.get_mut(assign.to as usize) {
                            *variable = value;
                        }
                    }
                    let mut sent = None;
                    for send in &rule.sends {
                        let value = number(&send.value, &mut scene);
                        if send.to == port {
                            sent = Some(value);
                        }
                    }
                    let Some(value) = sent else { return Ok(None) };
                    let delay =
                        delay(milliseconds, unit).ok_or_else(|| format!("a rule has the delay {milliseconds}"))?;
                    return Ok(Some(Next { value, delay }));
                }
                Some(false) => {}
                None => undefined = true,
            }
        }
        // As in CD++, rules that draw may all be false.
        if undefined || rules.iter().any(|rule| rule.condition.draws()) {
            Ok(None)
        } else {
            Err("no rule is true: end with `rule : {(0,0)} 0 {t}`".to_owned())
        }
    }
}
