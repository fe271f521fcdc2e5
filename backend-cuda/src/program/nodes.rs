//! A loop as WHILE nodes, which the device repeats by itself.
//!
//! Turns control the operations, here as in passes that the host starts. A node repeats its body for as long as the
//! control operations inside let it. Those of the outermost loop moreover count down the bodies that the host
//! requested. So the host receives progress, and can stop the loop, between two launches.

use super::control::Role;
use super::graph::{Chain, Graph};
use super::prepared::Prepared;
use crate::driver::Stream;
use imminent_core::Result;
use imminent_device::replay::{LoopPlan, Piece, Task};

/// Number of operations of a body that is long enough: a device needs time between two bodies.
const OPERATIONS: u64 = 16;

/// Returns the number of passes of a body. A pass with loops inside is long enough.
pub(super) fn passes_of_a_body(plan: &LoopPlan) -> u64 {
    if plan.inner_loops() > 0 { 1 } else { (OPERATIONS / plan.operations_of_a_pass(&[]).max(1)).max(1) }
}

/// Builds the graph of a loop, whose operations have these launches.
pub(super) fn graph(stream: &Stream, state: u64, plan: &LoopPlan, launches: &[Vec<Prepared>]) -> Result<Graph> {
    let nodes = Nodes { state, plan, launches };
    Graph::new(stream, |chain| {
        let handle = chain.handle(true)?;
        let mut body = chain.repeat(handle)?;
        for left in (0..passes_of_a_body(plan)).rev() {
            let last = if left == 0 { Role::EndsBody } else { Role::EndsStep };
            nodes.add(&mut body, plan.pieces(), handle, last)?;
        }
        Ok(())
    })
}

struct Nodes<'n> {
    state: u64,
    plan: &'n LoopPlan,
    launches: &'n [Vec<Prepared>],
}

impl Nodes<'_> {
    /// Adds pieces to the body of the node with that handle. `last` is the role of the last of them.
    fn add(&self, chain: &mut Chain<'_>, pieces: &[Piece], handle: u64, last: Role) -> Result<()> {
        let mut rest = pieces;
        loop {
            match rest {
                [] => return Ok(()),
                [Piece::Operation(before), Piece::Inner { pieces, .. }, after @ ..] => {
                    let inner = chain.handle(false)?;
                    self.operation(chain, *before, inner, Role::Before)?;
                    self.add(&mut chain.repeat(inner)?, pieces, inner, Role::EndsStep)?;
                    rest = after;
                }
                [Piece::Operation(one), after @ ..] => {
                    let role = if after.is_empty() { last } else { Role::EndsStep };
                    self.operation(chain, *one, handle, role)?;
                    rest = after;
                }
                [Piece::Inner { pieces, .. }, after @ ..] => {
                    // In every plan an operation stands before each loop.
                    self.add(chain, pieces, handle, Role::EndsStep)?;
                    rest = after;
                }
            }
        }
    }

    fn operation(&self, chain: &mut Chain<'_>, operation: usize, handle: u64, role: Role) -> Result<()> {
        let node = [handle, role as u64];
        let controls = matches!(self.plan.operations.get(operation), Some(one) if matches!(one.task, Task::Control(_)));
        for launch in self.launches.get(operation).into_iter().flatten() {
            let parameters = if controls {
                launch.parameters_of_control(&self.state, &node)
            } else {
                launch.parameters(&self.state)
            };
            chain.launch(launch, parameters)?;
        }
        Ok(())
    }
}
