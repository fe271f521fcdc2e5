//! The state of one lowering to C.

use super::inlining;
use super::names::RULES;
use super::options::{COptions, Dialect};
use super::source::Requires;
use crate::LoweringError;
use crate::kept;
use crate::names::Names;
use crate::walk::{self, CommonOptions, Part, Shared, Way};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::launch::{EVERY_TURN, TURN_WORD};
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

/// The state of one lowering.
pub(super) struct Lowering<'a> {
    shared: Shared<'a>,
    pub(super) options: &'a COptions,
    /// The kernel's symbol.
    pub(super) entry: String,
    /// For each function whether it stays by itself.
    pub(super) separate: Vec<bool>,
    pub(super) consts: BTreeMap<ConstId, (String, ConstForm)>,
    /// Fields of the context that the entry point sets from the launch block: name and word.
    pub(super) header_fields: BTreeMap<String, u32>,
    /// The declarations of structs and arrays, each after those it uses, and their names.
    pub(super) types: Vec<String>,
    pub(super) type_names: HashMap<Type, String>,
    /// The functions that read and write memory, and their names.
    pub(super) accessors: Vec<String>,
    pub(super) accessor_names: HashMap<(u32, Way, Part, Type), String>,
    /// The functions that fill arrays with one value.
    pub(super) repeats: HashMap<Type, String>,
    pub(super) requires: Requires,
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
            language: "the C",
            workgroup_size: options.workgroup_size,
            subset: options.subset,
            ragged: &options.ragged,
            single: &options.single,
            faults: options.faults,
        };
        common.check(flat)?;
        check_device(flat, options)?;
        let mut names = Names::new(&RULES);
        let entry = names.global(&flat.name);
        let mut low = Lowering {
            shared: Shared::new(flat, common, names),
            options,
            entry,
            separate: inlining::separate(flat),
            consts: BTreeMap::new(),
            header_fields: BTreeMap::new(),
            types: Vec::new(),
            type_names: HashMap::new(),
            accessors: Vec::new(),
            accessor_names: HashMap::new(),
            repeats: HashMap::new(),
            requires: Requires::default(),
        };
        low.name_constants();
        // Functions by themselves need in memory what the context holds.
        if !low.separate.contains(&true) {
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

    /// The field of the context that holds a word of a binding's header.
    pub(super) fn header(&mut self, binding: u32, what: &str, word: u32) -> String {
        let Some(base) = self.binding_names.get(binding as usize).cloned() else { return "fault".to_owned() };
        let at = self.launch.headers.get(binding as usize).copied().unwrap_or_default() + word;
        if let Some((name, _)) = self.header_fields.iter().find(|(_, w)| **w == at) {
            return name.clone();
        }
        let name = self.names.resource(&format!("{base}_{what}"));
        self.header_fields.insert(name.clone(), at);
        name
    }

    /// The field for the words between two word columns of a table.
    pub(super) fn stride(&mut self, binding: u32) -> String {
        self.header(binding, "stride", 1)
    }

    /// The field for the words between two word columns of a ragged table's pool.
    pub(super) fn pool_stride(&mut self, binding: u32) -> String {
        self.header(binding, "pool_stride", 3)
    }

    /// Returns the expression that reads a word of the launch block in the entry point.
    pub(super) fn launch_word(&self, word: u32) -> String {
        format!("launch{}w[{word}]", if self.options.launch_in_buffer { "->" } else { "." })
    }

    /// Returns the condition that it is the launch's turn.
    pub(super) fn in_turn(&self) -> String {
        let turn = self.launch_word(TURN_WORD);
        format!("({turn} == {EVERY_TURN:#x}u || state[0] == {turn})")
    }
}

/// Refuses kernels that use what the device lacks.
fn check_device(flat: &FlatKernel, options: &COptions) -> Result<(), LoweringError> {
    if let Some(spot) = &flat.facts.float64
        && !options.float64
    {
        return Err(LoweringError::Unsupported {
            kernel: flat.name.clone(),
            scalar: Scalar::F64,
            file: spot.file.clone(),
            line: spot.line,
            offer: "have",
            advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
        });
    }
    if let Some(spot) = &flat.facts.wide_tally_minmax
        && !options.int64_atomics
        && options.dialect == Dialect::OpenCl
    {
        return Err(LoweringError::WideTally { kernel: flat.name.clone(), file: spot.file.clone(), line: spot.line });
    }
    Ok(())
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
