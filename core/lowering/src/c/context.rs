//! The struct through which functions reach the kernel's resources.

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
        for (name, is_written) in self.bound() {
            let constant = if is_written { "" } else { "const " };
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
        lines.extend(self.bound().map(|(name, _)| format!("ctx.{name} = {name};")));
        for (name, word) in &self.headers {
            lines.push(format!("ctx.{name} = {};", self.launch_word(*word)));
        }
        lines
    }

    /// The buffers that the context holds: name, and whether it is written.
    fn bound(&self) -> impl Iterator<Item = (&String, bool)> {
        let named = self.flat.bindings.iter().zip(&self.binding_names);
        named.filter_map(|(bound, name)| match &bound.kind {
            BindingKind::Table { .. } => Some((name, !bound.access.written.is_empty())),
            BindingKind::Tally { .. } => Some((name, true)),
            BindingKind::Params { .. } => None,
        })
    }
}
