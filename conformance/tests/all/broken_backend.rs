//! The CPU backend with a defect that can be enabled once the device is open.

use imminent_core::backend::{
    Allocation, Argument, Backend, Buffer, Launch, ModuleHandle, Node, Primitive, QueueHandle, Read, Recording, Span,
    Subset, Write,
};
use imminent_core::ir::Scalar;
use imminent_core::native::NativeTable;
use imminent_core::{Capabilities, Device, DeviceInfo, Error, ModuleSource, Outcome, Progress, Result, Row};
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Defects of the backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// One bit of every longer read is flipped.
    FlipsABit,
    /// Every seventh launch does not take place.
    DropsLaunches,
    /// The last row of a launch of more than 256 is not visited.
    DropsTheLastRow,
    /// Launches visit their rows from the last one to the first.
    RunsBackwards,
    /// Launches exchange the first words of rows 0 and 1 of the first table that they write.
    SwapsRows,
    /// Faults are reported for the previous row.
    WrongFaultRow,
    /// Faults are reported for the next line.
    WrongFaultLine,
    /// Faults are not reported.
    SwallowsFaults,
    /// A grown table is empty.
    GrowsEmptyHanded,
    /// Loops report one step too many.
    MiscountsSteps,
    /// Loops run one step too few.
    StopsEarly,
    /// A copy copies nothing.
    DropsCopies,
    /// `f64` is not advertised, but kernels with it run.
    HidesDoubles,
    /// Every copy panics.
    PanicsInCopies,
    /// Reading after a failure reports it again.
    RepeatsErrors,
    /// Every call fails.
    Lost,
    /// Kernels are not written yet. The device's floats are not probed.
    HasNoKernels,
}

#[derive(Debug)]
struct Broken {
    inner: CpuBackend,
    capabilities: Capabilities,
    defect: Defect,
    on: Arc<AtomicBool>,
    launches: AtomicUsize,
    seen: std::sync::Mutex<Option<Error>>,
}

/// Opens a device with a defect, which is enabled afterwards: the probes see a correct device.
pub(crate) fn open(defect: Defect) -> Device {
    let inner = CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap();
    let mut capabilities = inner.capabilities().clone();
    // Tables are read and written through the backend, not in place.
    capabilities.native_rows = false;
    capabilities.float64 = defect != Defect::HidesDoubles;
    let on = Arc::new(AtomicBool::new(false));
    let backend = Broken {
        inner,
        capabilities,
        defect,
        on: on.clone(),
        launches: AtomicUsize::new(0),
        seen: std::sync::Mutex::default(),
    };
    let open: fn(Broken) -> Result<Device> =
        if defect == Defect::HasNoKernels { Device::unprobed } else { Device::open };
    let device = open(backend).unwrap();
    on.store(true, Ordering::Relaxed);
    device
}

impl Broken {
    fn has(&self, defect: Defect) -> bool {
        self.defect == defect && self.on.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<()> {
        if !self.has(Defect::Lost) {
            return Ok(());
        }
        Err(Error::DeviceLost {
            backend: "broken".to_owned(),
            device: "broken".to_owned(),
            stage: "everything".to_owned(),
            reason: "it was made so".to_owned(),
        })
    }

    /// Returns the rows of a launch from the last one to the first.
    fn backwards(&self, queue: &QueueHandle, rows: u32) -> Result<Subset> {
        let column = |numbers: Vec<u32>| {
            let rows = numbers.len() as u32;
            let (layout, native) = (<u32 as Row>::layout(), NativeTable::<u32>::allocate);
            let buffer = self.inner.allocate(queue, &Allocation::Table { layout, rows, capacity: 0, native })?;
            let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
            let span = Span::column(None, 0, Scalar::U32, 0..rows);
            self.inner.write(queue, &[Write { buffer: &buffer, span, bytes: &bytes }])?;
            Ok::<Buffer, Error>(buffer)
        };
        Ok(Subset { rows: column((0..rows).rev().collect())?, count: column(vec![rows])? })
    }

    /// Exchanges the first words of rows 0 and 1 of a table.
    fn swap_rows(&self, queue: &QueueHandle, table: &Buffer) -> Result<()> {
        let span = || Span::column(None, 0, Scalar::U32, 0..2);
        let mut words = [0; 8];
        self.inner.read(queue, &mut [Read { buffer: table, span: span(), bytes: &mut words }])?;
        words.rotate_left(4);
        self.inner.write(queue, &[Write { buffer: table, span: span(), bytes: &words }])
    }

    fn reported<T>(&self, outcome: Result<T>) -> Result<T> {
        if self.has(Defect::RepeatsErrors) {
            let mut seen = self.seen.lock().unwrap();
            if let Some(error) = seen.take() {
                return Err(error);
            }
            if let Err(error) = &outcome {
                *seen = Some(error.clone());
            }
        }
        match outcome {
            Err(Error::Fault(mut fault)) => {
                if self.has(Defect::WrongFaultRow) {
                    fault.row += 1;
                }
                if self.has(Defect::WrongFaultLine) {
                    fault.line += 1;
                }
                Err(Error::Fault(fault))
            }
            outcome => outcome,
        }
    }
}

impl Backend for Broken {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        self.inner.queue()
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        self.check()?;
        self.inner.allocate(queue, allocation)
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        let grown = self.inner.grow(queue, buffer, capacity)?;
        if self.has(Defect::GrowsEmptyHanded) {
            self.inner.clear(queue, &grown)?;
        }
        Ok(grown)
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        self.check()?;
        self.inner.write(queue, writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        self.check()?;
        let done = self.inner.read(queue, reads);
        if self.has(Defect::SwallowsFaults) && done.is_err() {
            return self.inner.read(queue, reads);
        }
        if self.has(Defect::FlipsABit)
            && let Some(read) = reads.iter_mut().find(|read| read.bytes.len() > 100)
        {
            read.bytes[77] ^= 4;
        }
        self.reported(done)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        assert!(!self.has(Defect::PanicsInCopies), "copies panic here");
        if self.has(Defect::DropsCopies) { Ok(()) } else { self.inner.copy(queue, from, to) }
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        self.inner.clear(queue, buffer)
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        self.inner.build(source)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        self.inner.generated(source, kernel)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        if self.defect == Defect::HasNoKernels {
            return Err(Error::invalid("launch", "it is not written yet"));
        }
        let number = self.launches.fetch_add(1, Ordering::Relaxed);
        if self.has(Defect::DropsLaunches) && number % 7 == 6 {
            return Ok(());
        }
        if self.has(Defect::DropsTheLastRow) && launch.rows > 256 {
            return self.inner.launch(queue, &Launch { rows: launch.rows - 1, ..launch.clone() });
        }
        if self.has(Defect::RunsBackwards) && launch.subset.is_none() {
            let rows = self.backwards(queue, launch.rows)?;
            return self.inner.launch(queue, &Launch { subset: Some(rows), ..launch.clone() });
        }
        self.inner.launch(queue, launch)?;
        let written = |arg: &Argument| match arg {
            Argument::Table { buffer, mutable: true } => Some(buffer.clone()),
            _ => None,
        };
        match launch.args.iter().find_map(written) {
            Some(table) if self.has(Defect::SwapsRows) => self.swap_rows(queue, &table),
            _ => Ok(()),
        }
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        self.inner.overrides(primitive)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        self.inner.primitive(queue, primitive)
    }

    fn record(&self, queue: &QueueHandle, mut nodes: Vec<Node>) -> Result<Recording> {
        if self.has(Defect::StopsEarly) {
            for node in &mut nodes {
                if let Node::LoopUntil(one) = node {
                    one.max_steps = one.max_steps.saturating_sub(1);
                }
            }
        }
        self.inner.record(queue, nodes)
    }

    fn replay(
        &self,
        queue: &QueueHandle,
        recording: &Recording,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        let mut outcome = self.reported(self.inner.replay(queue, recording, progress))?;
        if self.has(Defect::MiscountsSteps) && outcome.steps > 0 {
            outcome.steps += 1;
        }
        Ok(outcome)
    }

    fn hand_over(&self, queue: &QueueHandle, recording: &Recording) -> Result<()> {
        self.inner.hand_over(queue, recording)
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        let done = self.inner.finish(queue);
        if self.has(Defect::SwallowsFaults) { Ok(()) } else { self.reported(done) }
    }

    fn allocated_bytes(&self) -> u64 {
        self.inner.allocated_bytes()
    }
}
