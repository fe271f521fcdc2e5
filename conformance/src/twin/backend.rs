//! A pair of devices as a backend.

use super::compare::Operand;
use super::interpreted::Side;
use super::order::KernelFacts;
use super::{Both, Kind, Twin, foreign, modules};
use imminent_core::backend::{
    Allocation, Argument, Backend, Buffer, Launch, ModuleHandle, Primitive, QueueHandle, Read, Reduction, ScanOp,
    Subset, Write,
};
use imminent_core::{Capabilities, DeviceInfo, ModuleSource, Result};

type Pair<T> = (T, T);

impl Twin {
    fn left(&self) -> &dyn Backend {
        self.state.left.backend()
    }

    fn right(&self) -> &dyn Backend {
        self.state.right.backend()
    }

    fn launches(&self, launch: &Launch) -> Result<Pair<Launch>> {
        let modules = modules(launch)?;
        let side = |of: fn(&Both) -> &Buffer, module: &ModuleHandle| -> Result<Launch> {
            let buffer = |buffer: &Buffer| self.both(buffer).map(of).cloned();
            let args = launch.args.iter().map(|arg| -> Result<Argument> {
                Ok(match arg {
                    Argument::Table { buffer: table, mutable } => {
                        Argument::Table { buffer: buffer(table)?, mutable: *mutable }
                    }
                    Argument::Tally { buffer: tally } => Argument::Tally { buffer: buffer(tally)? },
                    Argument::Params { .. } => arg.clone(),
                })
            });
            let args = args.collect::<Result<_>>()?;
            let subset = match &launch.subset {
                Some(subset) => Some(Subset { rows: buffer(&subset.rows)?, count: buffer(&subset.count)? }),
                None => None,
            };
            let result = launch.result.as_ref().map(buffer).transpose()?;
            Ok(Launch { module: module.clone(), args, subset, result, name: launch.name, ..*launch })
        };
        Ok((side(|both| &both.left, &modules.left)?, side(|both| &both.right, &modules.right)?))
    }

    fn primitives(&self, primitive: &Primitive) -> Option<Pair<Primitive>> {
        let mut sides = (primitive.clone(), primitive.clone());
        let mut ours = true;
        let mut side = |primitive: &mut Primitive, of: fn(&Both) -> &Buffer| {
            primitive.for_each_buffer(&mut |buffer, _| match buffer.get::<Both>().map(of).cloned() {
                Some(found) => *buffer = found,
                None => ours = false,
            });
        };
        side(&mut sides.0, |both| &both.left);
        side(&mut sides.1, |both| &both.right);
        ours.then_some(sides)
    }
}

/// Returns `true` if the bits of a primitive's result may differ between devices.
fn is_open(primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Reduce { op: Reduction::SumUnordered, column, .. }
        | Primitive::SegmentedReduce { op: Reduction::SumUnordered, column, .. }
        | Primitive::Scan { op: ScanOp::Sum, column, .. } => column.scalar().is_float(),
        _ => false,
    }
}

impl Backend for Twin {
    fn info(&self) -> &DeviceInfo {
        &self.state.info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.state.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        Ok(QueueHandle::new((self.left().queue()?, self.right().queue()?)))
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        let queues = self.queues(queue)?;
        let kind = match allocation {
            Allocation::Table { layout, rows, capacity, .. } => {
                Kind::Table { layout, rows: *rows, capacity: *capacity }
            }
            Allocation::Ragged { layout, room, .. } => Kind::Ragged { layout, room: room.clone() },
            Allocation::Tally { scalar, slots, .. } => Kind::Tally { scalar: *scalar, slots: *slots },
            Allocation::Result { scalars } => Kind::Result { scalars: *scalars },
        };
        let left = self.left().allocate(&queues.0, allocation)?;
        let right = self.right().allocate(&queues.1, allocation)?;
        Ok(Buffer::new(Both { left, right, kind }))
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let (queues, both) = (self.queues(queue)?, self.both(buffer)?);
        let left = self.left().grow(&queues.0, &both.left, capacity)?;
        let right = self.right().grow(&queues.1, &both.right, capacity)?;
        let kind = match &both.kind {
            Kind::Table { layout, rows, .. } => Kind::Table { layout, rows: *rows, capacity },
            other => other.clone(),
        };
        let grown = Both { left, right, kind };
        self.compare(queues, "a table that grew", &[Operand::only(&grown)])?;
        Ok(Buffer::new(grown))
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        let queues = self.queues(queue)?;
        let (mut left, mut right) = (Vec::with_capacity(writes.len()), Vec::with_capacity(writes.len()));
        for write in writes {
            let both = self.both(write.buffer)?;
            left.push(Write { buffer: &both.left, span: write.span.clone(), bytes: write.bytes });
            right.push(Write { buffer: &both.right, span: write.span.clone(), bytes: write.bytes });
        }
        self.left().write(&queues.0, &left)?;
        self.right().write(&queues.1, &right)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        let queues = self.queues(queue)?;
        let mut others: Vec<Vec<u8>> = reads.iter().map(|read| vec![0; read.bytes.len()]).collect();
        let mut left = Vec::with_capacity(reads.len());
        let mut right = Vec::with_capacity(reads.len());
        for (read, other) in reads.iter_mut().zip(&mut others) {
            let both = self.both(read.buffer)?;
            left.push(Read { buffer: &both.left, span: read.span.clone(), bytes: read.bytes });
            right.push(Read { buffer: &both.right, span: read.span.clone(), bytes: other });
        }
        let outcomes = (self.left().read(&queues.0, &mut left), self.right().read(&queues.1, &mut right));
        self.agree("a transfer to the host", outcomes.0, outcomes.1)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        let (queues, from, to) = (self.queues(queue)?, self.both(from)?, self.both(to)?);
        self.left().copy(&queues.0, &from.left, &to.left)?;
        self.right().copy(&queues.1, &from.right, &to.right)?;
        self.compare(queues, "a copy", &[Operand::only(to)])
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        let (queues, both) = (self.queues(queue)?, self.both(buffer)?);
        self.left().clear(&queues.0, &both.left)?;
        self.right().clear(&queues.1, &both.right)?;
        self.compare(queues, "a table that was cleared", &[Operand::only(both)])
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let (left, right) = (self.left().build(source)?, self.right().build(source)?);
        Ok(ModuleHandle::new(super::Modules { left, right, source, facts: KernelFacts::of(source) }))
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        self.right().generated(source, kernel).or_else(|_| self.left().generated(source, kernel))
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        let (queues, (left, right)) = (self.queues(queue)?, self.launches(launch)?);
        let what = format!("kernel `{}`", launch.name);
        let ended = self.launch_on(Side::Left, &queues.0, launch, &left);
        let other = self.launch_on(Side::Right, &queues.1, launch, &right);
        self.agree(&what, ended, other)?;
        let facts = modules(launch)?.facts.get(launch.kernel as usize);
        let results = launch.result.iter().map(|result| (launch.args.len(), result));
        let args = launch.args.iter().enumerate().filter_map(|(argument, arg)| match arg {
            Argument::Table { buffer, mutable: true } | Argument::Tally { buffer } => Some((argument, buffer)),
            Argument::Table { .. } | Argument::Params { .. } => None,
        });
        let operand = |(argument, buffer)| {
            let (name, free) = facts.map(|facts| facts.argument(argument)).unwrap_or_default();
            Ok(Operand { argument, name, both: self.both(buffer)?, defined: None, free })
        };
        let written: Vec<_> = args.chain(results).map(operand).collect::<Result<_>>()?;
        self.compare(queues, &what, &written)
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        self.primitives(primitive)
            .is_some_and(|(left, right)| self.left().overrides(&left) && self.right().overrides(&right))
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        let queues = self.queues(queue)?;
        let (left, right) = self.primitives(primitive).ok_or_else(foreign)?;
        let what = format!("primitive `{}`", primitive.name());
        let ended = self.left().primitive(&queues.0, &left).and_then(|()| self.left().finish(&queues.0));
        let other = self.right().primitive(&queues.1, &right).and_then(|()| self.right().finish(&queues.1));
        self.agree(&what, ended, other)?;
        if is_open(primitive) {
            return Ok(());
        }
        // The entries of a list of rows behind its count are undefined.
        let count = match primitive {
            Primitive::Select { rows, count, .. } => {
                let count = self.scalar(&queues.0, self.both(&count.buffer)?, count.span.clone())?;
                Some((rows.buffer.clone(), count as u32))
            }
            _ => None,
        };
        let buffers = primitive.buffers();
        let mut written = Vec::new();
        for (argument, (buffer, _)) in buffers.iter().enumerate().filter(|(_, (_, written))| *written) {
            let defined = count.as_ref().and_then(|(list, count)| list.is(buffer).then_some(*count));
            written.push(Operand { defined, argument, ..Operand::only(self.both(buffer)?) });
        }
        // The count comes last and is compared first, since it explains more than the rows.
        written.reverse();
        self.compare(queues, &what, &written)
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        let queues = self.queues(queue)?;
        let outcomes = (self.left().finish(&queues.0), self.right().finish(&queues.1));
        self.agree("waiting", outcomes.0, outcomes.1)
    }

    fn allocated_bytes(&self) -> u64 {
        self.left().allocated_bytes().max(self.right().allocated_bytes())
    }
}
