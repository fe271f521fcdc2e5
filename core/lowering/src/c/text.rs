//! The texts of kernels, and of the higher levels of reductions.

use super::library;
use super::options::{COptions, Dialect};
use super::source::{CSource, Parameter, ParameterRole};
use super::stages::STAGE;
use super::state::Lowering;
use crate::LoweringError;
use crate::reduction;
use crate::walk::{GENERATED, Interface, Sections, Text, assemble};
use imminent_ir::Reductions;
use imminent_ir::flatten::{BindingKind, FlatKernel};

/// Lowers a flat kernel to a kernel in C.
///
/// # Errors
/// [`LoweringError`] when the kernel uses what the options say that the device lacks, or when the options are out of
/// range.
pub fn lower(flat: &FlatKernel, options: &COptions) -> Result<CSource, LoweringError> {
    let mut low = Lowering::checked(flat, options)?;
    let text = assemble::kernel(&mut low)?;
    Ok(low.source(text))
}

/// The kernel of a reduction's second and higher levels: it reduces word 0 of the launch block results in `input` to
/// one per group of [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) in `output`, by the same tree.
///
/// Parameters of this kernel are `state`, `launch`, `input` and `output`. Over a subset the count of the subset is one
/// too: the kernel computes the number of results of the levels below from it, and word 0 is the largest number of rows
/// of the launch. Results lie side by side. An empty launch has no group: the host writes [`Reductions::identity`]
/// then.
///
/// # Errors
/// [`LoweringError::Unsupported`] for `f64` without the option for it, [`LoweringError::Options`] for a bad workgroup
/// size.
pub fn lower_reduce(results: &Reductions, options: &COptions) -> Result<CSource, LoweringError> {
    let flat = reduction::level(results);
    let mut low = Lowering::checked(&flat, options)?;
    let text = assemble::level(&mut low, results)?;
    Ok(low.source(text))
}

impl<'a> Sections<'a> for Lowering<'a> {
    fn sections(&mut self, interface: Interface, _: Option<&Reductions>) -> Result<Vec<String>, LoweringError> {
        let context = (interface != Interface::Level).then(|| self.context());
        let (mut data, constant_functions) = self.constants()?;
        let word = self.options.dialect.constant_scalar();
        data.extend(self.fields.values().map(|(name, at)| format!("{word} u32 {name} = {at}u;")));
        let wide_divide = library::divides_in_f64(self.options)
            && ["div_f32", "sqrt_f32"].iter().any(|name| self.helpers.contains(*name));
        self.requires.float64 = self.flat.facts.float64.is_some() || wide_divide;

        let mut sections = vec![self.preamble(), self.launch_block()];
        sections.extend(self.types.iter().cloned());
        sections.extend((!data.is_empty()).then(|| data.join("\n")));
        sections.extend(context);
        sections.extend(library::texts(self.options, &self.helpers).into_iter().map(str::to_owned));
        sections.extend(constant_functions);
        sections.extend(self.accessors.iter().cloned());
        Ok(sections)
    }

    fn level_title(name: &str) -> String {
        format!("// A higher level of the reduction `{name}`.\n{GENERATED}")
    }

    fn group_bytes(&self) -> u32 {
        let votes = if self.counts_votes() { 12 } else { 0 };
        self.element_bytes(1).saturating_add(votes)
    }
}

impl Lowering<'_> {
    fn preamble(&self) -> String {
        let mut text = String::new();
        let opencl = self.options.dialect == Dialect::OpenCl;
        for (extension, needed) in [
            ("cl_khr_fp64", self.requires.float64),
            ("cl_khr_int64_base_atomics", self.requires.int64_atomics),
            ("cl_khr_int64_extended_atomics", self.requires.int64_atomics),
        ] {
            if opencl && needed {
                text.push_str(&format!("#pragma OPENCL EXTENSION {extension} : enable\n"));
            }
        }
        text.push_str(self.options.dialect.preamble());
        if opencl && self.requires.float64 {
            text.push_str("\ntypedef double f64;");
        }
        if self.has_stages() {
            text.push_str(STAGE);
        }
        text
    }

    fn launch_block(&self) -> String {
        format!(
            "// The launch block: rows, first fault slot, 0, 0; rows, stride, capacity, 0 of each binding; \
             parameters.\n\
             typedef struct {{\n    u32 w[{}];\n}} imminent_launch;",
            self.launch.words
        )
    }

    /// The kernel's parameters.
    pub(super) fn parameters(&self, interface: Interface) -> Vec<Parameter> {
        let parameter = |name: &str, role, writable| Parameter { name: name.to_owned(), role, writable };
        let mut parameters =
            vec![parameter("state", ParameterRole::State, true), parameter("launch", ParameterRole::Launch, false)];
        match interface {
            Interface::Kernel { reduces: true } => {
                parameters.push(parameter("partials", ParameterRole::Partials, true));
            }
            Interface::Kernel { reduces: false } => {}
            Interface::Level => {
                parameters.push(parameter("input", ParameterRole::Input, false));
                parameters.push(parameter("output", ParameterRole::Output, true));
            }
        }
        if self.options.subset {
            if interface != Interface::Level {
                parameters.push(parameter("subset_rows", ParameterRole::SubsetRows, false));
            }
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

    fn source(self, text: Text) -> CSource {
        CSource {
            parameters: self.parameters(text.interface),
            code: text.code,
            launch: self.launch.clone(),
            workgroup_size: self.workgroup_size,
            line_map: text.line_map,
            results: text.results,
            shared_bytes: text.shared_bytes,
            requires: self.requires,
            entry: self.entry,
        }
    }
}
