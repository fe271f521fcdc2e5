//! Calls. What is copied in and out is passed by pointer: a whole variable as it is, anything else through a copy.

use super::WgslError;
use super::function::{FunctionLowering, Mode};
use imminent_ir::{Arg, Base, FunctionId, LocalId, Place};

impl FunctionLowering<'_, '_> {
    pub(super) fn call(&mut self, into: Option<LocalId>, function: FunctionId, args: &[Arg]) -> Result<(), WgslError> {
        let Some(name) = self.low.functions.get(function.index()).cloned() else {
            return Err(self.ill("a call of a function out of range"));
        };
        let mut passed = Vec::with_capacity(args.len());
        let mut copies: Vec<(&Place, String)> = Vec::new();
        for arg in args {
            passed.push(match arg {
                Arg::Value(value) => self.expr(value)?.argument(),
                Arg::InOut(place) => match self.whole_variable(place)? {
                    Some(pointer) => pointer,
                    None => {
                        let copy = self.copy_in(place)?;
                        let pointer = format!("&{copy}");
                        copies.push((place, copy));
                        pointer
                    }
                },
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

    /// A pointer to a place that is a whole variable.
    fn whole_variable(&self, place: &Place) -> Result<Option<String>, WgslError> {
        let Base::Local(local) = place.base else { return Ok(None) };
        if !place.path.is_empty() {
            return Ok(None);
        }
        let name = self.name(local)?;
        Ok(match self.mode(local) {
            Mode::Pointer => Some(name),
            Mode::Var => Some(format!("&{name}")),
            Mode::Let => None,
        })
    }

    fn copy_in(&mut self, place: &Place) -> Result<String, WgslError> {
        let ty = self.value_type(place)?;
        let value = self.load(place, &ty, None)?;
        let copy = self.temp("inout");
        let ty = self.low.type_name(&ty);
        self.emit(&format!("var {copy}: {ty} = {};", value.text));
        Ok(copy)
    }
}
