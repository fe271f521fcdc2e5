//! Launches as a graph that the driver has prepared.

use super::prepared::Prepared;
use crate::driver::{Primary, Stream};
use crate::launch::Parameters;
use cudarc::driver::sys::{self, CUgraphConditionalNodeType, CUgraphNodeType};
use imminent_core::Result;
use std::sync::Arc;

/// A graph ready to be launched any number of times.
#[derive(Debug)]
pub(super) struct Graph {
    primary: Arc<Primary>,
    executable: sys::CUgraphExec,
}

// SAFETY: the driver lets any thread use the handle, one at a time; a program's lock ensures that.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}

/// A graph under construction, destroyed when it has been prepared.
struct Draft(sys::CUgraph);

impl Drop for Draft {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once.
        let _ = unsafe { sys::cuGraphDestroy(self.0) };
    }
}

const STAGE: &str = "preparing a program";

impl Graph {
    /// Creates a graph from the nodes that `build` adds to an empty chain.
    pub(super) fn new(stream: &Stream, build: impl FnOnce(&mut Chain<'_>) -> Result<()>) -> Result<Graph> {
        let primary = &stream.primary;
        let mut raw = std::ptr::null_mut();
        // SAFETY: one pointer is written; the context is current.
        let code = unsafe { sys::cuGraphCreate(&mut raw, 0) };
        primary.check(STAGE, code)?;
        let draft = Draft(raw);
        build(&mut Chain { primary, graph: draft.0, last: None })?;
        let mut executable = std::ptr::null_mut();
        // SAFETY: one pointer is written; the graph is complete.
        let code = unsafe { sys::cuGraphInstantiateWithFlags(&mut executable, draft.0, 0) };
        primary.check(STAGE, code)?;
        let graph = Graph { primary: primary.clone(), executable };
        // SAFETY: graph and stream live. Uploading now removes this cost from the first launch.
        let code = unsafe { sys::cuGraphUpload(graph.executable, stream.raw()) };
        primary.check(STAGE, code)?;
        Ok(graph)
    }

    /// Puts the graph on a stream.
    pub(super) fn launch(&self, stream: &Stream) -> Result<()> {
        // SAFETY: graph and stream live. The memory that the launches name lives as long as the program's body, which
        // owns this and waits for the stream before it is dropped.
        let code = unsafe { sys::cuGraphLaunch(self.executable, stream.raw()) };
        self.primary.check("running a program", code)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.primary.enter().is_ok() {
            // SAFETY: created once, destroyed once; the body waits for the stream before.
            let _ = unsafe { sys::cuGraphExecDestroy(self.executable) };
        }
    }
}

/// Nodes of a graph, each after the one before. Lives while [`Graph::new`] builds.
pub(super) struct Chain<'g> {
    primary: &'g Primary,
    graph: sys::CUgraph,
    last: Option<sys::CUgraphNode>,
}

impl<'g> Chain<'g> {
    /// Adds a launch with its [parameters](Prepared::parameters).
    pub(super) fn launch(&mut self, launch: &Prepared, mut parameters: Parameters) -> Result<()> {
        let node = sys::CUDA_KERNEL_NODE_PARAMS {
            func: launch.code.function.raw(),
            gridDimX: launch.groups,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: launch.code.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: parameters.as_mut_ptr(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        let (before, count) = self.before();
        let mut added = std::ptr::null_mut();
        // SAFETY: the parameters are those of the function (`Prepared`), and the driver copies their values before it
        // returns; there is one node before, or none.
        let code = unsafe { sys::cuGraphAddKernelNode_v2(&mut added, self.graph, before, count, &node) };
        self.primary.check(STAGE, code)?;
        self.last = Some(added);
        Ok(())
    }

    /// Creates the handle of a WHILE node that is to be added to this graph. Launches use it to continue or end the
    /// node. `at_first` is its value when the graph is launched.
    pub(super) fn handle(&self, at_first: bool) -> Result<sys::CUgraphConditionalHandle> {
        let mut handle = 0;
        let (context, flags) = (self.primary.raw(), sys::CU_GRAPH_COND_ASSIGN_DEFAULT);
        // SAFETY: one number is written; the graph is under construction, in this context.
        let code = unsafe {
            sys::cuGraphConditionalHandleCreate(&mut handle, self.graph, context, u32::from(at_first), flags)
        };
        self.primary.check(STAGE, code)?;
        Ok(handle)
    }

    /// Adds the WHILE node of a handle, and returns the chain that it repeats.
    pub(super) fn repeat(&mut self, handle: sys::CUgraphConditionalHandle) -> Result<Chain<'g>> {
        // SAFETY: all zeros are a value of each of its variants: numbers, and pointers that may be null.
        let mut node: sys::CUgraphNodeParams = unsafe { std::mem::zeroed() };
        node.type_ = CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL;
        node.__bindgen_anon_1.conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS {
            handle,
            type_: CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE,
            size: 1,
            phGraph_out: std::ptr::null_mut(),
            ctx: self.primary.raw(),
        };
        let (before, count) = self.before();
        let mut added = std::ptr::null_mut();
        // SAFETY: the handle was made for this graph, and for one node. There is one node before, or none, and no data
        // about the edge.
        let code =
            unsafe { sys::cuGraphAddNode_v2(&mut added, self.graph, before, std::ptr::null(), count, &mut node) };
        self.primary.check(STAGE, code)?;
        self.last = Some(added);
        // SAFETY: the node is a WHILE node, for which the driver wrote the address of its one graph.
        let body = unsafe { node.__bindgen_anon_1.conditional.phGraph_out.as_ref() };
        let Some(body) = body else {
            return Err(self.primary.driver(STAGE, "a WHILE node has no body".to_owned()));
        };
        Ok(Chain { primary: self.primary, graph: *body, last: None })
    }

    fn before(&self) -> (*const sys::CUgraphNode, usize) {
        (self.last.as_ref().map_or(std::ptr::null(), std::ptr::from_ref), usize::from(self.last.is_some()))
    }
}
