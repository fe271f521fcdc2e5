//! The struct through which functions reach the kernel's resources.

use super::options::Dialect;
use super::state::Lowering;
use crate::walk::{Entry, Types};
use imminent_ir::flatten::BindingKind;

impl Lowering<'_> {
    /// The struct through which functions reach the kernel's resources.
    pub(super) fn context(&mut self) -> String {
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
        for Bound { name, constant, .. } in self.bound() {
            text.push_str(&format!("    GLOBAL {constant}u32 *{name};\n"));
        }
        for name in self.headers.keys() {
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
    pub(super) fn context_setup(&self) -> Vec<String> {
        let mut lines = vec!["imminent_context ctx;".to_owned(), "ctx.fault = 0u;".to_owned()];
        if self.keeps_operands() {
            lines.extend((0..3).map(|word| format!("ctx.fault_words[{word}] = 0u;")));
        }
        if !self.launch.params.is_empty() {
            let address = if self.options.launch_in_buffer { "" } else { "&" };
            lines.push(format!("ctx.launch = {address}launch;"));
        }
        lines.extend(self.bound().map(|bound| format!("ctx.{} = {};", bound.name, self.buffer(&bound))));
        for (name, word) in &self.headers {
            lines.push(format!("ctx.{name} = {};", self.launch_word(*word)));
        }
        lines
    }

    /// The value of a buffer's field. Of packed rows a compiler of CUDA then reads neighbouring words together.
    fn buffer(&self, bound: &Bound<'_>) -> String {
        let Bound { name, constant, is_packed } = bound;
        match self.options.dialect {
            Dialect::Cuda if *is_packed => {
                format!("(GLOBAL {constant}u32 *)__builtin_assume_aligned({name}, {ALIGNMENT})")
            }
            _ => (*name).clone(),
        }
    }

    /// The buffers that the context holds.
    fn bound(&self) -> impl Iterator<Item = Bound<'_>> {
        let named = self.flat.bindings.iter().zip(&self.binding_names);
        named.filter_map(|(bound, name)| match &bound.kind {
            BindingKind::Table { layout, .. } => {
                let constant = if bound.access.written.is_empty() { "const " } else { "" };
                Some(Bound { name, constant, is_packed: layout.packed })
            }
            BindingKind::Tally { .. } => Some(Bound { name, constant: "", is_packed: false }),
            BindingKind::Params { .. } => None,
        })
    }
}

/// A buffer that the context holds.
struct Bound<'l> {
    name: &'l String,
    /// `const` before its words, if the kernel writes none.
    constant: &'static str,
    is_packed: bool,
}

/// Bytes to whose multiple every table of a CUDA device is aligned, adopted ones included.
const ALIGNMENT: u32 = 16;
