//! The kernel's parameters, and the struct through which functions reach them.

use super::source::{Parameter, ParameterRole};
use super::state::Lowering;
use crate::walk::Types;
use imminent_ir::flatten::BindingKind;

impl Lowering<'_> {
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
    pub(super) fn context(&mut self, parameters: &[Parameter]) -> String {
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
}

/// The parameters that the context holds.
fn bound(parameters: &[Parameter]) -> impl Iterator<Item = &Parameter> {
    parameters.iter().filter(|p| matches!(p.role, ParameterRole::Table { .. } | ParameterRole::Tally { .. }))
}
