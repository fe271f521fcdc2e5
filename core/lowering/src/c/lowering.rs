//! The state of one lowering, and the order in which a text is put together.

use super::function::FunctionLowering;
use super::memory::Accessors;
use super::names::{self, Names};
use super::options::Dialect;
use super::source::{CSource, Parameter, ParameterRole, Requires};
use super::types::{self, ConstForm, Types};
use super::writer::{Writer, printable};
use super::{
    CError, COptions, EVERY_TURN, HEADER_WORDS, LAUNCH_WORDS, LaunchLayout, ParamsBlock, ROWS_PER_GROUP, ReduceLayout,
    TURN_WORD, entry, group_entry, inlining, library,
};
use crate::kept::{self, FieldOf, Kept};
use crate::phases::Phases;
use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{ConstId, Layout, Scalar};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers a flat kernel to a kernel in C.
///
/// # Errors
/// [`CError`] when the kernel uses what the options say that the device lacks, or when the options are out of range.
pub fn lower(flat: &FlatKernel, options: &COptions) -> Result<CSource, CError> {
    let mut low = Lowering::checked(flat, options)?;
    let mut functions = Writer::default();
    for (number, separate) in inlining::separate(flat).into_iter().enumerate() {
        functions.append(FunctionLowering::lower(&mut low, number, separate)?);
        functions.line("");
    }
    let mut main = Writer::default();
    let reduce = if flat.shape.is_grouped() {
        group_entry::write(&mut low, &mut main)?
    } else {
        entry::write(&mut low, &mut main)?
    };
    low.assemble(functions, main, reduce)
}

fn check_options(flat: &FlatKernel, options: &COptions) -> Result<(), CError> {
    if !options.workgroup_size.is_power_of_two() || options.workgroup_size > ROWS_PER_GROUP {
        return Err(CError::Options {
            kernel: flat.name.clone(),
            what: "the workgroup size is not a power of two from 1 to 256".to_owned(),
        });
    }
    if flat.shape.is_grouped() && options.subset {
        return Err(CError::Options {
            kernel: flat.name.clone(),
            what: "a kernel that runs in groups cannot run over a subset of its rows".to_owned(),
        });
    }
    if let Some(spot) = &flat.facts.float64
        && !options.float64
    {
        return Err(CError::Unsupported {
            kernel: flat.name.clone(),
            scalar: Scalar::F64,
            file: spot.file.clone(),
            line: spot.line,
            advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
        });
    }
    if let Some(spot) = &flat.facts.wide_tally_minmax
        && !options.int64_atomics
        && options.dialect == Dialect::OpenCl
    {
        return Err(CError::WideTally { kernel: flat.name.clone(), file: spot.file.clone(), line: spot.line });
    }
    Ok(())
}

/// The state of one lowering.
pub(super) struct Lowering<'a> {
    pub(super) flat: &'a FlatKernel,
    pub(super) options: &'a COptions,
    /// Invocations of a workgroup.
    pub(super) workgroup_size: u32,
    pub(super) phases: Phases,
    /// Fields of the context that hold something about the group, and were asked for.
    pub(super) queries: BTreeSet<&'static str>,
    pub(super) names: Names,
    /// The kernel's symbol.
    pub(super) entry: String,
    /// Names of structs and of their fields, by position in the module.
    pub(super) structs: Vec<(String, Vec<String>)>,
    pub(super) consts: BTreeMap<ConstId, (String, ConstForm)>,
    /// Name of the constant of each variant of the enums used.
    pub(super) variants: BTreeMap<(u32, u32), String>,
    /// Names of the functions.
    pub(super) functions: Vec<String>,
    /// Name of each binding's pointer.
    pub(super) binding_names: Vec<String>,
    pub(super) launch: LaunchLayout,
    /// Fields of the context that the entry point sets from the launch block: name and word.
    pub(super) header_fields: BTreeMap<String, u32>,
    pub(super) types: Types,
    pub(super) accessors: Accessors,
    /// Fields of own rows that are kept in the context.
    pub(super) kept: BTreeMap<FieldOf, Kept>,
    /// Helper functions used.
    helpers: BTreeSet<String>,
    pub(super) requires: Requires,
}

impl<'a> Lowering<'a> {
    /// A lowering of a kernel that the options allow.
    pub(super) fn checked(flat: &'a FlatKernel, options: &'a COptions) -> Result<Self, CError> {
        check_options(flat, options)?;
        let mut names = Names::new();
        let entry = names.global(&flat.name);
        let last = flat.functions.len().wrapping_sub(1);
        let binding_names: Vec<String> = flat.bindings.iter().map(|b| names.resource(&b.name)).collect();
        let functions = flat
            .functions
            .iter()
            .enumerate()
            .map(|(at, f)| names.global(&if at == last { body_name(flat) } else { f.name.clone() }))
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
            queries: BTreeSet::new(),
            names,
            entry,
            structs,
            consts: BTreeMap::new(),
            variants: BTreeMap::new(),
            functions,
            binding_names,
            launch: LaunchLayout::default(),
            header_fields: BTreeMap::new(),
            types: Types::default(),
            accessors: Accessors::default(),
            kept: BTreeMap::new(),
            helpers: BTreeSet::new(),
            requires: Requires::default(),
        };
        low.place_launch();
        low.name_constants();
        low.keep_fields();
        Ok(low)
    }

    fn place_launch(&mut self) {
        let count = types::to_u32(self.flat.bindings.len());
        let mut words = LAUNCH_WORDS + HEADER_WORDS * count;
        self.launch.headers = (0..count).map(|b| LAUNCH_WORDS + HEADER_WORDS * b).collect();
        for (binding, bound) in (0..).zip(&self.flat.bindings) {
            if let BindingKind::Params { layout, .. } = &bound.kind {
                self.launch.params.push(ParamsBlock { binding, offset: words, words: layout.fixed_words });
                words = words.saturating_add(layout.fixed_words);
            }
        }
        self.launch.words = words;
    }

    /// Keeps fields in the context, where nothing needs that to be in memory: functions by themselves do.
    fn keep_fields(&mut self) {
        if inlining::separate(self.flat).contains(&true) {
            return;
        }
        self.kept = kept::fields(self.flat);
        for kept in self.kept.values_mut() {
            kept.name = self.names.resource(&kept.name);
        }
    }

    fn name_constants(&mut self) {
        for id in &self.flat.used_consts {
            let Some(def) = self.flat.consts.get(id.index()) else { continue };
            let form = if types::needs_bits(&def.value) { ConstForm::Function } else { ConstForm::Data };
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

    /// The field of the context that holds a word of a binding's header.
    fn header(&mut self, binding: u32, what: &str, word: u32) -> String {
        let Some(base) = self.binding_names.get(binding as usize) else { return "fault".to_owned() };
        let at = self.launch.headers.get(binding as usize).copied().unwrap_or_default() + word;
        if let Some((name, _)) = self.header_fields.iter().find(|(_, w)| **w == at) {
            return name.clone();
        }
        let name = self.names.resource(&format!("{base}_{what}"));
        self.header_fields.insert(name.clone(), at);
        name
    }

    /// The field for the number of rows of a table or slots of a tally.
    pub(super) fn rows(&mut self, binding: u32) -> String {
        self.header(binding, "rows", 0)
    }

    /// The field for the words between two word columns of a table.
    pub(super) fn stride(&mut self, binding: u32) -> String {
        self.header(binding, "stride", 1)
    }

    /// The field for the words between two word columns of a ragged table's pool.
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
    pub(super) fn layout(&self, binding: u32) -> Result<&'a Layout, CError> {
        match self.flat.bindings.get(binding as usize).map(|bound| &bound.kind) {
            Some(BindingKind::Table { layout, .. }) => Ok(layout),
            _ => Err(self.ill("a table is expected")),
        }
    }

    /// The field for the lanes of every row of a table.
    pub(super) fn capacity(&mut self, binding: u32) -> String {
        self.header(binding, "capacity", 2)
    }

    pub(super) fn ill(&self, what: &'static str) -> CError {
        CError::IllFormed { kernel: self.flat.name.clone(), place: "the kernel".to_owned(), what }
    }

    /// How a word of the launch block is read in the entry point.
    pub(super) fn launch_word(&self, word: u32) -> String {
        format!("launch{}w[{word}]", if self.options.launch_in_buffer { "->" } else { "." })
    }

    /// Whether it is the launch's turn.
    pub(super) fn in_turn(&self) -> String {
        let turn = self.launch_word(TURN_WORD);
        format!("({turn} == {EVERY_TURN:#x}u || state[0] == {turn})")
    }

    /// The kernel's parameters.
    pub(super) fn parameters(&self, reduces: bool) -> Vec<Parameter> {
        let parameter = |name: &str, role, writable| Parameter { name: name.to_owned(), role, writable };
        let mut parameters =
            vec![parameter("state", ParameterRole::State, true), parameter("launch", ParameterRole::Launch, false)];
        if reduces {
            parameters.push(parameter("partials", ParameterRole::Partials, true));
        }
        if self.options.subset {
            parameters.push(parameter("subset_rows", ParameterRole::SubsetRows, false));
            parameters.push(parameter("subset_count", ParameterRole::SubsetCount, false));
        }
        for (binding, (bound, name)) in (0..).zip(self.flat.bindings.iter().zip(&self.binding_names)) {
            match &bound.kind {
                BindingKind::Table { .. } => {
                    let writable = !bound.access.written.is_empty();
                    parameters.push(parameter(name, ParameterRole::Table { binding }, writable));
                }
                BindingKind::Tally { .. } => parameters.push(parameter(name, ParameterRole::Tally { binding }, true)),
                BindingKind::Params { .. } => {}
            }
        }
        parameters
    }

    /// The struct through which functions reach the kernel's resources.
    fn context(&mut self, parameters: &[Parameter]) -> String {
        let mut text = "// What the functions of the kernel share: the number of the first fault's site, plus one (0: \
                        none), and the resources.\ntypedef struct {\n    u32 fault;\n"
            .to_owned();
        if self.keeps_operands() {
            text.push_str("    u32 fault_words[3];\n");
        }
        if !self.launch.params.is_empty() {
            let space = if self.options.launch_in_buffer { "GLOBAL " } else { "" };
            text.push_str(&format!("    {space}const imminent_launch *launch;\n"));
        }
        for parameter in bound(parameters) {
            let constant = if parameter.writable { "" } else { "const " };
            text.push_str(&format!("    GLOBAL {constant}u32 *{};\n", parameter.name));
        }
        for name in self.header_fields.keys() {
            text.push_str(&format!("    u32 {name};\n"));
        }
        for kept in self.kept.values().cloned().collect::<Vec<_>>() {
            let ty = self.type_name(&kept.ty);
            text.push_str(&format!("    {ty} {};\n", kept.name));
        }
        text.push_str(&self.group_fields());
        text.push_str("} imminent_context;");
        text
    }

    /// The statements that set the context up.
    pub(super) fn context_setup(&self, parameters: &[Parameter]) -> Vec<String> {
        let mut lines = vec!["imminent_context ctx;".to_owned(), "ctx.fault = 0u;".to_owned()];
        if self.keeps_operands() {
            lines.extend((0..3).map(|word| format!("ctx.fault_words[{word}] = 0u;")));
        }
        if !self.launch.params.is_empty() {
            let address = if self.options.launch_in_buffer { "" } else { "&" };
            lines.push(format!("ctx.launch = {address}launch;"));
        }
        for parameter in bound(parameters) {
            lines.push(format!("ctx.{0} = {0};", parameter.name));
        }
        for (name, word) in &self.header_fields {
            lines.push(format!("ctx.{name} = {};", self.launch_word(*word)));
        }
        lines
    }

    fn assemble(mut self, functions: Writer, main: Writer, reduce: Option<ReduceLayout>) -> Result<CSource, CError> {
        let title =
            format!("// Kernel `{}` of module `{}`, from {}.", self.flat.name, self.flat.module, self.flat.file);
        let parameters = self.parameters(reduce.is_some());
        let context = self.context(&parameters);
        let (mut data, constant_functions) = self.constants()?;
        let word = self.options.dialect.constant_scalar();
        data.extend(self.accessors.fields().map(|(name, at)| format!("{word} u32 {name} = {at}u;")));

        let mut body = Writer::default();
        for text in self.types.texts() {
            body.lines(text);
            body.line("");
        }
        for text in &data {
            body.lines(text);
        }
        if !data.is_empty() {
            body.line("");
        }
        body.lines(&context);
        body.line("");
        let helpers = self.helper_texts();
        for text in
            helpers.into_iter().chain(constant_functions.iter().map(String::as_str)).chain(self.accessors.texts())
        {
            body.lines(text);
            body.line("");
        }
        body.append(functions);
        if self.options.line_directives {
            body.mark_generated();
        }
        body.append(main);
        Ok(self.finish(&printable(&title), body, parameters, reduce))
    }

    /// Puts what every text begins with before the rest.
    pub(super) fn finish(
        mut self,
        title: &str,
        body: Writer,
        parameters: Vec<Parameter>,
        reduce: Option<ReduceLayout>,
    ) -> CSource {
        let wide_divide = library::divides_in_f64(self.options)
            && ["div_f32", "sqrt_f32"].iter().any(|name| self.helpers.contains(*name));
        self.requires.float64 = self.flat.facts.float64.is_some() || wide_divide;
        let mut out = Writer::default();
        out.line(title);
        out.line(
            "// Generated by Imminent. `// file.rs:12` names the Rust line that the text from there on comes from.",
        );
        out.line("");
        if self.options.dialect == Dialect::OpenCl {
            for (extension, needed) in [
                ("cl_khr_fp64", self.requires.float64),
                ("cl_khr_int64_base_atomics", self.requires.int64_atomics),
                ("cl_khr_int64_extended_atomics", self.requires.int64_atomics),
            ] {
                if needed {
                    out.line(&format!("#pragma OPENCL EXTENSION {extension} : enable"));
                }
            }
        }
        out.lines(self.options.dialect.preamble());
        if self.options.dialect == Dialect::OpenCl && self.requires.float64 {
            out.line("typedef double f64;");
        }
        out.line("");
        out.line(
            "// The launch block: rows, first fault slot, 0, 0; rows, stride, capacity, 0 of each binding; parameters.",
        );
        out.open("typedef struct {");
        out.line(&format!("u32 w[{}];", self.launch.words));
        out.close("} imminent_launch;");
        out.line("");
        out.append(body);
        let shared_bytes = match reduce {
            _ if self.flat.shape.is_grouped() => self.group_bytes(),
            Some(layout) => layout.words * 4 * ROWS_PER_GROUP,
            None => 0,
        };
        let (code, line_map) = out.finish();
        CSource {
            code,
            entry: self.entry,
            workgroup_size: self.workgroup_size,
            line_map,
            parameters,
            launch: self.launch,
            reduce,
            shared_bytes,
            requires: self.requires,
        }
    }

    /// The texts of the helper functions used.
    pub(super) fn helper_texts(&self) -> Vec<&'static str> {
        library::texts(self.options, &self.helpers)
    }
}

/// The name of the function that is a kernel's body.
fn body_name(flat: &FlatKernel) -> String {
    format!("{}_{}", flat.name, if flat.shape.is_grouped() { "group" } else { "row" })
}

/// The parameters that the context holds.
fn bound(parameters: &[Parameter]) -> impl Iterator<Item = &Parameter> {
    parameters.iter().filter(|p| matches!(p.role, ParameterRole::Table { .. } | ParameterRole::Tally { .. }))
}
