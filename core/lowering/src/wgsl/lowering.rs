//! The state of one lowering, and the order in which a shader is put together.

use super::function::FunctionLowering;
use super::memory::Accessors;
use super::names::{self, Names};
use super::source::{BufferBinding, BufferRole, Requires, WgslSource};
use super::writer::{Writer, printable};
use super::{
    HEADER_WORDS, Int64, LAUNCH_WORDS, LaunchLayout, ParamsBlock, ROWS_PER_GROUP, ReduceLayout, WgslError, WgslOptions,
    entry, group, group_entry, library, types,
};
use crate::kept::{self, FieldOf, Kept};
use crate::phases::Phases;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatKernel, Scope};
use imminent_ir::{Base, ConstId, ExprKind, Layout, Place, Scalar, Step, TallyOp};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Lowers a flat kernel to a compute shader.
///
/// # Errors
/// [`WgslError`] when the kernel uses what the options say that the device lacks, or when the options contradict
/// each other or the kernel's bindings.
pub fn lower(flat: &FlatKernel, options: &WgslOptions) -> Result<WgslSource, WgslError> {
    let mut low = Lowering::checked(flat, options)?;
    let mut functions = Writer::default();
    for number in 0..flat.functions.len() {
        functions.append(FunctionLowering::lower(&mut low, number)?);
        functions.line("");
    }
    let mut main = Writer::default();
    let reduce = if flat.shape.is_grouped() {
        group_entry::write(&mut low, &mut main)?
    } else {
        entry::write(&mut low, &mut main)?
    };
    Ok(low.assemble(functions, main, reduce))
}

fn check_options(flat: &FlatKernel, options: &WgslOptions) -> Result<(), WgslError> {
    let bad = |what: &str| Err(WgslError::Options { kernel: flat.name.clone(), what: what.to_owned() });
    if !options.workgroup_size.is_power_of_two() || options.workgroup_size > ROWS_PER_GROUP {
        return bad("the workgroup size is not a power of two from 1 to 256");
    }
    let wide = options.int64 == Int64::Native;
    if flat.shape.is_grouped() && options.subset {
        return bad("a kernel that runs in groups cannot run over a subset of its rows");
    }
    if let Some(spot) = &flat.facts.float64
        && !(options.float64 && wide)
    {
        return Err(WgslError::Unsupported {
            kernel: flat.name.clone(),
            scalar: Scalar::F64,
            file: spot.file.clone(),
            line: spot.line,
            advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
        });
    }
    if let Some(spot) = &flat.facts.wide_tally_minmax
        && !(options.int64_atomics && wide)
    {
        return Err(WgslError::WideTally { kernel: flat.name.clone(), file: spot.file.clone(), line: spot.line });
    }
    for (number, starts) in options.segments.iter().enumerate().filter(|(_, s)| s.len() > 1) {
        if starts.first() != Some(&0) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return bad("the segments of a binding do not start at 0 and increase");
        }
        match flat.bindings.get(number).map(|b| &b.kind) {
            Some(BindingKind::Table { layout, .. }) if options.ragged.iter().any(|at| *at as usize == number) => {
                let before = layout.columns_before_pool();
                let cut = |word: u32| {
                    let (word, lane) = word.checked_sub(before).map_or((word, false), |past| (past, true));
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) || !starts.contains(&before) {
                    return bad("the segments of a ragged table are not those of `plan_ragged`");
                }
            }
            Some(BindingKind::Table { layout, .. }) => {
                let cut = |word: u32| {
                    let (word, lane) = match word.checked_sub(layout.fixed_words) {
                        Some(past) => (if layout.lane_words == 0 { 0 } else { past % layout.lane_words }, true),
                        None => (word, false),
                    };
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) {
                    return bad("a segment starts inside a scalar of two words: use the plan of `plan_segments`");
                }
            }
            _ => return bad("segments are given for something that is no table"),
        }
    }
    Ok(())
}

/// How a constant is written.
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
    pub(super) flat: &'a FlatKernel,
    pub(super) options: &'a WgslOptions,
    /// Invocations of a workgroup.
    pub(super) workgroup_size: u32,
    pub(super) phases: Phases,
    /// Who runs the function that is being lowered.
    pub(super) scope: Scope,
    /// Private variables that hold something about the group, and were asked for.
    pub(super) queries: BTreeSet<&'static str>,
    /// For each function what it is passed about the group, because it asks for it between phases.
    pub(super) asked: Vec<Vec<&'static str>>,
    pub(super) names: Names,
    /// Names of structs and of their fields, by position in the module.
    pub(super) structs: Vec<(String, Vec<String>)>,
    pub(super) consts: BTreeMap<ConstId, (String, ConstForm)>,
    /// Name of the constant of each variant of the enums used.
    pub(super) variants: BTreeMap<(u32, u32), String>,
    /// Names of the functions.
    pub(super) functions: Vec<String>,
    /// For each binding the variables of its segments, and the first word column of each.
    pub(super) buffers: Vec<Vec<(String, u32)>>,
    /// Base name of each binding.
    pub(super) binding_names: Vec<String>,
    pub(super) launch: LaunchLayout,
    /// Private variables that the entry point sets from the launch block: name and word.
    pub(super) privates: BTreeMap<String, u32>,
    pub(super) accessors: Accessors,
    /// Fields of own rows that are kept in private variables.
    pub(super) kept: BTreeMap<FieldOf, Kept>,
    /// Helper functions used.
    helpers: BTreeSet<String>,
    pub(super) workgroup_vars: Vec<String>,
    pub(super) requires: Requires,
}

impl<'a> Lowering<'a> {
    /// A lowering of a kernel that the options allow.
    pub(super) fn checked(flat: &'a FlatKernel, options: &'a WgslOptions) -> Result<Self, WgslError> {
        check_options(flat, options)?;
        let mut names = Names::new();
        if flat.shape.is_grouped() {
            names.reserve(group::OWN);
        }
        let entry = flat.functions.len().wrapping_sub(1);
        let binding_names: Vec<String> = flat.bindings.iter().map(|b| names.global(&b.name)).collect();
        let functions = flat
            .functions
            .iter()
            .enumerate()
            .map(|(at, f)| names.global(&if at == entry { body_name(flat) } else { f.name.clone() }))
            .collect();
        let structs = flat
            .structs
            .iter()
            .enumerate()
            .map(|(at, def)| {
                let used = flat.used_structs.iter().any(|id| id.index() == at);
                let name = if used { names.global(&def.name) } else { def.name.clone() };
                (name, names::fields(def.fields.iter().map(|f| f.name.as_str())))
            })
            .collect();
        let mut low = Lowering {
            flat,
            options,
            workgroup_size: if flat.shape.is_grouped() { flat.shape.size() } else { options.workgroup_size },
            phases: Phases::of(flat),
            scope: Scope::Row,
            queries: BTreeSet::new(),
            asked: group::asked(flat),
            names,
            structs,
            consts: BTreeMap::new(),
            variants: BTreeMap::new(),
            functions,
            buffers: Vec::new(),
            binding_names,
            launch: LaunchLayout::default(),
            privates: BTreeMap::new(),
            accessors: Accessors::default(),
            kept: kept::fields(flat),
            helpers: BTreeSet::new(),
            workgroup_vars: Vec::new(),
            requires: Requires::default(),
        };
        low.name_buffers();
        low.place_launch();
        low.name_constants();
        for kept in low.kept.values_mut() {
            kept.name = low.names.global(&kept.name);
        }
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
            self.buffers.push(buffers);
        }
    }

    fn place_launch(&mut self) {
        let count = types::to_u32(self.flat.bindings.len());
        let mut words = LAUNCH_WORDS + HEADER_WORDS * count;
        self.launch.headers = (0..count).map(|b| LAUNCH_WORDS + HEADER_WORDS * b).collect();
        for (binding, bound) in (0..).zip(&self.flat.bindings) {
            if let BindingKind::Params { layout, .. } = &bound.kind {
                self.launch.params.push(ParamsBlock { binding, offset: words, words: layout.fixed_words });
                words += layout.fixed_words;
            }
        }
        self.launch.words = words;
    }

    fn name_constants(&mut self) {
        let mut indexed = DynamicConsts::default();
        for function in &self.flat.functions {
            visit::walk(&function.body, &mut indexed);
        }
        for id in &self.flat.used_consts {
            let Some(def) = self.flat.consts.get(id.index()) else { continue };
            let form = if types::needs_bits(&def.value) {
                ConstForm::Computed
            } else if indexed.0.contains(id) {
                ConstForm::Private
            } else {
                ConstForm::Const
            };
            let name = self.names.global(&def.name);
            self.consts.insert(*id, (name, form));
        }
        for id in &self.flat.used_enums {
            let Some(def) = self.flat.enums.get(id.index()) else { continue };
            for (variant, discriminant) in &def.variants {
                let name = self.names.global(&format!("{}_{variant}", def.name));
                self.variants.insert((id.0, *discriminant), name);
            }
        }
    }

    /// Asks for a helper function of the library.
    pub(super) fn helper(&mut self, name: &str) -> String {
        self.helpers.insert(name.to_owned());
        name.to_owned()
    }

    /// A private variable that holds a word of a binding's header.
    pub(super) fn header(&mut self, binding: u32, what: &str, word: u32) -> String {
        let Some(base) = self.binding_names.get(binding as usize) else { return "0u".to_owned() };
        let at = self.launch.headers.get(binding as usize).copied().unwrap_or_default() + word;
        if self.scope == Scope::Group {
            // Read where it is used: what a private variable holds counts as the invocation's own matter.
            return format!("launch[{at}]");
        }
        if let Some((name, _)) = self.privates.iter().find(|(_, w)| **w == at) {
            return name.clone();
        }
        let name = self.names.global(&format!("{base}_{what}"));
        self.privates.insert(name.clone(), at);
        name
    }

    /// Number of rows of a table or slots of a tally.
    pub(super) fn rows(&mut self, binding: u32) -> String {
        self.header(binding, "rows", 0)
    }

    /// Words between two word columns of a table.
    pub(super) fn stride(&mut self, binding: u32) -> String {
        self.header(binding, "stride", 1)
    }

    /// Words between two word columns of a ragged table's pool.
    pub(super) fn pool_stride(&mut self, binding: u32) -> String {
        self.header(binding, "pool_stride", 3)
    }

    /// Whether each row of a table has room of its own for lanes.
    pub(super) fn is_ragged(&self, binding: u32) -> bool {
        self.options.ragged.contains(&binding)
    }

    /// Whether a binding is a tally that has one slot in every launch of this form.
    pub(super) fn has_single_slot(&self, binding: u32) -> bool {
        self.options.single.contains(&binding)
    }

    /// The layout of a table's rows.
    pub(super) fn layout(&self, binding: u32) -> Result<&'a Layout, WgslError> {
        match self.flat.bindings.get(binding as usize).map(|bound| &bound.kind) {
            Some(BindingKind::Table { layout, .. }) => Ok(layout),
            _ => Err(self.ill("a table is expected")),
        }
    }

    /// Lanes of every row of a table.
    pub(super) fn capacity(&mut self, binding: u32) -> String {
        self.header(binding, "capacity", 2)
    }

    pub(super) fn ill(&self, what: &'static str) -> WgslError {
        WgslError::IllFormed { kernel: self.flat.name.clone(), place: "the kernel".to_owned(), what }
    }

    /// The texts of the helper functions used.
    pub(super) fn helper_texts(&self) -> Vec<&'static str> {
        library::texts(self.options.int64, &self.helpers)
    }

    fn assemble(mut self, functions: Writer, main: Writer, reduce: Option<ReduceLayout>) -> WgslSource {
        let mut out = Writer::default();
        let title =
            format!("// Kernel `{}` of module `{}`, from {}.", self.flat.name, self.flat.module, self.flat.file);
        out.line(&printable(&title));
        out.line(
            "// Generated by Imminent. `// file.rs:12` names the Rust line that the text from there on comes from.",
        );
        out.line("");
        let bindings = self.declare_buffers(&mut out, reduce.is_some());
        out.line("");
        let constants = self.constants();
        if self.flat.facts.faults {
            self.helper("raise");
            out.line("// The first fault of this invocation: the number of its site, plus one; 0 if there is none.");
            out.line("var<private> fault: u32;");
            if self.keeps_operands() {
                out.line("// The words of its operands.");
                out.line("var<private> fault_words: vec3<u32>;");
            }
        }
        for name in self.privates.keys() {
            out.line(&format!("var<private> {name}: u32;"));
        }
        for kept in self.kept.values() {
            out.line(&format!("var<private> {}: {};", kept.name, self.type_name(&kept.ty)));
        }
        for var in self.group_variables() {
            out.line(&var);
        }
        for var in &self.workgroup_vars {
            out.line(var);
        }
        if !constants.is_empty() {
            out.line("");
            out.lines(&constants);
        }
        for text in self.struct_texts() {
            out.line("");
            out.lines(&text);
        }
        for text in self.accessors.texts().chain(self.helper_texts()) {
            out.line("");
            out.lines(text);
        }
        out.line("");
        out.append(functions);
        out.append(main);
        self.requires.int64 = self.options.int64 == Int64::Native && self.uses_int64();
        self.requires.float64 = self.flat.facts.float64.is_some();
        let shared_bytes = match reduce {
            _ if self.flat.shape.is_grouped() => self.group_bytes(),
            Some(layout) => layout.words * 4 * ROWS_PER_GROUP,
            None => 0,
        };
        let (code, line_map) = out.finish();
        WgslSource {
            code,
            entry: "main",
            workgroup_size: self.workgroup_size,
            line_map,
            bindings,
            launch: self.launch,
            reduce,
            shared_bytes,
            requires: self.requires,
        }
    }

    fn uses_int64(&self) -> bool {
        self.flat.facts.int64.is_some() || self.flat.facts.float64.is_some() || self.requires.int64_atomics
    }

    fn declare_buffers(&mut self, out: &mut Writer, reduces: bool) -> Vec<BufferBinding> {
        let mut bindings: Vec<BufferBinding> = Vec::new();
        let mut declare = |number: u32, name: &str, element: &str, writable: bool, role: BufferRole| {
            let access = if writable { "read_write" } else { "read" };
            out.line(&format!("@group(0) @binding({number}) var<storage, {access}> {name}: array<{element}>;"));
            bindings.push(BufferBinding { binding: number, name: name.to_owned(), role, writable });
        };
        declare(0, "state", "atomic<u32>", true, BufferRole::State);
        declare(1, "launch", "u32", false, BufferRole::Launch);
        if reduces {
            declare(2, "partials", "u32", true, BufferRole::Partials);
        }
        let mut number = 3;
        for (binding, bound) in (0..).zip(&self.flat.bindings) {
            match &bound.kind {
                BindingKind::Table { .. } => {
                    let writable = !bound.access.written.is_empty();
                    for (segment, (name, _)) in (0..).zip(&self.buffers[binding as usize]) {
                        declare(number, name, "u32", writable, BufferRole::Table { binding, segment });
                        number += 1;
                    }
                }
                BindingKind::Tally { scalar, op } => {
                    let name = &self.binding_names[binding as usize];
                    let minmax = matches!(op, Some(TallyOp::Min | TallyOp::Max));
                    let element = match scalar {
                        Scalar::I32 => "atomic<i32>",
                        Scalar::U64 if minmax => "atomic<u64>",
                        Scalar::I64 if minmax => "atomic<i64>",
                        _ => "atomic<u32>",
                    };
                    declare(number, name, element, true, BufferRole::Tally { binding });
                    number += 1;
                }
                BindingKind::Params { .. } => {}
            }
        }
        if self.options.subset {
            declare(number, "subset_rows", "u32", false, BufferRole::SubsetRows);
            declare(number + 1, "subset_count", "u32", false, BufferRole::SubsetCount);
        }
        bindings
    }
}

/// The name of the function that is a kernel's body.
fn body_name(flat: &FlatKernel) -> String {
    format!("{}_{}", flat.name, if flat.shape.is_grouped() { "group" } else { "row" })
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
