//! Primitives bound to tables rather than to their present memory.

use super::source::{ColumnRef, Value};
use crate::backend::{Buffer, Operand, Primitive, View};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::Memory;
use std::sync::Arc;

/// Collects the memories of a primitive while it is assembled.
#[derive(Default)]
pub(crate) struct Naming {
    memories: Vec<(Arc<Memory>, Buffer)>,
}

impl Naming {
    pub(crate) fn view(&mut self, source: &ColumnRef) -> View {
        View { buffer: self.whole(&source.memory), span: source.span.clone() }
    }

    pub(crate) fn whole(&mut self, memory: &Arc<Memory>) -> Buffer {
        let buffer = memory.buffer();
        self.memories.push((memory.clone(), buffer.clone()));
        buffer
    }

    pub(crate) fn operand(&mut self, value: &Value) -> Operand {
        match value {
            Value::Constant(bits) => Operand::Constant(*bits),
            Value::Device(source) => Operand::Device(self.view(source)),
        }
    }

    /// Binds the primitive to the memories that were named.
    pub(crate) fn bind(self, device: &Device, mut primitive: Primitive) -> Result<Request> {
        let mut uses = Vec::with_capacity(self.memories.len());
        primitive.for_each_buffer(&mut |buffer, written| {
            // One buffer always denotes one memory.
            if let Some((memory, _)) = self.memories.iter().find(|(_, named)| named.is(buffer)) {
                uses.push((memory.clone(), written));
            }
        });
        let what = || format!("primitive `{}`", primitive.name());
        for (at, (memory, written)) in uses.iter().enumerate() {
            memory.check()?;
            if !memory.is_of(device.shared()) {
                return Err(Error::invalid(what(), format!("the {} is on another device than the queue", memory.what)));
            }
            let clash = uses[..at].iter().any(|(other, w)| Arc::ptr_eq(other, memory) && w != written);
            if clash {
                let reason = format!("the {} is read and written: use two tables", memory.what);
                return Err(Error::invalid(what(), reason));
            }
        }
        Ok(Request { primitive, uses })
    }
}

/// A primitive and the memories that it names, kept so that a program can be replayed after its tables have grown.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    primitive: Primitive,
    /// Memories in the order of [`Primitive::for_each_buffer`], each with `true` if it is written.
    uses: Vec<(Arc<Memory>, bool)>,
}

impl Request {
    /// Returns the primitive over buffers; `of` maps a memory to its buffer.
    pub(crate) fn resolve(&self, of: impl Fn(&Arc<Memory>) -> Buffer) -> Primitive {
        let mut primitive = self.primitive.clone();
        let mut uses = self.uses.iter();
        primitive.for_each_buffer(&mut |buffer, _| {
            if let Some((memory, _)) = uses.next() {
                *buffer = of(memory);
            }
        });
        primitive
    }

    /// Returns the primitive over the memories' present buffers.
    pub(crate) fn into_present(self) -> Primitive {
        let Request { mut primitive, uses } = self;
        let mut uses = uses.iter();
        primitive.for_each_buffer(&mut |buffer, _| {
            if let Some((memory, _)) = uses.next() {
                memory.renew(buffer);
            }
        });
        primitive
    }

    /// Returns the memories, each with `true` if it is written.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (&Arc<Memory>, bool)> + Clone {
        self.uses.iter().map(|(memory, written)| (memory, *written))
    }

    pub(crate) fn primitive(&self) -> &Primitive {
        &self.primitive
    }

    /// Returns the memory behind a view of [`Request::primitive`].
    pub(crate) fn source(&self, view: &View) -> Result<ColumnRef> {
        Ok(ColumnRef { memory: self.memory(&view.buffer)?, span: view.span.clone() })
    }

    /// Returns the memory behind a buffer of [`Request::primitive`].
    pub(crate) fn memory(&self, of: &Buffer) -> Result<Arc<Memory>> {
        let mut found = None;
        let mut uses = self.uses.iter();
        self.primitive.clone().for_each_buffer(&mut |buffer, _| {
            if let Some((memory, _)) = uses.next()
                && buffer.is(of)
            {
                found = Some(memory.clone());
            }
        });
        found.ok_or_else(|| Error::invalid("primitive", "it names a buffer that it was not bound to"))
    }

    pub(crate) fn written(&self) -> impl Iterator<Item = &Arc<Memory>> {
        self.uses.iter().filter_map(|(memory, written)| written.then_some(memory))
    }

    pub(crate) fn touched(&self) -> impl Iterator<Item = &Arc<Memory>> {
        self.uses.iter().map(|(memory, _)| memory)
    }
}
