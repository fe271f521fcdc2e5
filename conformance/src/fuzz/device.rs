//! Launches on a device below the typed layer, since bindings of kernels that are known by their intermediate
//! representation have no types here.

use super::given::{ArgumentData, Launched, Room};
use super::oracle::{After, Outcome};
use crate::trees::{Places, Stored, cut, read_columns};
use imminent_core::backend::{Allocation, Argument, Backend, Buffer, Launch, QueueHandle, Ragged, Span, Subset, Write};
use imminent_core::ir::interpret::{RowTree, bits, read_value};
use imminent_core::ir::{Layout, Module, Scalar, Scalars, Site, SiteId, words};
use imminent_core::kernel::ModuleSource;
use imminent_core::native::{ErasedTally, Native, NativeTable};
use imminent_core::{Device, Error, Fault, Row as _, Tally};
use std::any::Any;
use std::sync::Arc;

/// A kernel module on devices: its source, and the native resources of the kernel for a device of the host.
#[derive(Clone, Copy)]
pub(crate) struct Built<'n> {
    pub(crate) source: &'static ModuleSource,
    pub(crate) natives: &'n [Native],
}

impl Built<'_> {
    /// Builds a module that is made at run time, for devices that have no native functions.
    pub(super) fn made(module: &Module) -> Result<Self, Error> {
        Ok(Built { source: source(module)?, natives: &[] })
    }
}

/// Creates the source of a module. Backends keep compiled modules, and therefore their sources, for their whole life.
pub(super) fn source(module: &Module) -> Result<&'static ModuleSource, Error> {
    let invalid = |error: imminent_core::ir::DecodeError| Error::Module {
        module: module.name.clone(),
        reason: error.to_string(),
    };
    let ir: &'static [u8] = Vec::leak(module.encode().map_err(invalid)?);
    Ok(Box::leak(Box::new(ModuleSource::made("fuzz", ir))))
}

struct Bench<'d> {
    backend: &'d dyn Backend,
    queue: QueueHandle,
    natives: &'d [Native],
}

/// Representation of an argument on the device.
enum Placed {
    Table { buffer: Buffer, layout: &'static Layout, places: Places },
    Tally { buffer: Buffer, scalar: Scalar, slots: u32 },
    Nothing,
}

/// Runs a launch on a device.
pub(crate) fn run(device: &Device, launched: &Launched, built: Built<'_>) -> Result<Outcome, Error> {
    let backend = device.backend();
    let bench = Bench { backend, queue: backend.queue()?, natives: built.natives };
    let (mut placed, mut args) = (Vec::new(), Vec::new());
    for given in &launched.given {
        let (place, arg) = bench.place(&launched.module, given, args.len())?;
        placed.push(place);
        args.extend(arg);
    }
    let results = launched.entry().and_then(|(kernel, _)| launched.module.results(kernel));
    let scalars = results.map(|results| results.scalars());
    let allocate = |scalars| backend.allocate(&bench.queue, &Allocation::Result { scalars });
    let result = scalars.map(allocate).transpose()?;
    let subset = launched.subset.as_ref().map(|rows| bench.subset(rows, launched.rows)).transpose()?;
    let launch = Launch {
        module: backend.build(built.source)?,
        kernel: launched.kernel as u32,
        name: "kernel",
        rows: launched.rows,
        width: launched.width,
        subset,
        args,
        result: result.clone(),
        operation: None,
    };
    let fault = match backend.launch(&bench.queue, &launch).and_then(|()| backend.finish(&bench.queue)) {
        Ok(()) => None,
        Err(Error::Fault(fault)) => Some((fault.row, site_of(&launched.module, &fault))),
        Err(error) => return Err(error),
    };
    let after = placed.iter().zip(&launched.given).map(|(placed, given)| bench.after(launched, placed, given));
    let after = after.collect::<Result<_, Error>>()?;
    let result = match (result, scalars) {
        (Some(buffer), Some(scalars)) => bench.result(&buffer, scalars)?,
        _ => Vec::new(),
    };
    Ok(Outcome { after, fault, result })
}

/// Returns the site of a fault; one that there is not if the module has none such.
fn site_of(module: &Module, fault: &Fault) -> SiteId {
    let is_it = |site: &Site| {
        (site.kind, &site.file, site.line, site.column) == (fault.kind, &fault.file, fault.line, fault.column)
    };
    SiteId(module.sites.iter().position(is_it).map_or(u32::MAX, |site| site as u32))
}

impl Bench<'_> {
    fn table(
        &self,
        layout: &'static Layout,
        rows: u32,
        capacity: u32,
        native: Option<&Native>,
    ) -> Result<Buffer, Error> {
        // The native form is for devices of the host.
        let native = match native {
            Some(Native::Table { allocate, .. }) => *allocate,
            _ => NativeTable::<u32>::allocate,
        };
        self.backend.allocate(&self.queue, &Allocation::Table { layout, rows, capacity, native })
    }

    /// Creates a ragged table and sets the positions of its rows.
    fn ragged(&self, layout: &'static Layout, room: &Ragged, native: Option<&Native>) -> Result<Buffer, Error> {
        let native = match native {
            Some(Native::Table { allocate_ragged, .. }) => *allocate_ragged,
            _ => NativeTable::<u32>::allocate_ragged,
        };
        let buffer = self.backend.allocate(&self.queue, &Allocation::Ragged { layout, room: room.clone(), native })?;
        let rows = room.rows();
        let starts = (0..rows).flat_map(|row| room.of(row).start.to_le_bytes()).collect::<Vec<u8>>();
        let counts = room.capacities().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        let span = |word| Span::column(None, layout.fixed_words + word, Scalar::U32, 0..rows);
        let writes =
            [(0, &starts), (1, &counts)].map(|(word, bytes)| Write { buffer: &buffer, span: span(word), bytes });
        self.backend.write(&self.queue, &writes)?;
        Ok(buffer)
    }

    /// Places the argument at a position of the launch on the device.
    fn place(
        &self,
        module: &Module,
        given: &ArgumentData,
        position: usize,
    ) -> Result<(Placed, Option<Argument>), Error> {
        let native = self.natives.get(position);
        Ok(match given {
            ArgumentData::Table { of, rows, mutable, room } => {
                let layout: &'static Layout = match native {
                    Some(Native::Table { layout, .. }) => layout(),
                    _ => Box::leak(Box::new(Layout::of(module, *of))),
                };
                let places = places(rows.len() as u32, room)?;
                let buffer = match &places {
                    Places::Even { rows, capacity } => self.table(layout, *rows, *capacity, native)?,
                    Places::Own(room) => self.ragged(layout, room, native)?,
                };
                self.stored(&buffer, layout, &places).write(rows)?;
                let argument = Argument::Table { buffer: buffer.clone(), mutable: *mutable };
                (Placed::Table { buffer, layout, places }, Some(argument))
            }
            ArgumentData::Params { value, .. } => {
                let mut all = Vec::new();
                let tree = RowTree { fields: vec![imminent_core::ir::interpret::Field::Value(value.clone())] };
                let mut leaves = tree.leaves().0.into_iter().peekable();
                while let Some((word, bits)) = leaves.next() {
                    all.push(bits as u32);
                    let end = leaves.peek().map_or_else(|| self.words_of(module, given), |(next, _)| *next);
                    if end - word == 2 {
                        all.push((bits >> 32) as u32);
                    }
                }
                let native: Arc<dyn Any + Send + Sync> = match native {
                    Some(Native::Params(make)) => make(&all),
                    _ => Arc::new(()),
                };
                (Placed::Nothing, Some(Argument::Params { words: all.into(), native }))
            }
            ArgumentData::Tally { scalar, slots } => {
                let native = match native {
                    Some(Native::Tally(make)) => *make,
                    _ => |slots: u32| -> Box<dyn ErasedTally> { Box::new(Tally::new(&vec![0_u64; slots as usize])) },
                };
                let (scalar, count) = (*scalar, slots.len() as u32);
                let allocation = Allocation::Tally { scalar, slots: count, native };
                let buffer = self.backend.allocate(&self.queue, &allocation)?;
                let span = Span::column(None, 0, scalar, 0..count);
                let bytes: Vec<u8> = slots.iter().flat_map(|slot| cut(scalar, bits(slot))).collect();
                self.backend.write(&self.queue, &[Write { buffer: &buffer, span, bytes: &bytes }])?;
                (Placed::Tally { buffer: buffer.clone(), scalar, slots: count }, Some(Argument::Tally { buffer }))
            }
            ArgumentData::Nothing => (Placed::Nothing, None),
        })
    }

    fn words_of(&self, module: &Module, given: &ArgumentData) -> u32 {
        match given {
            ArgumentData::Params { of, .. } => words(module, &imminent_core::ir::Type::Struct(*of)),
            _ => 0,
        }
    }

    /// Creates a list of rows with room for every row of the launch.
    fn subset(&self, rows: &[u32], room: u32) -> Result<Subset, Error> {
        let list = |numbers: &[u32]| -> Result<Buffer, Error> {
            let buffer = self.table(u32::layout(), numbers.len() as u32, 0, None)?;
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let span = Span::column(None, 0, Scalar::U32, 0..numbers.len() as u32);
            self.backend.write(&self.queue, &[Write { buffer: &buffer, span, bytes: &bytes }])?;
            Ok(buffer)
        };
        let mut listed = rows.to_vec();
        listed.resize(room as usize, 0);
        Ok(Subset { rows: list(&listed)?, count: list(&[rows.len() as u32])? })
    }

    fn read(&self, buffer: &Buffer, spans: &[Span]) -> Result<Vec<Vec<u64>>, Error> {
        read_columns(self.backend, &self.queue, buffer, spans, false)
    }

    fn stored<'b>(&'b self, buffer: &'b Buffer, layout: &'b Layout, places: &'b Places) -> Stored<'b> {
        Stored { backend: self.backend, queue: &self.queue, buffer, layout, places }
    }

    fn after(&self, launched: &Launched, placed: &Placed, given: &ArgumentData) -> Result<After, Error> {
        let stuck = |error: imminent_core::ir::interpret::Stuck| Error::invalid("generated rows", error.to_string());
        match (placed, given) {
            (Placed::Table { buffer, layout, places }, ArgumentData::Table { of, .. }) => {
                self.stored(buffer, layout, places).read(&launched.module, *of).map(After::Rows)
            }
            (Placed::Tally { buffer, scalar, slots }, _) => {
                let span = Span::column(None, 0, *scalar, 0..*slots);
                let read = self.read(buffer, &[span])?.concat();
                let slot = |bits: &u64| read_value(&launched.module, &(*scalar).into(), 0, &|_| *bits);
                read.iter().map(slot).collect::<Result<_, _>>().map(After::Slots).map_err(stuck)
            }
            _ => Ok(After::Nothing),
        }
    }

    fn result(&self, buffer: &Buffer, scalars: Scalars) -> Result<Vec<u64>, Error> {
        let spans: Vec<Span> = scalars.iter().map(|(word, scalar)| Span::column(None, word, scalar, 0..1)).collect();
        Ok(self.read(buffer, &spans)?.concat())
    }
}

fn places(rows: u32, room: &Room) -> Result<Places, Error> {
    Ok(match room {
        Room::Even(capacity) => Places::Even { rows, capacity: *capacity },
        Room::Own(capacities) => Places::Own(Ragged::new("generated table", capacities.iter().copied())?),
    })
}

/// Returns the code that the backend generates for the first kernel, or its error.
pub(super) fn generated(device: &Device, module: &Module) -> String {
    source(module).and_then(|source| device.backend().generated(source, 0)).unwrap_or_else(|error| error.to_string())
}
