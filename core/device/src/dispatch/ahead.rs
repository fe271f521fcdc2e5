//! Compilation of a program's kernels ahead of its plan, several at a time.
//!
//! A plan asks for one kernel after the other, and a compiler uses one core. So the kernels of all nodes are compiled
//! before, by as many threads as the device allows.

use super::bind::variant;
use super::module::{Kernel, KernelModule};
use super::planner::Launcher;
use super::variants::Variant;
use imminent_core::backend::{Launch, Node};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// Most threads that compile: more would only take memory.
const MAX_COMPILERS: usize = 16;

/// Returns the number of cores, for [`Launcher::compilers`] of a device whose compiler runs in several threads.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_COMPILERS)
}

/// Compiles the kernels that the nodes of a program need and that have not been compiled. An error is left to the plan
/// of the program, which asks for the kernel again, in its order.
pub fn compile_ahead<L: Launcher + Sync>(device: &L, nodes: &[Node]) {
    let mut parts = Vec::new();
    if device.compilers() > 1 {
        gather::<L>(nodes, &mut parts);
    }
    if parts.len() < 2 {
        return;
    }
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            part.compile(device);
        }
    };
    std::thread::scope(|scope| {
        // If the system refuses a thread, the others do its work.
        let start = |_| Builder::new().spawn_scoped(scope, work).ok();
        let _threads: Vec<_> = (1..device.compilers().min(parts.len())).map_while(start).collect();
        work();
    });
}

/// Something to compile.
enum Part<'n, L: Launcher> {
    /// A kernel for a variant of its launches, if it has not been compiled.
    Kernel(&'n Arc<Kernel<L::Source, L::Code>>, Variant),
    /// Kernels of the runtime for a launch that returns a value.
    Levels(&'n Arc<Kernel<L::Source, L::Code>>, Variant),
    /// Kernels of the runtime for another node.
    Node(&'n Node),
}

impl<L: Launcher> Part<'_, L> {
    fn compile(&self, device: &L) {
        // Errors are met again by the plan.
        let _met_again = match self {
            Self::Kernel(kernel, variant) => {
                kernel.form(device, variant).and_then(|form| form.code(device, &kernel.flat)).map(drop)
            }
            Self::Levels(kernel, variant) => kernel.form(device, variant).and_then(|form| {
                let results = L::signature(&form.source).results;
                results.map_or(Ok(()), |results| device.reduction(results, variant.listed).map(drop))
            }),
            Self::Node(node) => device.compile_for(node),
        };
    }
}

fn gather<'n, L: Launcher>(nodes: &'n [Node], parts: &mut Vec<Part<'n, L>>) {
    for node in nodes {
        match node {
            Node::Launch(launch) => add_launch(launch, parts),
            Node::Primitive(_) | Node::Copy { .. } | Node::Clear(_) => parts.push(Part::Node(node)),
            Node::Repeat { body, .. } => gather(body, parts),
            Node::LoopUntil(one) => {
                parts.push(Part::Node(node));
                one.steps.iter().for_each(|step| gather(&step.nodes, parts));
            }
        }
    }
}

fn add_launch<'n, L: Launcher>(launch: &'n Launch, parts: &mut Vec<Part<'n, L>>) {
    let module: Option<&KernelModule<L::Source, L::Code>> = launch.module.get();
    let Some(Ok(kernel)) = module.map(|module| module.kernel(launch.kernel)) else { return };
    let Ok(variant) = variant::<L::Memory>(&kernel.flat, launch) else { return };
    let is_known = |part: &Part<'n, L>| matches!(part, Part::Kernel(other, known) if Arc::ptr_eq(other, kernel) && *known == variant);
    if (variant.is_plain() && kernel.is_compiled()) || parts.iter().any(is_known) {
        return;
    }
    if launch.result.is_some() {
        parts.push(Part::Levels(kernel, variant.clone()));
    }
    parts.push(Part::Kernel(kernel, variant));
}

#[cfg(test)]
mod tests {
    use super::super::planner::Signature;
    use super::*;
    use crate::dispatch::Compiler;
    use imminent_core::backend::{Buffer, DeviceMemory, LoopUntil, Shape};
    use imminent_core::{Error, Result};
    use imminent_ir::Reductions;
    use imminent_ir::flatten::FlatKernel;
    use std::sync::{Condvar, Mutex, PoisonError};
    use std::thread::ThreadId;
    use std::time::Duration;

    /// A device whose nodes each need a kernel of the runtime, whose compilation ends when so many have begun.
    struct Device {
        compilers: usize,
        begun: Mutex<Vec<ThreadId>>,
        changed: Condvar,
    }

    struct NoMemory(Shape);

    impl DeviceMemory for NoMemory {
        const BACKEND: &'static str = "none";

        fn shape(&self) -> &Shape {
            &self.0
        }
    }

    impl Compiler for Device {
        type Source = ();
        type Code = ();

        fn lower(&self, _kernel: &FlatKernel, _variant: &Variant) -> Result<()> {
            Ok(())
        }

        fn compile(&self, _kernel: &FlatKernel, _source: &()) -> Result<()> {
            Ok(())
        }
    }

    impl Launcher for Device {
        type Memory = NoMemory;
        type KernelArgument = ();
        type Scratch = ();

        fn most(&self) -> (u32, u64) {
            (1, 1)
        }

        fn resident(&self, _code: &()) -> u32 {
            1
        }

        fn signature(_source: &()) -> Signature<'_> {
            unreachable!("there are no launches")
        }

        fn place(_memory: &NoMemory) -> Result<()> {
            Ok(())
        }

        fn partials(&self, _scratch: &mut (), _which: usize, _words: u64) -> Result<()> {
            Ok(())
        }

        fn compilers(&self) -> usize {
            self.compilers
        }

        fn compile_for(&self, _node: &Node) -> Result<()> {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            begun.push(std::thread::current().id());
            self.changed.notify_all();
            let waited =
                self.changed.wait_timeout_while(begun, Duration::from_secs(60), |begun| begun.len() < self.compilers);
            assert!(waited.is_ok_and(|(_, late)| !late.timed_out()), "nobody else compiles");
            Err(Error::invalid("kernel", "the plan meets this again"))
        }

        fn reduction(&self, _results: Reductions, _listed: bool) -> Result<()> {
            Ok(())
        }

        fn store(&self) -> Result<()> {
            Ok(())
        }
    }

    fn compilations(compilers: usize, nodes: &[Node]) -> Vec<ThreadId> {
        let device = Device { compilers, begun: Mutex::default(), changed: Condvar::new() };
        compile_ahead(&device, nodes);
        device.begun.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn nodes_are_compiled_side_by_side_those_of_loops_too() {
        let clear = || Node::Clear(Buffer::new(0_u32));
        let inner = Node::Repeat { times: 2, body: vec![clear()] };
        let nodes = [clear(), Node::LoopUntil(LoopUntil::new(vec![clear(), inner], Vec::new(), 1))];
        let begun = compilations(4, &nodes);
        // Two times a clear, one within the repetition, and the loop itself.
        assert_eq!(begun.len(), 4);
        assert!(begun.iter().enumerate().all(|(place, thread)| !begun[..place].contains(thread)), "{begun:?}");
        assert!(compilations(1, &nodes).is_empty(), "a device with one compiler leaves all to the plan");
    }
}
