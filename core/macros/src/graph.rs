//! Checks along calls: no recursion, one operation per tally.

use crate::program::{Program, TallyUse};
use imminent_ir::FunctionId;
use proc_macro2::Span;
use std::collections::HashMap;

impl Program<'_> {
    /// Reports calls that lead back to their own function; returns `true` if there are none.
    pub(crate) fn check_recursion(&self) -> bool {
        let mut callees: HashMap<FunctionId, Vec<FunctionId>> = HashMap::new();
        for (caller, callee, _) in &self.calls {
            callees.entry(*caller).or_default().push(*callee);
        }
        let reaches = |from: FunctionId, to: FunctionId| {
            let (mut seen, mut open) = (vec![from], vec![from]);
            while let Some(next) = open.pop() {
                if next == to {
                    return true;
                }
                for callee in callees.get(&next).into_iter().flatten() {
                    if !seen.contains(callee) {
                        seen.push(*callee);
                        open.push(*callee);
                    }
                }
            }
            false
        };
        let mut fine = true;
        for (caller, callee, span) in &self.calls {
            if reaches(*callee, *caller) {
                fine = false;
                let name = &self.signatures[callee.index()].name;
                self.errors.at(
                    *span,
                    format!("this call of `{name}` leads back to the function that makes it: devices have no call stack, so write a loop"),
                );
            }
        }
        fine
    }

    /// Returns the names of the operations that a function applies to its tally parameter, itself or through other
    /// functions, with the position in this module.
    fn tally_operations(
        &self,
        function: FunctionId,
        param: u32,
        via: Option<Span>,
        found: &mut Vec<(&'static str, Option<Span>)>,
    ) {
        for usage in self.tally_uses.get(&(function, param)).into_iter().flatten() {
            match usage {
                TallyUse::Op(op, span) => found.push((op.name(), via.or(Some(*span)))),
                // Operations on words can be mixed: their author answers for the order.
                TallyUse::Word(span) => found.push(("words", via.or(Some(*span)))),
                TallyUse::Passed(callee, position, span) => {
                    self.tally_operations(*callee, *position, via.or(Some(*span)), found);
                }
            }
        }
    }

    /// Reports a kernel without a grid that queries its position in one, itself or through others.
    pub(crate) fn check_grid(&self, kernel: FunctionId) {
        let (mut seen, mut open) = (vec![kernel], vec![(kernel, None)]);
        while let Some((next, via)) = open.pop() {
            if let Some(span) = self.grid_uses.get(&next) {
                self.errors.at(
                    via.unwrap_or(*span),
                    "`x()` and `y()` are of kernels with tiles, `#[kernel(tile = (32, 8))]`: of others there is the number of the row, `lane.row()`",
                );
                return;
            }
            for (caller, callee, span) in &self.calls {
                if *caller == next && !seen.contains(callee) {
                    seen.push(*callee);
                    open.push((*callee, via.or(Some(*span))));
                }
            }
        }
    }

    /// Reports a kernel that uses two operations on one tally.
    pub(crate) fn check_tallies(&self, kernel: FunctionId) {
        let params = &self.module.functions[kernel.index()].params;
        for (param, declared) in (0..).zip(params) {
            let mut found = Vec::new();
            self.tally_operations(kernel, param, None, &mut found);
            let Some((first, _)) = found.first().copied() else { continue };
            if let Some((other, Some(span))) = found.iter().find(|(op, _)| *op != first) {
                let name = &declared.name;
                self.errors.at(
                    *span,
                    format!(
                        "tally `{name}` is used with `{}` and with `{}` in one kernel, so the order of the rows would show: use one tally for each",
                        first, other
                    ),
                );
            }
        }
    }
}
