//! Steps that are put on a queue without being kept.

use super::builder::ProgramBuilder;
use super::request::Request;
use super::resolve;
use super::step::collect;
use crate::backend::{Launch, Node};
use crate::device::Queue;
use crate::error::{Error, Result};

impl Queue {
    /// Executes immediately whatever `record` records: a primitive of several launches is put on the queue this way.
    pub(crate) fn record<T>(&self, record: impl FnOnce(&mut ProgramBuilder) -> Result<T>) -> Result<T> {
        let mut builder = ProgramBuilder { now: Some(self.clone()), ..ProgramBuilder::new(self.device()) };
        let value = record(&mut builder)?;
        if builder.steps.is_empty() {
            return Ok(value);
        }
        let (mut written, mut touched) = (Vec::new(), Vec::new());
        collect(&builder.steps, &mut written, &mut touched);
        let read = touched.iter().map(|memory| (memory, false));
        let turn = self.state().begin(read.chain(written.iter().map(|memory| (memory, true))))?;
        let backend = self.device().backend();
        for step in &builder.steps {
            let done = match resolve::step(self.device(), step)? {
                Node::Launch(launch) => {
                    backend.launch(self.handle(), &Launch { operation: Some(turn.number()), ..launch })
                }
                Node::Primitive(primitive) => backend.primitive(self.handle(), &primitive),
                Node::Copy { from, to } => backend.copy(self.handle(), &from, &to),
                Node::Clear(buffer) => backend.clear(self.handle(), &buffer),
                Node::Repeat { .. } | Node::LoopUntil(_) => {
                    Err(Error::invalid("primitive", "its portable form has a loop, which only a program can run"))
                }
            };
            if done.is_err() {
                self.state().settle(turn.number(), done)?;
            }
        }
        Ok(value)
    }

    /// Executes immediately a primitive that the backend overrides.
    pub(crate) fn perform(&self, request: Request) -> Result<()> {
        let turn = self.state().begin(request.uses())?;
        // A program that ran before may have swapped tables.
        let primitive = request.into_present();
        let done = self.device().backend().primitive(self.handle(), &primitive);
        if done.is_err() {
            self.state().settle(turn.number(), done)?;
        }
        Ok(())
    }
}
