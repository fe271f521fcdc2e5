//! Primitives bound to tables rather than to their present memory.

use crate::backend::{Buffer, Filter, Operand, Primitive, Span, View};
use crate::data::{Data, Row};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::scalar::{Output, Scalar};
use crate::table::{Memory, Table};
use imminent_ir::Scalar as ScalarType;
use std::sync::Arc;

/// A column of a table, tally or result.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) memory: Arc<Memory>,
    pub(crate) span: Span,
}

impl Source {
    pub(crate) fn new(memory: &Arc<Memory>, scalar: ScalarType, word: u32) -> Source {
        let span = Span { lane: None, word, scalar, rows: 0..memory.rows };
        Source { memory: memory.clone(), span }
    }

    /// Returns the column of a table of a bare scalar.
    pub(crate) fn of<T: Data + Row + Output>(table: &Table<T>) -> Source {
        Source::new(&table.memory, T::SCALAR.unwrap_or(ScalarType::U32), 0)
    }

    /// Returns the value of a device scalar.
    pub(crate) fn of_scalar<T: Output>(scalar: &Scalar<T>) -> Result<Source> {
        match (&scalar.memory, T::SCALAR) {
            (Some(memory), Some(ty)) => {
                memory.check()?;
                let span = Span { lane: None, word: 0, scalar: ty, rows: 0..1 };
                Ok(Source { memory: memory.clone(), span })
            }
            _ => Err(Error::invalid("device scalar", "its kernel returns nothing")),
        }
    }

    pub(crate) fn rows(&self) -> u32 {
        self.span.rows.end - self.span.rows.start
    }
}

/// Right side of a comparison, or a value to write.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Constant(u64),
    Device(Source),
}

/// Collects the memories of a primitive while it is assembled.
#[derive(Default)]
pub(crate) struct Naming {
    memories: Vec<(Arc<Memory>, Buffer)>,
}

impl Naming {
    pub(crate) fn view(&mut self, source: &Source) -> View {
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

    pub(crate) fn filter(&mut self, predicate: &super::Predicate) -> Filter {
        Filter {
            column: self.view(&predicate.column),
            comparison: predicate.comparison,
            value: self.operand(&predicate.value),
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
            if !memory.device.same(device) {
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
    pub(crate) fn source(&self, view: &View) -> Result<Source> {
        Ok(Source { memory: self.memory(&view.buffer)?, span: view.span.clone() })
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
