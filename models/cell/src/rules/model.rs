//! Models of rule files: a cell space, rules by zone, and initial values.

use super::ast::Rule;
use super::dimensions::dimensions;
use super::error::{Built, Notice, Problem, RuleFileError, RuleFileWarning};
use super::initial::initial;
use super::layers::Layers;
use super::parse::{self, Names};
use super::port_value::{CellEvent, PortValue};
use super::ports::{self, Generator, Inlet, Outlet, Ports};
use super::programs::Programs;
use super::sections::{Section, needed, sections};
use super::source::{Load, Loaded, Sources, text_of};
use super::state::State;
use super::tree;
use super::zones::zones;
use crate::sequential::{Delay, InputSource};
use crate::space::{Border, CellSpace, MAX_DIMENSIONS};
use imminent_common::{free_memory, input};
use std::path::Path;

/// A Cell-DEVS model as a CD++ rule file describes it.
///
/// Supported: `type`, `dim` or `width` and `height`, `delay`, `border`, `neighbors`, `localtransition`, `zone`,
/// `initialvalue`, `initialrow`, `initialrowvalue`, `initialcellsvalue`, `initialmapvalue`, ports of neighbours
/// (`neighborports`), state variables (`statevariables`, `statevalues`, `initialvariablesvalue`), macros and includes,
/// inputs of the top model and generators that are linked to ports of cells (`in`, `link`, `portintransition`,
/// `defaultdelaytime`), and outputs of the top model that outputs of cells are linked to (`out`, `link`). Not
/// supported, with an error that says so: other components, tuples.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    name: String,
    /// Number of the cell space in CD++'s logs.
    number: u32,
    /// The space with a layer for each port.
    space: CellSpace,
    layers: Layers,
    /// Names of the ports and variables of a cell.
    state: State,
    /// Initial values of the variables of all cells, cell by cell.
    variables: Vec<f64>,
    delay: Delay,
    /// Rules of the local transition and of each zone.
    programs: Vec<Vec<Rule>>,
    /// Program of each cell of a layer; empty where all cells have the first.
    zones: Vec<u32>,
    initial: Vec<f64>,
    ports: Ports,
    events: Vec<CellEvent>,
    /// Milliseconds of a unit of time.
    pub(super) time_unit: u64,
    /// Values are equal if they are so as multiples of it; 0 for none.
    quantum: f64,
    warnings: Vec<RuleFileWarning>,
}

impl Model {
    /// Reads a model and the files that it names, which are looked for beside it.
    ///
    /// Each is a regular file of at most [`MAX_TEXT`](input::MAX_TEXT) bytes. Bytes that are no UTF-8 are read as
    /// Windows-1252. Errors show no text of files outside the model's folder.
    ///
    /// # Errors
    /// [`RuleFileError`].
    pub fn read(path: &Path) -> Result<Self, RuleFileError> {
        Self::read_component(path, None)
    }

    /// Reads a cell space of a file as [`read`](Self::read) does; `component` is its name, which a file with several
    /// cell spaces needs. Nothing that another component sends may come to it.
    ///
    /// # Errors
    /// [`RuleFileError`].
    pub fn read_component(path: &Path, component: Option<&str>) -> Result<Self, RuleFileError> {
        let text = input::text_of_any_encoding(path)?;
        let folder = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_path_buf));
        let load = |name: &str| {
            let found_as = in_another_case(path, name);
            let file = path.with_file_name(found_as.as_deref().unwrap_or(name));
            let text = input::text_of_any_encoding(&file).map_err(std::io::Error::other)?;
            // A symbolic link in the folder may lead elsewhere.
            let inside = file.canonicalize().is_ok_and(|file| folder.as_ref().is_some_and(|at| file.starts_with(at)));
            Ok(Loaded { text, elsewhere: !inside, found_as })
        };
        Self::built(&path.display().to_string(), &text, &load, component)
    }

    /// Makes a model of a text; `load` reads the files that it names.
    ///
    /// # Errors
    /// [`RuleFileError`].
    pub fn parse(
        name: &str,
        text: &str,
        load: &dyn Fn(&str) -> std::io::Result<String>,
    ) -> Result<Self, RuleFileError> {
        Self::parse_component(name, text, load, None)
    }

    /// Makes a model of a cell space of a text, as [`read_component`](Self::read_component) does of a file.
    ///
    /// # Errors
    /// [`RuleFileError`].
    pub fn parse_component(
        name: &str,
        text: &str,
        load: &dyn Fn(&str) -> std::io::Result<String>,
        component: Option<&str>,
    ) -> Result<Self, RuleFileError> {
        let load = |file: &str| Ok(Loaded { text: load(file)?, elsewhere: false, found_as: None });
        Self::built(name, text, &load, component)
    }

    fn built(name: &str, text: &str, load: Load<'_>, component: Option<&str>) -> Result<Self, RuleFileError> {
        let mut sources = Sources::expand(name, text, load)?;
        let mut notices = Vec::new();
        match build(&mut sources, load, component, &mut notices) {
            Ok(model) => {
                let located = notices.into_iter().map(|notice| notice.locate(&sources));
                let warnings = sources.warnings().iter().cloned().chain(located).collect();
                Ok(Model { warnings, ..model })
            }
            Err(problem) => Err(problem.render(&sources)),
        }
    }

    /// Returns what the files have that was passed over, as CD++ does.
    #[must_use]
    pub fn warnings(&self) -> &[RuleFileWarning] {
        &self.warnings
    }

    /// Returns the bytes of memory that a model of so many cells needs on the host, while it runs and with its outcome.
    ///
    /// A cell has an initial value, its zone, its state, random numbers, the time of its last output, a queue, an entry
    /// in three lists, and its part of the outcome. Outputs in queues come on top.
    #[must_use]
    pub const fn memory(cells: u64) -> u64 {
        cells.saturating_mul(BYTES_OF_A_CELL)
    }

    /// Returns the name of the cell space.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the space: cells, border and neighbourhood.
    ///
    /// If cells send by several [`ports`](Self::ports), the first dimension is the port.
    #[must_use]
    pub const fn space(&self) -> &CellSpace {
        &self.space
    }

    /// Returns the ports by which cells send: `out`, then those of `neighborports`.
    #[must_use]
    pub fn ports(&self) -> &[String] {
        &self.state.ports
    }

    /// Returns the kind of the delays.
    #[must_use]
    pub const fn delay(&self) -> Delay {
        self.delay
    }

    /// Returns the initial values of all cells; NaN where undefined.
    #[must_use]
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Returns the external inputs of a run for `horizon` [units](Self::unit) of time: events, then those of generators
    /// that are linked to ports of cells, which draw their intervals with the random numbers of a seed.
    #[must_use]
    pub fn sources(&self, seed: u64, horizon: u32) -> Vec<InputSource<PortValue>> {
        let unit = self.time_unit;
        let generated = self.ports.generators.iter().flat_map(|generator| generator.inputs(seed, horizon, unit));
        let once = |&CellEvent { time, cell, rules, value }: &CellEvent| {
            let time = u32::try_from(time / unit).ok()?;
            Some(InputSource::once(cell, time, PortValue { rules, value, increment: 0.0 }))
        };
        let of_a_layer: Vec<InputSource<PortValue>> = self.events.iter().filter_map(once).chain(generated).collect();
        let layer = |port: u32| {
            let first = port * self.layers.cells;
            of_a_layer.iter().map(move |source| InputSource { cell: first + source.cell, ..*source })
        };
        (0..self.layers.ports).flat_map(layer).collect()
    }

    /// Returns the names of the top model's inputs that are linked to cells, which events may come to.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.ports.inlets.iter().map(|inlet| inlet.name.as_str())
    }

    /// Returns the names of the top model's outputs and the cells that are linked to them, link by link.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.ports.outlets.iter().map(|outlet| (outlet.name.as_str(), outlet.cell))
    }

    /// Replaces the initial value of a cell, if it exists.
    pub fn set_initial(&mut self, cell: u32, value: f64) {
        if let Some(initial) = self.initial.get_mut(cell as usize) {
            *initial = value;
        }
    }

    /// Returns the size of the steps in which values are compared; 0 if they are compared as they are.
    #[must_use]
    pub const fn quantum(&self) -> f64 {
        self.quantum
    }

    /// Compares values in steps of a quantum, as CD++ does with its option `-q`: a cell keeps its value if the new one
    /// is the same multiple of the quantum, both rounded toward zero. What is emitted is not rounded. A number that is
    /// not above 0, or not finite, is no quantum.
    pub fn set_quantum(&mut self, quantum: f64) {
        self.quantum = if quantum > 0.0 && quantum.is_finite() { quantum } else { 0.0 };
    }

    /// Returns the smallest delay of all rules that change a value, in [units](Self::unit) of time; `None` if a delay
    /// is no constant.
    #[must_use]
    pub fn lookahead(&self) -> Option<u32> {
        let own = self.space.neighbours().iter().position(|offset| *offset == [0; MAX_DIMENSIONS]);
        let own = own.and_then(|at| u32::try_from(at).ok()).map(|at| at - self.layers.seen(0, 0).start);
        let keeps = |rule: &&Rule| rule.sends.iter().all(|send| send.value.is_own(own, send.to));
        let rules = self.programs.iter().flatten().filter(|rule| !keeps(rule));
        rules
            .map(|rule| tree::constant(&rule.delay).and_then(|delay| tree::delay(delay, self.time_unit)))
            .try_fold(u32::MAX, |least, delay| delay.map(|delay| least.min(delay)))
    }

    /// Returns the inputs of the top model.
    pub(super) fn inlets(&self) -> &[Inlet] {
        &self.ports.inlets
    }

    /// Returns the outputs of the top model.
    pub(super) fn outlets(&self) -> &[Outlet] {
        &self.ports.outlets
    }

    /// Returns the number of the cell space in CD++'s logs; those of the cells follow it.
    pub(super) const fn number(&self) -> u32 {
        self.number
    }

    /// Replaces the external events, and takes the unit of time back to the millisecond. Generators stay.
    pub(super) fn replace_events(&mut self, events: Vec<CellEvent>) {
        (self.events, self.time_unit) = (events, 1);
    }

    /// Returns the external events in the order of their times.
    pub(super) fn events(&self) -> &[CellEvent] {
        &self.events
    }

    /// Returns the milliseconds between the inputs of each generator; `None` of one that draws its intervals.
    pub(super) fn periods(&self) -> impl Iterator<Item = Option<u32>> {
        self.ports.generators.iter().map(Generator::period)
    }

    /// Returns the layers of the space.
    pub(super) const fn layers(&self) -> Layers {
        self.layers
    }

    /// Returns the initial values of the state variables of all cells, cell by cell.
    pub(super) fn variables(&self) -> &[f64] {
        &self.variables
    }

    /// Returns the number of state variables of a cell.
    pub(super) fn variables_of_a_cell(&self) -> usize {
        self.state.variables.len()
    }

    pub(super) fn programs(&self) -> &[Vec<Rule>] {
        &self.programs
    }

    pub(super) fn program_of(&self, cell: u32) -> u32 {
        self.zones.get(self.layers.place(cell) as usize).copied().unwrap_or(0)
    }

    pub(super) fn rules_of(&self, cell: u32) -> &[Rule] {
        self.programs.get(self.program_of(cell) as usize).map_or(&[], Vec::as_slice)
    }
}

/// Finds the only file beside a model whose name differs from one that is not there by the case of letters: models
/// were written where names of files have none.
fn in_another_case(model: &Path, name: &str) -> Option<String> {
    if name.contains(['/', '\\']) || model.with_file_name(name).exists() {
        return None;
    }
    let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = std::fs::read_dir(folder).ok()?.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let lower = name.to_lowercase();
    let mut alike = names.filter(|file| file.to_lowercase() == lower);
    alike.next().filter(|_| alike.next().is_none())
}

/// Bytes of a cell of a rule file on the host.
const BYTES_OF_A_CELL: u64 = 144;

/// Keys of a cell model that mean something here.
const KNOWN: [&str; 24] = [
    "type",
    "dim",
    "width",
    "height",
    "delay",
    "defaultdelaytime",
    "border",
    "neighbors",
    "localtransition",
    "zone",
    "initialvalue",
    "initialrow",
    "initialrowvalue",
    "initialcellsvalue",
    "initialmapvalue",
    "components",
    "in",
    "out",
    "link",
    "portintransition",
    "neighborports",
    "statevariables",
    "statevalues",
    "initialvariablesvalue",
];

fn build(sources: &mut Sources, load: Load<'_>, component: Option<&str>, notices: &mut Vec<Notice>) -> Built<Model> {
    let (all, passed_over) = sections(sources.text())?;
    notices.extend(passed_over);
    let section = ports::cell_space(sources, &all, component)?;
    ports::check_senders(sources, &all, section, notices)?;
    for entry in section.entries.iter().filter(|entry| !KNOWN.contains(&entry.key.as_str())).take(1) {
        let message = "an entry has a key that a cell space does not have, and is passed over, as in CD++".to_owned();
        notices.push(Notice { span: entry.key_span.clone(), message });
    }
    let dimensions = dimensions(sources, section)?;
    let neighbours = neighbours(sources, section, dimensions.len())?;
    let border = border(sources, section)?;
    let space = CellSpace::new(&dimensions, border, &neighbours)
        .map_err(|error| Problem::new(section.span.clone(), error.to_string(), "this cell space"))?;
    let state = State::read(sources, section)?;
    let each = state.ports.len() as u64 * (1 + state.variables.len() as u64 * 8 / BYTES_OF_A_CELL);
    free_memory::fits("number of cells", space.cells() as u64 * each, Model::memory).map_err(|error| {
        let span = section.first("dim").map_or(&section.span, |entry| &entry.value);
        Problem::new(span.clone(), error.to_string(), "this cell space")
    })?;
    let names = Names {
        dimensions: dimensions.len(),
        neighbours: space.neighbours(),
        ports: &state.ports,
        variables: &state.variables,
    };
    let mut programs = Programs::new(sources, &all, &names);
    let zones = zones(sources, section, &names, &space, &mut programs, notices)?;
    let ports = ports::read(sources, &all, section, &space, &mut programs, notices)?;
    let (programs, passed_over) = programs.into_rules();
    notices.extend(passed_over);
    let number = ports::number(sources, &all, section)?;
    let delay = delay(sources, section, &state)?;
    let initial = initial(sources, section, &space, &names, load, notices)?;
    let variables = state.initial(sources, section, &space, load, notices)?;
    let layers = Layers::new(&space, state.ports.len() as u32);
    let layered = layers.space(&space).map_err(|error| {
        let span = section.first("neighborports").map_or(&section.span, |entry| &entry.value);
        Problem::new(span.clone(), format!("ports are a dimension more: {error}"), "one layer of cells for each port")
    })?;
    let (initial, variables) = (initial.repeat(state.ports.len()), variables.repeat(state.ports.len()));
    let (name, space) = (section.name.clone(), layered);
    let (events, warnings) = (Vec::new(), Vec::new());
    let quantum = 0.0;
    Ok(Model {
        name,
        number,
        space,
        layers,
        state,
        variables,
        delay,
        programs,
        zones,
        initial,
        ports,
        events,
        time_unit: 1,
        quantum,
        warnings,
    })
}

fn neighbours(sources: &Sources, section: &Section, dimensions: usize) -> Built<Vec<Vec<i32>>> {
    needed(section, "neighbors")?;
    let mut all = Vec::new();
    for entry in section.all("neighbors") {
        let names = Names::of_positions(dimensions);
        for (position, span) in parse::positions(sources.text(), &entry.value, &names)? {
            if position.len() != dimensions {
                let message =
                    format!("a neighbour has {} coordinates in a space of {dimensions} dimensions", position.len());
                return Err(Problem::new(span, message, format!("give it {dimensions}")));
            }
            all.push(position);
        }
    }
    Ok(all)
}

fn border(sources: &Sources, section: &Section) -> Built<Border> {
    let Some(entry) = section.first("border") else { return Ok(Border::Open) };
    match text_of(sources, &entry.value).to_lowercase().as_str() {
        "wrapped" => Ok(Border::Wrapped),
        "nowrapped" | "nonwrapped" | "unwrapped" => Ok(Border::Open),
        _ => Err(Problem::new(entry.value.clone(), "unknown border", "expected `wrapped` or `nowrapped`")),
    }
}

fn delay(sources: &Sources, section: &Section, state: &State) -> Built<Delay> {
    // Versions of CD++ with ports and variables send all outputs of one time together, so the last counts.
    let transport = if state.is_newer() { Delay::Transport } else { Delay::TransportAll };
    let Some(entry) = section.first("delay") else { return Ok(transport) };
    match text_of(sources, &entry.value).to_lowercase().as_str() {
        "inertial" if state.ports.len() > 1 => {
            let message =
                "cells with `neighborports` have no inertial delay here: CD++ gives all ports of a cell one timer";
            Err(Problem::new(entry.value.clone(), message, "not with ports").note("write `delay : transport`"))
        }
        "inertial" => Ok(Delay::Inertial),
        "transport" => Ok(transport),
        _ => Err(Problem::new(entry.value.clone(), "unknown delay", "expected `inertial` or `transport`")),
    }
}
