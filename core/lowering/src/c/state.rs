//! The state of one lowering to C.

use super::inlining;
use super::names::RULES;
use super::options::{COptions, Dialect};
use super::source::Requires;
use crate::LoweringError;
use crate::kept;
use crate::names::Names;
use crate::walk::{self, CommonOptions, Shared};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{ConstId, Scalar, Type, Value};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};

/// The lowering of a function to C.
pub(super) type FunctionLowering<'l, 'a> = walk::FunctionLowering<'l, 'a, Lowering<'a>>;

/// Form in which a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstForm {
    /// A variable with an initial value.
    Data,
    /// A function without parameters, where a float in it has no exact decimal text.
    Function,
}

/// State of a body that is written in stages.
#[derive(Debug, Default)]
pub(super) struct Stages {
    /// Variable that holds the number of the next stage.
    pub(super) next: String,
    /// Variable that holds the result, unless there is none.
    pub(super) result: Option<String>,
    /// Number of stages that have a number.
    pub(super) count: u32,
    /// Bounds of loops, which later stages read: variables and their types.
    pub(super) bounds: Vec<(String, Scalar)>,
    /// Loops around the statement: the stages to which `break` and `continue` lead.
    pub(super) loops: Vec<[u32; 2]>,
}

/// The state of one lowering.
pub(super) struct Lowering<'a> {
    shared: Shared<'a>,
    pub(super) options: &'a COptions,
    /// The kernel's symbol.
    pub(super) entry: String,
    /// For each function whether it stays by itself.
    pub(super) separate: Vec<bool>,
    pub(super) consts: BTreeMap<ConstId, (String, ConstForm)>,
    /// The declarations of structs and arrays, each after those it uses, and their names.
    pub(super) types: Vec<String>,
    pub(super) type_names: HashMap<Type, String>,
    pub(super) requires: Requires,
    pub(super) stages: Stages,
}

impl<'a> Deref for Lowering<'a> {
    type Target = Shared<'a>;

    fn deref(&self) -> &Shared<'a> {
        &self.shared
    }
}

impl<'a> DerefMut for Lowering<'a> {
    fn deref_mut(&mut self) -> &mut Shared<'a> {
        &mut self.shared
    }
}

impl<'a> Lowering<'a> {
    /// A lowering of a kernel that the options allow.
    pub(super) fn checked(flat: &'a FlatKernel, options: &'a COptions) -> Result<Self, LoweringError> {
        let common = CommonOptions {
            language: "C",
            workgroup_size: options.workgroup_size,
            subset: options.subset,
            ragged: &options.ragged,
            single: &options.single,
            shared: false,
            faults: options.faults,
            float64: options.float64,
            wide_minmax: options.int64_atomics || options.dialect == Dialect::Cuda,
            offer: "have",
        };
        common.check(flat)?;
        let mut names = Names::new(&RULES);
        let entry = names.global(&flat.name);
        let mut low = Lowering {
            shared: Shared::new(flat, common, names),
            options,
            entry,
            separate: inlining::separate(flat),
            consts: BTreeMap::new(),
            types: Vec::new(),
            type_names: HashMap::new(),
            requires: Requires::default(),
            stages: Stages::default(),
        };
        low.name_constants();
        if flat.shape.is_grouped() {
            low.keep(kept::group_fields(flat));
        } else if !low.separate.contains(&true) {
            // Functions by themselves need in memory what the context holds.
            low.keep(kept::fields(flat));
        }
        Ok(low)
    }

    fn name_constants(&mut self) {
        for id in &self.shared.flat.used_consts {
            let Some(def) = self.shared.flat.consts.get(id.index()) else { continue };
            let form = if needs_bits(&def.value) { ConstForm::Function } else { ConstForm::Data };
            let name = self.shared.names.global(&def.name);
            self.consts.insert(*id, (name, form));
        }
        self.name_variants();
    }
}

/// The decimal text of a float where every compiler reads exactly these bits in it, also one that reads an `f64` first
/// and rounds again: a normal number, or plus zero.
pub(super) fn plain_f32(bits: u32) -> Option<String> {
    let x = f32::from_bits(bits);
    let text = format!("{x:?}");
    let twice = text.parse::<f64>().ok()? as f32;
    ((bits == 0 || x.is_normal()) && twice.to_bits() == bits).then_some(text)
}

pub(super) fn plain_f64(bits: u64) -> Option<String> {
    let x = f64::from_bits(bits);
    (bits == 0 || x.is_normal()).then(|| format!("{x:?}"))
}

/// Returns `true` if a value holds a float that has no exact decimal text.
fn needs_bits(value: &Value) -> bool {
    match value {
        Value::F32(bits) => plain_f32(*bits).is_none(),
        Value::F64(bits) => plain_f64(*bits).is_none(),
        Value::Struct(values) | Value::Array(values) => values.iter().any(needs_bits),
        _ => false,
    }
}
