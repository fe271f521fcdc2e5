//! Interpretation of kernels that are made at run time, for a device of native functions.
//!
//! The portable forms of some primitives launch kernels that move rows of any struct. A device whose rows are native
//! structs cannot run them. It has those primitives itself, but a pair of devices performs every operation in one way.
//! The host therefore interprets the kernel's IR for this device. The result is compared with that of the other device.

use super::{Both, Kind, Twin, modules};
use crate::trees::{Places, Stored};
use imminent_core::backend::{Argument, Launch, QueueHandle};
use imminent_core::ir::interpret::{Bound, Extent, Machine, RowTree, Stuck, Table, read_struct};
use imminent_core::ir::{Layout, Module, ParamKind};
use imminent_core::{Device, Error, Result};

/// Side of the pair: one of the two devices.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

fn ill_formed(what: &str) -> Error {
    Error::invalid("a kernel made at run time", what)
}

fn stuck(error: Stuck) -> Error {
    ill_formed(&error.to_string())
}

impl Twin {
    /// Launches a kernel on one device and waits for its end; `own` is the launch with this device's handles.
    pub(super) fn launch_on(&self, side: Side, queue: &QueueHandle, launch: &Launch, own: &Launch) -> Result<()> {
        let device = match side {
            Side::Left => &self.state.left,
            Side::Right => &self.state.right,
        };
        let source = modules(launch)?.source;
        if device.capabilities().native_rows && source.entry(launch.kernel as usize).is_none() {
            let module = source.ir().map_err(|error| ill_formed(&error.to_string()))?;
            return self.interpret(device, side, queue, launch, module);
        }
        device.backend().launch(queue, own).and_then(|()| device.backend().finish(queue))
    }

    fn interpret(
        &self,
        device: &Device,
        side: Side,
        queue: &QueueHandle,
        launch: &Launch,
        module: &Module,
    ) -> Result<()> {
        let kernel = module.kernels.get(launch.kernel as usize);
        let function = kernel.and_then(|kernel| Some((kernel, module.functions.get(kernel.function.index())?)));
        let (kernel, function) = function.ok_or_else(|| ill_formed("there is no such kernel"))?;
        if launch.subset.is_some() || launch.result.is_some() || function.params.len() != launch.args.len() {
            return Err(ill_formed("it is launched over a list of rows, for a result, or with other arguments"));
        }
        let mut machine = Machine::new(module);
        // A table that is bound twice is read once: own rows are read before they are written.
        let (mut bound, mut written) = (Vec::new(), Vec::new());
        for (arg, param) in launch.args.iter().zip(&function.params) {
            bound.push(match (arg, &param.kind) {
                (Argument::Table { buffer, .. }, ParamKind::Row(of, mutable)) => {
                    let both = self.both(buffer)?;
                    let rows = self.stored(device, side, queue, both, |table| table.read(module, *of))?;
                    let table = machine.tables.len();
                    machine.tables.push(Table { of: *of, rows });
                    if *mutable {
                        written.push((both, table));
                    }
                    Bound::Row { table, row: 0 }
                }
                (Argument::Table { buffer, .. }, ParamKind::Rows(of)) => {
                    let both = self.both(buffer)?;
                    let mut rows = self.stored(device, side, queue, both, |table| table.read(module, *of))?;
                    let capacity = match &both.kind {
                        Kind::Table { capacity, .. } => *capacity,
                        _ => 0,
                    };
                    rows.push(RowTree::zeroed(module, *of, capacity).map_err(stuck)?);
                    machine.tables.push(Table { of: *of, rows });
                    Bound::Rows(machine.tables.len() - 1)
                }
                (Argument::Params { words, .. }, ParamKind::Params(of)) => {
                    Bound::Value(read_struct(module, *of, words).map_err(stuck)?)
                }
                _ => return Err(ill_formed("it takes what no such kernel takes")),
            });
        }
        let extent = Extent { rows: launch.rows, ..Extent::default() };
        if machine.launch(kernel, &bound, &extent).map_err(stuck)?.fault.is_some() {
            return Err(ill_formed("it raised a fault"));
        }
        for (both, table) in written {
            self.stored(device, side, queue, both, |stored| stored.write(&machine.tables[table].rows))?;
        }
        Ok(())
    }

    /// Calls a function with the device's representation of a table.
    fn stored<T>(
        &self,
        device: &Device,
        side: Side,
        queue: &QueueHandle,
        both: &Both,
        with: impl FnOnce(&Stored<'_>) -> Result<T>,
    ) -> Result<T> {
        let (layout, places): (&Layout, Places) = match &both.kind {
            Kind::Table { layout, rows, capacity } => (layout, Places::Even { rows: *rows, capacity: *capacity }),
            Kind::Ragged { layout, room } => (layout, Places::Own(room.clone())),
            Kind::Tally { .. } | Kind::Result { .. } => return Err(ill_formed("it takes a table")),
        };
        let buffer = match side {
            Side::Left => &both.left,
            Side::Right => &both.right,
        };
        with(&Stored { backend: device.backend(), queue, buffer, layout, places: &places })
    }
}
