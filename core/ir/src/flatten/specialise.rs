//! Follows calls from the kernel's body and makes one copy of a function per combination of resources.

use super::history;
use super::rewrite::{Bound, Rewriter};
use super::state::{Copies, Mode, State, place_of, to_u32};
use super::{
    Access, Binding, BindingKind, Facts, FlatFunction, FlatKernel, FlatLocal, FlatParam, FlattenError, Scope,
    ScratchUse,
};
use crate::{
    Function, FunctionId, Kernel, Layout, LocalId, LocalKind, Module, Param, ParamKind, Scalar, StructId, StructRole,
    Type,
};
use std::ops::{Deref, DerefMut};

/// Makes the copies of the functions.
struct Specialiser<'m>(State<'m>);

impl<'m> Deref for Specialiser<'m> {
    type Target = State<'m>;

    fn deref(&self) -> &State<'m> {
        &self.0
    }
}

impl<'m> DerefMut for Specialiser<'m> {
    fn deref_mut(&mut self) -> &mut State<'m> {
        &mut self.0
    }
}

/// Specialises everything reachable from a kernel.
pub(super) fn specialise(module: &Module, kernel: &Kernel) -> Result<FlatKernel, FlattenError> {
    let mut specialiser = Specialiser(State::new(module, kernel));
    specialiser.entry()?;
    let state = specialiser.0;
    Ok(FlatKernel {
        name: kernel.name.clone(),
        module: module.name.clone(),
        file: module.file.clone(),
        reduce: kernel.reduce.clone(),
        shape: kernel.shape,
        scratch: state.scratch,
        bindings: state.bindings,
        functions: state.functions,
        structs: module.structs.clone(),
        enums: module.enums.clone(),
        consts: module.consts.clone(),
        used_structs: Vec::new(),
        used_enums: Vec::new(),
        used_consts: Vec::new(),
        sites: state.sites,
        facts: Facts::default(),
    })
}

impl<'m> Specialiser<'m> {
    /// Specialises the kernel's body: its parameters become the bindings, and the number of the row or group its only
    /// parameter.
    fn entry(&mut self) -> Result<(), FlattenError> {
        let id = self.kernel.function;
        let function = self.function(id)?;
        let grouped = self.kernel.shape.is_grouped();
        let mut locals = value_locals(function);
        let number = LocalId(to_u32(locals.len()));
        let mut number_name = if grouped { "group_number" } else { "row" }.to_owned();
        let mut seen_row = false;
        let mut params = Vec::new();
        for param in &function.params {
            params.push(match &param.kind {
                ParamKind::Value(Type::Scalar(Scalar::U32)) if !seen_row && !grouped => {
                    seen_row = true;
                    number_name.clone_from(&param.name);
                    Bound::Local(number)
                }
                ParamKind::Scratch(ty, _) if grouped && self.scratch.is_none() => {
                    self.scratch = Some(ty.clone());
                    Bound::Scratch
                }
                ParamKind::Row(..) => Bound::Row { binding: self.bind(param, grouped)?, index: number },
                ParamKind::Each(..) if grouped => Bound::Each(self.bind(param, false)?),
                ParamKind::Rows(_) | ParamKind::Params(_) | ParamKind::Tally(_) => {
                    Bound::Whole(self.bind(param, false)?)
                }
                ParamKind::Clock if !grouped => Bound::Whole(self.bind(param, false)?),
                ParamKind::History(..) if !grouped => {
                    Bound::History { binding: self.bind(param, false)?, index: number }
                }
                ParamKind::Value(_)
                | ParamKind::InOut(_)
                | ParamKind::Lanes(..)
                | ParamKind::Scratch(..)
                | ParamKind::History(..)
                | ParamKind::Clock
                | ParamKind::Each(..) => {
                    return self.ill(
                        place_of(function, function.line),
                        format!("parameter `{}` is not one that this kernel can take", param.name),
                    );
                }
            });
        }
        if grouped && self.scratch.is_none() {
            return self.ill(place_of(function, function.line), "a grouped kernel without scratch");
        }
        locals.push(FlatLocal { name: number_name, ty: Type::Scalar(Scalar::U32) });
        self.open.push(id);
        let name = self.unique_name(&function.name);
        let flat_params = vec![FlatParam { local: number, inout: false }];
        let scope = if grouped { Scope::Group } else { Scope::Row };
        self.finish(function, scope, name, params, flat_params, locals)?;
        Ok(())
    }

    fn bind(&mut self, param: &Param, per_group: bool) -> Result<u32, FlattenError> {
        let layout = |role: StructRole, id: StructId| match self.module.structs.get(id.index()) {
            Some(def) if def.role == role => Ok(Layout::of(self.module, id)),
            _ => self.ill(
                format!("kernel parameter `{}`", param.name),
                format!("struct number {} does not derive what the parameter needs", id.0),
            ),
        };
        let kind = match param.kind {
            ParamKind::History(ref ty, mutable) => match history::ring(self.module, ty) {
                Some(row) => {
                    let layout = Layout::of(self.module, row);
                    BindingKind::Table { row, layout, mutable, own_row: mutable, per_group: false }
                }
                None => return self.ill(format!("kernel parameter `{}`", param.name), "its entries have no ring"),
            },
            ParamKind::Clock => match history::clock(self.module) {
                Some(row) => {
                    let layout = Layout::of(self.module, row);
                    BindingKind::Table { row, layout, mutable: false, own_row: false, per_group: false }
                }
                None => return self.ill(format!("kernel parameter `{}`", param.name), "there is no clock"),
            },
            ParamKind::Row(row, mutable) | ParamKind::Each(row, mutable) => {
                let layout = layout(StructRole::Row, row)?;
                if per_group && layout.lane_words > 0 {
                    return self.ill(format!("kernel parameter `{}`", param.name), "the row of a group has lanes");
                }
                BindingKind::Table { row, layout, mutable, own_row: true, per_group }
            }
            ParamKind::Rows(row) => BindingKind::Table {
                row,
                layout: layout(StructRole::Row, row)?,
                mutable: false,
                own_row: false,
                per_group: false,
            },
            ParamKind::Params(block) => BindingKind::Params { block, layout: layout(StructRole::Params, block)? },
            ParamKind::Tally(scalar) if scalar.is_integer() => BindingKind::Tally { scalar, op: None },
            _ => {
                return self.ill(format!("kernel parameter `{}`", param.name), "it is not a resource");
            }
        };
        self.bindings.push(Binding { name: param.name.clone(), kind, access: Access::default() });
        Ok(to_u32(self.bindings.len() - 1))
    }

    fn finish(
        &mut self,
        function: &'m Function,
        scope: Scope,
        name: String,
        params: Vec<Bound>,
        flat_params: Vec<FlatParam>,
        mut locals: Vec<FlatLocal>,
    ) -> Result<FunctionId, FlattenError> {
        let passed = locals.len() - function.locals.len();
        let (body, added, steps) = Rewriter::new(self, function, scope, params, passed).body()?;
        locals.extend(added);
        self.open.pop();
        self.functions.push(FlatFunction {
            name,
            file: function.file.clone(),
            line: function.line,
            scope,
            scratch: ScratchUse::default(),
            params: flat_params,
            locals,
            result: function.result.clone(),
            body,
            steps,
        });
        Ok(FunctionId(to_u32(self.functions.len() - 1)))
    }
}

impl<'m> Copies<'m> for Specialiser<'m> {
    fn copy(&mut self, id: FunctionId, scope: Scope, modes: &[Mode]) -> Result<FunctionId, FlattenError> {
        if let Some(done) = self.done.get(&(id, scope, modes.to_vec())) {
            return Ok(*done);
        }
        let function = self.function(id)?;
        if self.open.contains(&id) {
            return Err(FlattenError::Recursion { kernel: self.kernel.name.clone(), function: function.name.clone() });
        }
        let mut locals = value_locals(function);
        let mut params = Vec::new();
        let mut flat_params = Vec::new();
        for (param, mode) in function.params.iter().zip(modes) {
            match *mode {
                Mode::Whole(binding) => {
                    params.push(Bound::Whole(binding));
                    continue;
                }
                Mode::Scratch => {
                    params.push(Bound::Scratch);
                    continue;
                }
                _ => {}
            }
            let local = LocalId(to_u32(locals.len()));
            let (name, ty) = match mode {
                Mode::Value | Mode::InOut => (param.name.clone(), passed_type(&param.kind)),
                _ => (format!("{}_row", param.name), Type::Scalar(Scalar::U32)),
            };
            locals.push(FlatLocal { name, ty });
            flat_params.push(FlatParam { local, inout: *mode == Mode::InOut });
            params.push(match *mode {
                Mode::Row(binding) => Bound::Row { binding, index: local },
                Mode::History(binding) => Bound::History { binding, index: local },
                Mode::Lanes(binding, field) => Bound::Lanes { binding, index: local, field },
                _ => Bound::Local(local),
            });
        }
        self.open.push(id);
        let name = self.unique_name(&function.name);
        let flat = self.finish(function, scope, name, params, flat_params, locals)?;
        self.done.insert((id, scope, modes.to_vec()), flat);
        Ok(flat)
    }
}

/// Returns the type of the value passed for a parameter in mode `Value` or `InOut`.
fn passed_type(kind: &ParamKind) -> Type {
    match kind {
        ParamKind::Value(ty) | ParamKind::InOut(ty) => ty.clone(),
        ParamKind::Row(id, _) | ParamKind::Params(id) | ParamKind::Rows(id) | ParamKind::Each(id, _) => {
            Type::Struct(*id)
        }
        ParamKind::Lanes(..)
        | ParamKind::Tally(_)
        | ParamKind::Scratch(..)
        | ParamKind::History(..)
        | ParamKind::Clock => Type::Unit,
    }
}

/// Returns the locals as values: a bound row is its number.
fn value_locals(function: &Function) -> Vec<FlatLocal> {
    function
        .locals
        .iter()
        .map(|local| match &local.kind {
            LocalKind::Value(ty) => FlatLocal { name: local.name.clone(), ty: ty.clone() },
            LocalKind::RowRef(_) => FlatLocal { name: local.name.clone(), ty: Type::Scalar(Scalar::U32) },
        })
        .collect()
}
