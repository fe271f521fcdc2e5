//! The state of one lowering to WGSL.

use super::names::{GROUP, RULES};
use super::options::{Int64, WgslOptions};
use super::queries;
use super::segments;
use super::source::{Requires, SharedPiece};
use crate::LoweringError;
use crate::kept;
use crate::names::Names;
use crate::walk::{self, CommonOptions, Shared};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::{Base, ConstId, ExprKind, Place, Scalar, Step, Value};
use std::collections::{BTreeMap, HashSet};
use std::ops::{Deref, DerefMut};

/// The lowering of a function to WGSL.
pub(super) type FunctionLowering<'l, 'a> = walk::FunctionLowering<'l, 'a, Lowering<'a>>;

/// Form in which a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstForm {
    /// `const`.
    Const,
    /// `var<private>` with an initial value, because it is indexed by a computed number.
    Private,
    /// `var<private>` set by the entry point: WGSL's constants cannot be NaN or infinite.
    Computed,
}

/// The state of one lowering.
pub(super) struct Lowering<'a> {
    shared: Shared<'a>,
    pub(super) options: &'a WgslOptions,
    /// For each function what it is passed about the group, because it asks for it between phases.
    pub(super) asked: Vec<Vec<&'static str>>,
    pub(super) consts: BTreeMap<ConstId, (String, ConstForm)>,
    /// For each binding the variables of its segments, and the first word column of each.
    pub(super) segments: Vec<Vec<(String, u32)>>,
    /// Buffers that tables share, then those that tallies share: names, and types of the elements.
    pub(super) shared_buffers: Vec<(String, &'static str)>,
    pub(super) shared_pieces: Vec<SharedPiece>,
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
    pub(super) fn checked(flat: &'a FlatKernel, options: &'a WgslOptions) -> Result<Self, LoweringError> {
        let wide = options.int64 == Int64::Native;
        let common = CommonOptions {
            language: segments::LANGUAGE,
            workgroup_size: options.workgroup_size,
            subset: options.subset,
            ragged: &options.ragged,
            single: &options.single,
            shared: options.shared.is_some(),
            faults: options.faults,
            float64: options.float64 && wide,
            wide_minmax: options.int64_atomics && wide,
            offer: "offer to WebGPU",
        };
        common.check(flat)?;
        segments::check(flat, options)?;
        let mut names = Names::new(&RULES);
        if flat.shape.is_grouped() {
            names.reserve(GROUP);
        }
        let mut low = Lowering {
            shared: Shared::new(flat, common, names),
            options,
            asked: queries::asked(flat),
            consts: BTreeMap::new(),
            segments: Vec::new(),
            shared_buffers: Vec::new(),
            shared_pieces: Vec::new(),
            requires: Requires::default(),
        };
        low.name_buffers();
        low.share_buffers(options)?;
        low.name_constants();
        low.keep(kept::fields(flat));
        Ok(low)
    }

    fn name_buffers(&mut self) {
        for number in 0..self.flat.bindings.len() {
            let name = self.binding_names[number].clone();
            let starts = self.options.segments.get(number).filter(|s| s.len() > 1);
            let buffers = match starts {
                None => vec![(name, 0)],
                Some(starts) => starts
                    .iter()
                    .enumerate()
                    .map(|(k, start)| (self.names.global(&format!("{name}_part{k}")), *start))
                    .collect(),
            };
            self.segments.push(buffers);
        }
    }

    fn name_constants(&mut self) {
        let flat = self.flat;
        let mut indexed = DynamicConsts::default();
        for function in &flat.functions {
            visit::walk(&function.body, &mut indexed);
        }
        for id in &flat.used_consts {
            let Some(def) = flat.consts.get(id.index()) else { continue };
            let form = if needs_bits(&def.value) {
                ConstForm::Computed
            } else if indexed.0.contains(id) {
                ConstForm::Private
            } else {
                ConstForm::Const
            };
            let name = self.names.global(&def.name);
            self.consts.insert(*id, (name, form));
        }
        self.name_variants();
    }

    /// A scalar type.
    pub(super) fn scalar_type(&self, scalar: Scalar) -> &'static str {
        match (scalar, self.options.int64) {
            (Scalar::Bool, _) => "bool",
            (Scalar::U32, _) => "u32",
            (Scalar::I32, _) => "i32",
            (Scalar::F32, _) => "f32",
            (Scalar::F64, _) => "f64",
            (Scalar::U64 | Scalar::I64, Int64::Emulated) => "vec2<u32>",
            (Scalar::U64, Int64::Native) => "u64",
            (Scalar::I64, Int64::Native) => "i64",
        }
    }
}

/// The constants that are indexed by a computed number.
#[derive(Default)]
struct DynamicConsts(HashSet<ConstId>);

impl Visitor for DynamicConsts {
    fn place(&mut self, place: &Place, _used: Use) {
        if let Base::Const(id) = place.base
            && place.path.iter().any(|s| matches!(s, Step::Index(i) if !matches!(i.kind, ExprKind::Literal(_))))
        {
            self.0.insert(id);
        }
    }
}

/// Returns `true` if a decimal literal gives exactly these bits in every compiler: a normal number, or plus zero. The
/// shortest decimal of the greatest number lies above it, and Dawn refuses it.
pub(super) fn is_plain_f32(bits: u32) -> bool {
    let x = f32::from_bits(bits);
    bits == 0 || (x.is_normal() && x.abs() != f32::MAX)
}

pub(super) fn is_plain_f64(bits: u64) -> bool {
    bits == 0 || f64::from_bits(bits).is_normal()
}

/// Returns `true` if a value holds what WGSL's constants cannot: some floats, and the least `i64`. There is no literal
/// for the latter, and naga evaluates neither `bitcast` nor arithmetic of that type in a constant.
fn needs_bits(value: &Value) -> bool {
    match value {
        Value::I64(x) => *x == i64::MIN,
        Value::F32(bits) => !is_plain_f32(*bits),
        Value::F64(bits) => !is_plain_f64(*bits),
        Value::Struct(values) | Value::Array(values) => values.iter().any(needs_bits),
        _ => false,
    }
}
