//! Programs: recorded once, replayed with many steps enqueued at a time.

mod body;
mod control;
mod run;

use crate::queue::OpenClQueue;
use body::Body;
use imminent_core::Result;
use imminent_core::backend::Node;
use imminent_device::replay::{LoopPlan, Player, Recorded};
use run::Running;

/// A recorded program of this backend.
pub(crate) type Program = Recorded<Body>;

impl Player for &OpenClQueue {
    type Loop = Body;
    type Steps<'p>
        = Running<'p>
    where
        Self: 'p;

    fn check(&mut self, command: &Node) -> Result<()> {
        match command {
            Node::Launch(launch) => self.lock().check(launch),
            Node::Primitive(primitive) => self.lock().check_primitive(primitive),
            _ => Ok(()),
        }
    }

    fn prepare(&mut self, plan: &LoopPlan) -> Result<Body> {
        Body::prepare(&mut self.lock(), plan)
    }

    fn begin<'p>(&'p mut self, body: &'p mut Body) -> Result<Running<'p>> {
        Running::new(self, body)
    }
}
