//! Steps of a program, bound to tables rather than to their present memory.

use super::request::Request;
use crate::launch::{Bound, BoundLaunch};
use crate::memory::Memory;
use crate::source::KernelSource;
use crate::tables::Condition;
use std::sync::Arc;

/// A node as the program keeps it: bound to tables rather than to their present memory.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Launch(BoundLaunch),
    Copy {
        from: Arc<Memory>,
        to: Arc<Memory>,
    },
    Clear(Arc<Memory>),
    /// Swaps two tables.
    Swap(Arc<Memory>, Arc<Memory>),
    Primitive(Request),
    Repeat {
        times: u32,
        body: Vec<Step>,
    },
    LoopUntil {
        body: Vec<Step>,
        conditions: Vec<Condition>,
        max_steps: u64,
        in_groups: bool,
    },
}

/// Replaces the parameter blocks of a kernel's launches that have the type of `new`. Returns their number.
pub(super) fn replace(steps: &mut [Step], of: &KernelSource, new: &Bound) -> usize {
    let replaced = |step: &mut Step| match step {
        Step::Launch(launch) => launch.replace_params(of, new),
        Step::Repeat { body, .. } | Step::LoopUntil { body, .. } => replace(body, of, new),
        _ => 0,
    };
    steps.iter_mut().map(replaced).sum()
}

/// Collects the memories that some steps write, and those that they touch.
pub(super) fn collect(steps: &[Step], written: &mut Vec<Arc<Memory>>, touched: &mut Vec<Arc<Memory>>) {
    for step in steps {
        match step {
            Step::Launch(launch) => {
                written.extend(launch.written().cloned());
                touched.extend(launch.touched().cloned());
            }
            Step::Copy { from, to } => {
                written.push(to.clone());
                touched.extend([from.clone(), to.clone()]);
            }
            Step::Clear(memory) => written.push(memory.clone()),
            Step::Swap(a, b) => {
                written.extend([a.clone(), b.clone()]);
                touched.extend([a.clone(), b.clone()]);
            }
            Step::Primitive(request) => {
                written.extend(request.written().cloned());
                touched.extend(request.touched().cloned());
            }
            Step::Repeat { body, .. } | Step::LoopUntil { body, .. } => collect(body, written, touched),
        }
    }
}
