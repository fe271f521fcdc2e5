//! The part of a lowering's state that all dialects have.

use super::accesses::{Accessor, Storage};
use crate::LoweringError;
use crate::kept::{self, FieldOf, Kept};
use crate::names::{Names, to_u32};
use crate::phases::{self, Phases};
use imminent_ir::flatten::{BindingKind, FlatKernel, Scope};
use imminent_ir::launch::{
    Faults, HEADER_WORDS, LAUNCH_WORDS, LaunchLayout, ParamsBlock, ROWS_PER_GROUP, keeps_operands,
};
use imminent_ir::{Block, FieldType, Layout, Scalar, StructId, Type, packed_words};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Options that mean the same in all dialects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonOptions<'a> {
    /// The language, in messages.
    pub(crate) language: &'static str,
    /// Invocations of a workgroup.
    pub(crate) workgroup_size: u32,
    /// `true` if the rows to run are listed in memory.
    pub(crate) subset: bool,
    /// Bindings that are ragged tables.
    pub(crate) ragged: &'a [u32],
    /// Bindings that are tallies of a single slot.
    pub(crate) single: &'a [u32],
    /// `true` if all tables lie in buffers that the kernel may write.
    pub(crate) shared: bool,
    /// Details that a fault reports.
    pub(crate) faults: Faults,
    /// `true` if the device has `f64`.
    pub(crate) float64: bool,
    /// `true` if the device has 64-bit minima and maxima as atomics.
    pub(crate) wide_minmax: bool,
    /// The device's relation to its types, in messages: `have`.
    pub(crate) offer: &'static str,
}

impl CommonOptions<'_> {
    /// Refuses options that contradict each other or the kernel, and kernels that use what the device lacks.
    pub(crate) fn check(&self, flat: &FlatKernel) -> Result<(), LoweringError> {
        let bad = |what| Err(LoweringError::Options { kernel: flat.name.clone(), language: self.language, what });
        if !self.workgroup_size.is_power_of_two() || self.workgroup_size > ROWS_PER_GROUP {
            return bad("the workgroup size is not a power of two from 1 to 256");
        }
        if flat.shape.is_grouped() && self.subset {
            return bad("a kernel that runs in groups cannot run over a subset of its rows");
        }
        if let Some(spot) = &flat.facts.float64
            && !self.float64
        {
            return Err(LoweringError::Unsupported {
                kernel: flat.name.clone(),
                scalar: Scalar::F64,
                file: spot.file.clone(),
                line: spot.line,
                offer: self.offer,
                advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
            });
        }
        if let Some(spot) = &flat.facts.wide_tally_minmax
            && !self.wide_minmax
        {
            let (kernel, file) = (flat.name.clone(), spot.file.clone());
            return Err(LoweringError::WideTally { kernel, file, line: spot.line });
        }
        Ok(())
    }
}

/// The state of one lowering, but for what is a dialect's own.
pub(crate) struct Shared<'a> {
    pub(crate) flat: &'a FlatKernel,
    common: CommonOptions<'a>,
    /// Invocations of a workgroup.
    pub(crate) workgroup_size: u32,
    pub(crate) phases: Phases,
    /// Scope of the function that is being lowered: an invocation for its row, or the group as a whole.
    pub(crate) scope: Scope,
    /// Variables that hold something about the group, and were asked for.
    pub(crate) queries: BTreeSet<&'static str>,
    pub(crate) names: Names,
    /// Names of structs and of their fields, by position in the module.
    pub(crate) structs: Vec<(String, Vec<String>)>,
    /// Name of the constant of each variant of the enums used.
    pub(crate) variants: BTreeMap<(u32, u32), String>,
    /// Names of the functions.
    pub(crate) functions: Vec<String>,
    /// Name of each binding.
    pub(crate) binding_names: Vec<String>,
    pub(crate) launch: LaunchLayout,
    /// Variables that the entry point sets from the launch block: name and word.
    pub(crate) headers: BTreeMap<String, u32>,
    /// Fields of own rows that are kept in variables.
    pub(crate) kept: BTreeMap<FieldOf, Kept>,
    /// Block of the kernel's body that loads and stores these; the entry point does if there is none.
    pub(crate) kept_block: Option<&'a Block>,
    /// Name and word of the first word column of each field used.
    pub(crate) fields: BTreeMap<(StructId, u32), (String, u32)>,
    /// Helper functions used.
    pub(crate) helpers: BTreeSet<String>,
    /// The functions that read and write memory, and their names.
    pub(crate) accessors: Vec<String>,
    pub(crate) accessor_names: HashMap<Accessor, String>,
    /// Names of the functions that make structs and arrays of others, by verb and type.
    pub(crate) composites: HashMap<(&'static str, Type), String>,
}

impl<'a> Shared<'a> {
    /// The state of a lowering of a kernel, with names for what it declares.
    pub(crate) fn new(flat: &'a FlatKernel, common: CommonOptions<'a>, mut names: Names) -> Self {
        let body = flat.functions.len().wrapping_sub(1);
        let binding_names = flat.bindings.iter().map(|b| names.resource(&b.name)).collect();
        let functions = flat
            .functions
            .iter()
            .enumerate()
            .map(|(at, f)| names.global(&if at == body { body_name(flat) } else { f.name.clone() }))
            .collect();
        let structs = flat
            .structs
            .iter()
            .enumerate()
            .map(|(at, def)| {
                let used = flat.used_structs.iter().any(|id| id.index() == at);
                let name = if used { names.global(&def.name) } else { def.name.clone() };
                (name, names.fields(def.fields.iter().map(|f| f.name.as_str())))
            })
            .collect();
        Shared {
            flat,
            common,
            workgroup_size: if flat.shape.is_grouped() { flat.shape.size() } else { common.workgroup_size },
            phases: Phases::of(flat),
            scope: Scope::Row,
            queries: BTreeSet::new(),
            names,
            structs,
            variants: BTreeMap::new(),
            functions,
            binding_names,
            launch: launch_layout(flat),
            headers: BTreeMap::new(),
            kept: BTreeMap::new(),
            kept_block: None,
            fields: BTreeMap::new(),
            helpers: BTreeSet::new(),
            accessors: Vec::new(),
            accessor_names: HashMap::new(),
            composites: HashMap::new(),
        }
    }

    /// Keeps fields of own rows in variables of these names.
    pub(crate) fn keep(&mut self, fields: BTreeMap<FieldOf, Kept>) {
        self.kept = fields;
        if !self.flat.shape.is_grouped() {
            self.kept_block = kept::block(self.flat, &self.kept);
        }
        for kept in self.kept.values_mut() {
            kept.name = self.names.resource(&kept.name);
        }
    }

    /// Names the constants of the variants of the enums used.
    pub(crate) fn name_variants(&mut self) {
        for id in &self.flat.used_enums {
            let Some(def) = self.flat.enums.get(id.index()) else { continue };
            for (variant, discriminant) in &def.variants {
                let name = self.names.global(&format!("{}_{variant}", def.name));
                self.variants.insert((id.0, *discriminant), name);
            }
        }
    }

    /// Returns `true` if the rows to run are listed in memory.
    pub(crate) fn runs_subset(&self) -> bool {
        self.common.subset
    }

    /// Returns `true` if tables lie in buffers that the kernel may write, whether it writes the tables or not.
    pub(crate) fn shares_buffers(&self) -> bool {
        self.common.shared
    }

    /// Returns `true` if the first invocation of a group reads a binding for all, in the present scope.
    pub(crate) fn is_read_for_all(&self, binding: u32) -> bool {
        phases::is_read_for_all(self.flat, binding) || (self.common.shared && self.scope == Scope::Group)
    }

    /// Asks for a helper function of the library.
    pub(crate) fn helper(&mut self, name: &str) -> String {
        self.helpers.insert(name.to_owned());
        name.to_owned()
    }

    /// The variable that holds a word of a binding's header.
    pub(crate) fn header_variable(&mut self, binding: u32, what: &str, word: u32) -> String {
        let at = self.launch.headers.get(binding as usize).copied().unwrap_or_default() + word;
        if let Some((name, _)) = self.headers.iter().find(|(_, w)| **w == at) {
            return name.clone();
        }
        let base = self.binding_names.get(binding as usize).cloned().unwrap_or_default();
        let name = self.names.resource(&format!("{base}_{what}"));
        self.headers.insert(name.clone(), at);
        name
    }

    /// Returns `true` if each row of a table has lanes of its own length, in a pool.
    pub(crate) fn is_ragged(&self, binding: u32) -> bool {
        self.common.ragged.contains(&binding)
    }

    /// Returns `true` if the words of a table's rows stay together.
    pub(crate) fn is_packed(&self, binding: u32) -> bool {
        self.layout(binding).is_ok_and(|layout| layout.packed)
    }

    /// The location of the fixed words of a table's rows, or of a parameter block.
    pub(crate) fn fixed_part(&self, binding: u32) -> Storage {
        if self.is_packed(binding) { Storage::Row } else { Storage::Columns }
    }

    /// Returns `true` if a binding is a tally that has one slot in every launch of this form.
    pub(crate) fn has_single_slot(&self, binding: u32) -> bool {
        self.common.single.contains(&binding)
    }

    /// Bytes of the elements that a group shares. `least` is the size of a `bool`, and the least alignment of a struct.
    pub(crate) fn element_bytes(&self, least: u32) -> u32 {
        let scratch = self.flat.scratch.as_ref().filter(|_| self.phases.uses_elements());
        scratch.map_or(0, |ty| self.bytes(ty, least).0.saturating_mul(self.workgroup_size))
    }

    /// Size and alignment of a type.
    fn bytes(&self, ty: &Type, least: u32) -> (u32, u32) {
        match ty {
            Type::Unit => (0, 1),
            Type::Scalar(Scalar::Bool) => (least, least),
            Type::Scalar(scalar) => (scalar.words() * 4, scalar.words() * 4),
            Type::Enum(_) => (4, 4),
            Type::Array(element, count) => {
                let (bytes, alignment) = self.bytes(element, least);
                (bytes.saturating_mul(*count), alignment)
            }
            Type::Struct(id) => {
                let fields = self.flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let (end, most) = fields.iter().fold((0_u32, least), |(end, most), field| {
                    let (FieldType::Value(ty) | FieldType::Lanes(ty)) = &field.ty;
                    let (bytes, alignment) = self.bytes(ty, least);
                    (end.next_multiple_of(alignment).saturating_add(bytes), most.max(alignment))
                });
                (end.next_multiple_of(most), most)
            }
        }
    }

    /// Returns `true` if invocations keep operands.
    pub(crate) fn keeps_operands(&self) -> bool {
        keeps_operands(self.flat, self.common.faults)
    }

    /// The layout of a table's rows.
    pub(crate) fn layout(&self, binding: u32) -> Result<&'a Layout, LoweringError> {
        match self.flat.bindings.get(binding as usize).map(|bound| &bound.kind) {
            Some(BindingKind::Table { layout, .. }) => Ok(layout),
            _ => Err(self.ill("a table is expected")),
        }
    }

    pub(crate) fn ill(&self, what: &'static str) -> LoweringError {
        LoweringError::IllFormed { kernel: self.flat.name.clone(), place: "the kernel".to_owned(), what }
    }

    /// Name and number of the first word column of a row struct's field.
    pub(crate) fn field_constant(&mut self, id: StructId, field: u32) -> (String, u32) {
        if let Some(found) = self.fields.get(&(id, field)) {
            return found.clone();
        }
        let mut word = self.flat.field_word(id, field);
        let mut wanted = String::new();
        if let Some(def) = self.flat.structs.get(id.index())
            && let Some(field) = def.fields.get(field as usize)
        {
            wanted = format!("{}_{}", def.name, field.name);
            if matches!(field.ty, FieldType::Lanes(_)) {
                let fixed = self.flat.words(&Type::Struct(id));
                word = word.saturating_add(if def.packed { packed_words(fixed) } else { fixed });
            }
        }
        let name = self.names.global(&wanted);
        self.fields.insert((id, field), (name.clone(), word));
        (name, word)
    }
}

/// Returns the layout of the launch block of a kernel.
fn launch_layout(flat: &FlatKernel) -> LaunchLayout {
    let count = to_u32(flat.bindings.len());
    let mut layout = LaunchLayout {
        words: LAUNCH_WORDS + HEADER_WORDS * count,
        headers: (0..count).map(|b| LAUNCH_WORDS + HEADER_WORDS * b).collect(),
        params: Vec::new(),
    };
    for (binding, bound) in (0..).zip(&flat.bindings) {
        if let BindingKind::Params { layout: block, .. } = &bound.kind {
            layout.params.push(ParamsBlock { binding, offset: layout.words, words: block.fixed_words });
            layout.words = layout.words.saturating_add(block.fixed_words);
        }
    }
    layout
}

/// The name of the function that is a kernel's body.
fn body_name(flat: &FlatKernel) -> String {
    format!("{}_{}", flat.name, if flat.shape.is_grouped() { "group" } else { "row" })
}
