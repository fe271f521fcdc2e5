//! Calls. What is copied in and out is passed by pointer: a variable, or where the dialect has pointers to it a part of
//! one, as it is, anything else through a copy.

use super::body::{FunctionLowering, Mode};
use super::dialect::Dialect;
use super::facts::constant_index;
use crate::LoweringError;
use imminent_ir::{Arg, Base, FunctionId, LocalId, Place, Step};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    pub(crate) fn call(
        &mut self,
        into: Option<LocalId>,
        function: FunctionId,
        args: &[Arg],
    ) -> Result<(), LoweringError> {
        let Some(name) = self.low.functions.get(function.index()).cloned() else {
            return Err(self.ill("a call of a function out of range"));
        };
        let mut passed: Vec<String> = L::CONTEXT.iter().map(|name| (*name).to_owned()).collect();
        let mut copies: Vec<(&Place, String)> = Vec::new();
        for arg in args {
            passed.push(match arg {
                Arg::Value(value) => L::argument(&self.expr(value)?),
                Arg::InOut(place) => {
                    let pointer = match self.pointer(place)? {
                        Some(pointer) => pointer,
                        None => {
                            let copy = self.copy_in(place)?;
                            let pointer = format!("&{copy}");
                            copies.push((place, copy));
                            pointer
                        }
                    };
                    let ty = self.value_type(place)?;
                    if let Some(lend) = self.low.lend(&ty, &pointer) {
                        self.emit(&lend);
                    }
                    pointer
                }
                Arg::Resource(_) => return Err(self.ill("a resource as an argument")),
            });
        }
        passed.extend(self.low.asked(function.index()).iter().map(|query| (*query).to_owned()));
        let call = format!("{name}({})", passed.join(", "));
        match into {
            Some(local) => self.declare(local, &call)?,
            None => self.emit(&format!("{call};")),
        }
        for (place, copy) in copies {
            let ty = self.value_type(place)?;
            let back = self.store(place, &ty, &copy, None)?;
            self.emit(&back);
        }
        Ok(())
    }

    /// A pointer to a place within a variable, at constant indices.
    fn pointer(&mut self, place: &Place) -> Result<Option<String>, LoweringError> {
        let Base::Local(local) = place.base else { return Ok(None) };
        let fixed = |step: &Step| match step {
            Step::Field(_) => L::POINTS_INTO_VARIABLES,
            Step::Index(index) => L::POINTS_INTO_VARIABLES && constant_index(index).is_some(),
        };
        if !place.path.iter().all(fixed) {
            return Ok(None);
        }
        Ok(match self.mode(local) {
            Mode::Pointer if place.path.is_empty() => Some(self.name(local)?),
            Mode::Pointer | Mode::Var | Mode::Ahead => {
                let ty = self.value_type(place)?;
                Some(format!("&{}", self.load(place, &ty, None)?.text))
            }
            Mode::Const => None,
        })
    }

    fn copy_in(&mut self, place: &Place) -> Result<String, LoweringError> {
        let ty = self.value_type(place)?;
        let value = self.load(place, &ty, None)?;
        let copy = self.temp("inout");
        self.declare_new(Mode::Var, &copy, &ty, &value.text);
        Ok(copy)
    }
}
