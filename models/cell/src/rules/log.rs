//! Outputs as CD++ writes them: its log, and its file of outputs.

use super::model::Model;
use super::ports::Outlet;
use super::time::Time;
use crate::sequential::Output;
use std::fmt;
use std::io::{Result, Write};

/// Number of the top model in CD++'s logs.
const TOP: u32 = 1;

/// A value as CD++ prints it: twelve characters, five of them after the point.
struct Value(f64);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A zero has no sign: engines may differ in it.
        if self.0.is_nan() { write!(f, "{:>12}", "?") } else { write!(f, "{:12.5}", self.0 + 0.0) }
    }
}

/// Returns the time of an output of a model.
fn time_of(model: &Model, output: &Output<f64>) -> Time {
    Time(u64::from(output.time) * model.unit())
}

/// Outlets in the order of their cells; those of a cell in the order of their links.
fn by_cell(model: &Model) -> Vec<&Outlet> {
    let mut outlets: Vec<&Outlet> = model.outlets().iter().collect();
    outlets.sort_by_key(|outlet| outlet.cell);
    outlets
}

/// Returns the outlets of a cell.
fn of<'a, 'm>(outlets: &'a [&'m Outlet], cell: u32) -> impl Iterator<Item = &'a &'m Outlet> {
    let first = outlets.partition_point(|outlet| outlet.cell < cell);
    outlets.iter().skip(first).take_while(move |outlet| outlet.cell == cell)
}

/// Writes outputs as the messages `Y` of CD++'s log.
///
/// Each output of a cell is a line such as
/// `Mensaje Y / 00:00:00:100 / plane(3,4)(37) / out /      1.00000 para plane(02)`. If the cell is linked to an output
/// of the top model, the lines by which the value leaves the cell space and the top model follow. Models have the
/// numbers that CD++ gives them: the top model 1, its components the next ones in their order, the cells of the cell
/// space those after it. An undefined value is `?`. The name of a port of `neighborports` has `out_` before it. Other
/// messages are not written.
///
/// The lines of one run are the same whatever the engine.
#[derive(Debug)]
pub struct Log<'a, W> {
    model: &'a Model,
    outlets: Vec<&'a Outlet>,
    to: W,
}

impl<'a, W: Write> Log<'a, W> {
    /// Begins the log of a model.
    #[must_use]
    pub fn new(model: &'a Model, to: W) -> Self {
        Log { model, outlets: by_cell(model), to }
    }

    /// Writes the lines of an output.
    ///
    /// # Errors
    /// The writer's error, if it takes no more.
    pub fn write(&mut self, output: &Output<f64>) -> Result<()> {
        let (name, number, space) = (self.model.name(), self.model.number(), self.model.space());
        let (time, value, to) = (time_of(self.model, output), Value(output.value), &mut self.to);
        write!(to, "Mensaje Y / {time} / {name}")?;
        let (position, layers) = (space.position(output.cell), self.model.layers());
        let first = layers.dimensions() as usize;
        let mut before = '(';
        for at in position.iter().take(space.dimensions().len()).skip(first) {
            write!(to, "{before}{at}")?;
            before = ',';
        }
        // Cells follow their space.
        let cell = u64::from(number) + 1 + u64::from(layers.place(output.cell));
        let port = layers.port(output.cell);
        let port_name = self.model.ports().get(port as usize).map_or("out", String::as_str);
        let prefix = if port == 0 { "" } else { "out_" };
        writeln!(to, ")({cell:02}) / {prefix}{port_name} / {value} para {name}({number:02})")?;
        for outlet in of(&self.outlets, output.cell) {
            if let Some(port) = &outlet.space {
                writeln!(to, "Mensaje Y / {time} / {name}({number:02}) / {port} / {value} para top({TOP:02})")?;
            }
            writeln!(to, "Mensaje Y / {time} / top({TOP:02}) / {} / {value} para Root(00)", outlet.name)?;
        }
        Ok(())
    }

    /// Returns the writer, which may buffer lines.
    pub fn into_inner(self) -> W {
        self.to
    }
}

/// Writes what leaves by the outputs of the top model, as CD++ does by its option `-o`.
///
/// Each value is a line such as `00:00:00:100 rain 0.25`, or `?` for an undefined value. A number is the shortest that
/// reads as the same `f64`.
#[derive(Debug)]
pub struct PortLog<'a, W> {
    model: &'a Model,
    outlets: Vec<&'a Outlet>,
    to: W,
}

impl<'a, W: Write> PortLog<'a, W> {
    /// Begins the file of a model's outputs.
    #[must_use]
    pub fn new(model: &'a Model, to: W) -> Self {
        PortLog { model, outlets: by_cell(model), to }
    }

    /// Writes a line for each output of the top model that the cell is linked to.
    ///
    /// # Errors
    /// The writer's error, if it takes no more.
    pub fn write(&mut self, output: &Output<f64>) -> Result<()> {
        for outlet in of(&self.outlets, output.cell) {
            write!(self.to, "{} {} ", time_of(self.model, output), outlet.name)?;
            if output.value.is_nan() { writeln!(self.to, "?")? } else { writeln!(self.to, "{}", output.value + 0.0)? }
        }
        Ok(())
    }

    /// Returns the writer, which may buffer lines.
    pub fn into_inner(self) -> W {
        self.to
    }
}
