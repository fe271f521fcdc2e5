//! A chunk of steps as a graph that the driver has prepared.

use super::body::Prepared;
use crate::driver::{Primary, Stream};
use cudarc::driver::sys;
use imminent_core::Result;
use std::sync::Arc;

/// A graph ready to be launched any number of times.
#[derive(Debug)]
pub(super) struct Graph {
    primary: Arc<Primary>,
    executable: sys::CUgraphExec,
}

// SAFETY: the driver lets any thread use the handle, one at a time; a program's lock sees to that.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}

/// A graph under construction, destroyed when it has been prepared.
struct Draft(sys::CUgraph);

impl Drop for Draft {
    fn drop(&mut self) {
        // SAFETY: made once, destroyed once.
        let _ = unsafe { sys::cuGraphDestroy(self.0) };
    }
}

const STAGE: &str = "preparing a program";

impl Graph {
    /// A chain of launches, each after the one before.
    pub(super) fn new(stream: &Stream, state: u64, launches: &[&Prepared]) -> Result<Graph> {
        let primary = &stream.primary;
        let mut raw = std::ptr::null_mut();
        // SAFETY: one pointer is written; the context is current.
        let code = unsafe { sys::cuGraphCreate(&mut raw, 0) };
        primary.check(STAGE, code)?;
        let draft = Draft(raw);
        let mut last: Option<sys::CUgraphNode> = None;
        for launch in launches {
            last = Some(add(primary, &draft, last, state, launch)?);
        }
        let mut executable = std::ptr::null_mut();
        // SAFETY: one pointer is written; the graph is whole.
        let code = unsafe { sys::cuGraphInstantiateWithFlags(&mut executable, draft.0, 0) };
        primary.check(STAGE, code)?;
        let graph = Graph { primary: primary.clone(), executable };
        // SAFETY: graph and stream live. Uploading now takes the cost off the first launch.
        let code = unsafe { sys::cuGraphUpload(graph.executable, stream.raw()) };
        primary.check(STAGE, code)?;
        Ok(graph)
    }

    /// Puts the chunk on a stream.
    pub(super) fn launch(&self, stream: &Stream) -> Result<()> {
        // SAFETY: graph and stream live; what the launches name lives as long as the program's body, which owns this and waits
        // for the stream before it goes.
        let code = unsafe { sys::cuGraphLaunch(self.executable, stream.raw()) };
        self.primary.check("running a program", code)
    }
}

fn add(
    primary: &Primary,
    draft: &Draft,
    last: Option<sys::CUgraphNode>,
    state: u64,
    launch: &Prepared,
) -> Result<sys::CUgraphNode> {
    let mut parameters = launch.parameters(&state);
    let node = sys::CUDA_KERNEL_NODE_PARAMS {
        func: launch.function.raw(),
        gridDimX: launch.blocks,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: launch.threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: parameters.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kern: std::ptr::null_mut(),
        ctx: std::ptr::null_mut(),
    };
    let before = last.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let mut added = std::ptr::null_mut();
    // SAFETY: the parameters are those of the function (`Prepared`), and the driver copies their values before it returns;
    // there is one node before, or none.
    let code = unsafe { sys::cuGraphAddKernelNode_v2(&mut added, draft.0, before, usize::from(last.is_some()), &node) };
    primary.check(STAGE, code)?;
    Ok(added)
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.primary.enter().is_ok() {
            // SAFETY: made once, destroyed once; the body waits for the stream before.
            let _ = unsafe { sys::cuGraphExecDestroy(self.executable) };
        }
    }
}
