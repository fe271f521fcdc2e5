//! Two devices in step: finds the first difference between them in a run.
//!
//! A [`Twin`] opens as one device. Every operation is performed on both of its devices. After each launch, primitive
//! and copy, all data that it may have written is read from both and compared. Programs are replayed node by node.
//! Words that a kernel stores by the outcome of an exchange in a tally are compared without regard to their order,
//! which is free. The first difference ends the run, and [`Twin::divergence`] describes it. Results come from the left
//! device, so models run unchanged, only slowly.

mod backend;
mod compare;
mod flow;
mod interpreted;
mod order;

use imminent_core::backend::{Buffer, Launch, ModuleHandle, QueueHandle, Ragged};
use imminent_core::ir::{Layout, Scalar, Scalars};
use imminent_core::{Capabilities, Device, DeviceInfo, DeviceKind, Error, ModuleSource, Result};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use order::KernelFacts;

/// A pair of devices that perform the same operations, with the first difference found.
#[derive(Clone, Debug)]
pub struct Twin {
    state: Arc<State>,
}

/// First difference between two devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Divergence {
    /// Name of the kernel or primitive, or description of another operation.
    pub what: String,
    /// Number of launches, primitives and copies that were equal before.
    pub after: u64,
    /// Data that differs.
    pub place: Place,
    /// Value of the left device.
    pub left: String,
    /// Value of the right device.
    pub right: String,
    /// Backend and name of the left and of the right device.
    pub devices: [String; 2],
}

/// Kind and position of data that differs between two devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Place {
    /// A value of a table.
    Row {
        /// Position of the table among the arguments of the launch or primitive.
        argument: usize,
        /// Name of the argument; empty if it has none.
        name: String,
        /// Name of the row struct.
        table: String,
        /// Number of the row.
        row: u32,
        /// Name of the column: `field`, or `field, lane 3`.
        column: String,
    },
    /// A slot of a tally.
    Slot {
        /// Position of the tally among the arguments of the launch or primitive.
        argument: usize,
        /// Name of the argument; empty if it has none.
        name: String,
        /// Number of the slot.
        slot: u32,
    },
    /// The reduced value of a launch.
    Result,
    /// End of the work: only one device reported a fault or another error.
    Error,
}

#[derive(Debug)]
struct State {
    left: Device,
    right: Device,
    info: DeviceInfo,
    capabilities: Capabilities,
    /// `true` while differences are checked.
    on: AtomicBool,
    /// Number of launches, primitives and copies that were equal.
    equal: AtomicU64,
    divergence: Mutex<Option<Divergence>>,
}

/// Handles of a table, tally or result on both devices.
#[derive(Clone, Debug)]
struct Both {
    left: Buffer,
    right: Buffer,
    kind: Kind,
}

/// Handles of one module on both devices.
#[derive(Debug)]
struct Modules {
    left: ModuleHandle,
    right: ModuleHandle,
    source: &'static ModuleSource,
    /// Facts about each kernel.
    facts: Vec<KernelFacts>,
}

#[derive(Clone, Debug)]
enum Kind {
    Table { layout: &'static Layout, rows: u32, capacity: u32 },
    Ragged { layout: &'static Layout, room: Ragged },
    Tally { scalar: Scalar, slots: u32 },
    Result { scalars: Scalars },
}

impl Both {
    /// Returns `true` for a table of packed rows.
    fn is_packed(&self) -> bool {
        match &self.kind {
            Kind::Table { layout, .. } | Kind::Ragged { layout, .. } => layout.packed,
            Kind::Tally { .. } | Kind::Result { .. } => false,
        }
    }
}

impl Twin {
    fn both<'b>(&self, buffer: &'b Buffer) -> Result<&'b Both> {
        buffer.get::<Both>().ok_or_else(foreign)
    }

    fn queues<'q>(&self, queue: &'q QueueHandle) -> Result<&'q (QueueHandle, QueueHandle)> {
        queue.get::<(QueueHandle, QueueHandle)>().ok_or_else(foreign)
    }

    /// Creates a pair of two devices.
    #[must_use]
    pub fn new(left: &Device, right: &Device) -> Twin {
        let (a, b) = (left.info(), right.info());
        let info = DeviceInfo {
            backend: format!("{} beside {}", a.backend, b.backend),
            name: format!("{} beside {}", a.name, b.name),
            driver: format!("{} beside {}", a.driver, b.driver),
            // Host tables consist of native structs, which must not be used as tables of another row.
            kind: if b.kind == DeviceKind::Host { b.kind } else { a.kind },
            index: a.index,
        };
        let (of_left, of_right) = (left.capabilities(), right.capabilities());
        let mut capabilities = of_left.clone();
        capabilities.tally_min_max_64 &= of_right.tally_min_max_64;
        capabilities.float64 &= of_right.float64;
        capabilities.long_loops &= of_right.long_loops;
        (capabilities.native_rows, capabilities.threads) = (false, 0);
        (capabilities.f32, capabilities.f64) = (None, None);
        let (limits, others) = (&mut capabilities.limits, &of_right.limits);
        limits.table_bytes = limits.table_bytes.min(others.table_bytes);
        limits.column_bytes = limits.column_bytes.min(others.column_bytes);
        limits.rows = limits.rows.min(others.rows);
        limits.bindings = limits.bindings.min(others.bindings);
        limits.memory_bytes = [limits.memory_bytes, others.memory_bytes].into_iter().flatten().min();
        let (left, right) = (left.clone(), right.clone());
        let (on, equal, divergence) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::default());
        Twin { state: Arc::new(State { left, right, info, capabilities, on, equal, divergence }) }
    }

    /// Opens the pair as one device, whose floats have the properties of the left one.
    ///
    /// # Errors
    /// Same as opening a device.
    pub fn open(&self) -> Result<Device> {
        // Results of float probes may differ and do not concern models.
        let device = Device::open(self.clone())?;
        self.state.on.store(true, Ordering::Relaxed);
        Ok(device)
    }

    /// Returns the first difference, if there was one.
    #[must_use]
    pub fn divergence(&self) -> Option<Divergence> {
        self.state.divergence.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of launches, primitives and copies that were equal on both devices.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.state.equal.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} equal steps {} differs: ", self.after, self.what)?;
        let called = |argument: &usize, name: &String| match name.is_empty() {
            true => format!("argument {argument}"),
            false => format!("argument {argument}, `{name}`"),
        };
        match &self.place {
            Place::Row { argument, name, table, row, column } => {
                write!(f, "{} (a table of `{table}`), row {row}, column `{column}`", called(argument, name))?;
            }
            Place::Slot { argument, name, slot } => write!(f, "{} (a tally), slot {slot}", called(argument, name))?,
            Place::Result => f.write_str("the reduced value")?,
            Place::Error => f.write_str("how it ended")?,
        }
        let [left, right] = &self.devices;
        write!(f, ": {} on {left}, {} on {right}", self.left, self.right)
    }
}

fn modules(launch: &Launch) -> Result<&Modules> {
    launch.module.get::<Modules>().ok_or_else(foreign)
}

fn foreign() -> Error {
    Error::invalid("two devices beside each other", "a handle is that of another device")
}
