//! Single kernels: repeated, simplified, and stored.

use super::given::Launched;
use super::{FuzzFailure, FuzzReport, Stuck, Verdict, compare, device, oracle, refuses, runs_made_kernels};
use imminent_core::ir::{Block, ExprKind, Module, Shape, Stmt, StmtKind, flatten};
use imminent_core::kernel::KernelSource;
use imminent_core::{Determinism, Device, Error};
use serde::{Deserialize, Serialize};

/// A kernel, and the seed and size of the data on which it is launched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Regression {
    /// Module of the kernel; its first kernel is launched.
    pub module: Module,
    /// Number of rows, as an index into a few sizes.
    pub size: usize,
    /// Seed of the data.
    pub data: u64,
}

impl Regression {
    /// Describes the difference of a device from the IR, or the device's error; `None` if there is none.
    #[must_use]
    pub fn difference(&self, device: &Device) -> Option<String> {
        match self.verdict(device) {
            Verdict::Agrees | Verdict::TooLong => None,
            Verdict::Differs(message) | Verdict::Refused(message) | Verdict::Lost(message) => Some(message),
        }
    }

    /// Runs the kernel on a device, and reports differences from its IR, or why the device cannot run it: the kernel
    /// may come from a device that has more types, larger groups or floats that round correctly.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the CPU backend, as for [`Fuzz::run`](super::Fuzz::run), and [`Error::Module`].
    pub fn again(&self, device: &Device) -> Result<FuzzReport, Error> {
        runs_made_kernels(device)?;
        let mut report = FuzzReport { agreed: 0, given_up: 0, refused: None, failure: None };
        let source = device::source(&self.module)?;
        let shape = self.module.kernels.first().map_or(Shape::Rows, |kernel| kernel.shape);
        let kernel = KernelSource { module: source, index: 0, name: "kernel", shape };
        // A device may be allowed to round otherwise, but the interpreter does not.
        let verdict = match device.allowing(Determinism::Reproducible).check_floats(&kernel) {
            Ok(()) => self.verdict(device),
            Err(error) => Verdict::Refused(error.to_string()),
        };
        match verdict {
            Verdict::Agrees => report.agreed = 1,
            Verdict::TooLong => report.given_up = 1,
            Verdict::Refused(reason) => report.refused = Some(reason),
            Verdict::Differs(message) | Verdict::Lost(message) => {
                report.failure = Some(self.clone().failure(device, message));
            }
        }
        Ok(report)
    }

    /// Returns this kernel as one that failed.
    pub(super) fn failure(self, device: &Device, message: String) -> FuzzFailure {
        let generated = device::generated(device, &self.module);
        FuzzFailure { message, case: self, generated }
    }

    pub(super) fn verdict(&self, device: &Device) -> Verdict {
        let launched = match Launched::new(self.module.clone(), self.size, self.data) {
            Some(Ok(launched)) => launched,
            Some(Err(stuck)) => return Verdict::Differs(stuck.to_string()),
            None => return Verdict::Differs("the module has no kernel".to_owned()),
        };
        let expected = match oracle::run(&launched) {
            Ok(expected) => expected,
            Err(Stuck::Fuel) => return Verdict::TooLong,
            Err(stuck) => return Verdict::Differs(format!("the interpreter: {stuck}")),
        };
        let ran = device::Built::made(&launched.module).and_then(|built| device::run(device, &launched, built));
        match ran {
            Err(error @ Error::DeviceLost { .. }) => Verdict::Lost(format!("the device: {error}")),
            Err(error) if refuses(&error) => Verdict::Refused(error.to_string()),
            Err(error) => Verdict::Differs(format!("the device: {error}")),
            Ok(found) => match compare::difference(&launched, &expected, &found) {
                None => Verdict::Agrees,
                Some(difference) => Verdict::Differs(difference.to_string()),
            },
        }
    }

    /// Removes statements as long as the device still differs and time is left.
    pub(super) fn simplest(
        mut self,
        device: &Device,
        over: &dyn Fn() -> bool,
        begin: &dyn Fn(&Regression),
    ) -> FuzzFailure {
        let mut message = self.difference(device).unwrap_or_else(|| "it differed once, and then no more".to_owned());
        let mut left_out = true;
        while left_out {
            left_out = false;
            for function in (0..self.module.functions.len()).rev() {
                let mut at = count(&self.module.functions[function].body);
                while at > 0 && !over() {
                    at -= 1;
                    let mut trial = self.clone();
                    let mut position = at;
                    if !leave_out(&mut trial.module.functions[function].body, &mut position) {
                        continue;
                    }
                    let well_formed = trial.module.kernels.iter().all(|kernel| flatten(&trial.module, kernel).is_ok());
                    begin(&trial);
                    if let (true, Some(differs)) = (well_formed, trial.difference(device)) {
                        (self, message, left_out) = (trial, differs, true);
                    }
                    at = at.min(count(&self.module.functions[function].body));
                }
            }
        }
        self.failure(device, message)
    }
}

/// Returns the blocks inside a statement.
fn inner(stmt: &mut Stmt) -> Vec<&mut Block> {
    match &mut stmt.kind {
        StmtKind::If(_, then, otherwise) => vec![then, otherwise],
        StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => vec![body],
        _ => vec![],
    }
}

fn count(block: &Block) -> usize {
    let of = |stmt: &Stmt| match &stmt.kind {
        StmtKind::If(_, then, otherwise) => 1 + count(then) + count(otherwise),
        StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => 1 + count(body),
        _ => 1,
    };
    block.iter().map(of).sum()
}

/// Removes the statement at a position. If it must stay, simplifies an expression that makes up all of it.
fn leave_out(block: &mut Block, position: &mut usize) -> bool {
    for at in 0..block.len() {
        if *position == 0 {
            // Without its last `return`, a function with a result would return none.
            if matches!(block[at].kind, StmtKind::Return(Some(_))) {
                return simplify(&mut block[at]);
            }
            block.remove(at);
            return true;
        }
        *position -= 1;
        if inner(&mut block[at]).into_iter().any(|block| leave_out(block, position)) {
            return true;
        }
    }
    false
}

/// Replaces the returned expression by one of its operands.
fn simplify(stmt: &mut Stmt) -> bool {
    let StmtKind::Return(Some(value)) = &mut stmt.kind else { return false };
    let operand = match &value.kind {
        ExprKind::Unary(_, a) | ExprKind::Binary(_, a, _) | ExprKind::Select(_, a, _) if a.ty == value.ty => {
            (**a).clone()
        }
        _ => return false,
    };
    *value = operand;
    true
}
