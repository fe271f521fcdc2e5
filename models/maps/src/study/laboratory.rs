//! Runs of fires, many in one ensemble.

use super::grounds::{Ground, Grounds};
use super::setting::Setting;
use imminent_cell::landscape::{Ensemble, Ignition, Report, Weather, WildfireError};
use imminent_cell::memory;
use imminent_cell::{Engine, Simulation};
use imminent_common::free_memory;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::laboratory::{Failed, Fault, Finished, Laboratory, Run, Update};
use imminent_study::{Base, BatchSize, Runs};
use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Number of runs in the first batch.
const FIRST_TOGETHER: usize = 16;

/// Most runs of a batch.
const MAX_BATCH: usize = 1 << 14;

/// Fires after which a batch takes no further run.
const MAX_FIRES: usize = 1 << 20;

/// Most bytes of delays of a batch.
const MAX_BYTES: u64 = 1 << 30;

/// Part of the free memory of the host that delays of a batch may take.
const SHARE_OF_MEMORY: u64 = 4;

/// Square metres of a hectare.
const HECTARE: f64 = 10_000.0;

/// Callback that receives updates of runs.
type Observer<'a> = &'a mut dyn FnMut(Update) -> ControlFlow<()>;

/// Carries out runs of fires on landscapes.
#[derive(Debug)]
pub struct Wildfires {
    base: Arc<Base>,
    device: Device,
    grounds: Grounds,
    /// Most runs of the next batch.
    together: BatchSize,
}

/// Fires on one landscape for the same hours.
struct Group {
    ground: Arc<Ground>,
    hours: f64,
    weathers: Vec<Vec<Weather>>,
    fires: Vec<Ignition>,
    /// Each run with its fires and the size in hectares of a large one.
    runs: Vec<(Run, Range<usize>, f64)>,
}

/// Run whose fires burn.
struct Burning {
    run: Run,
    /// Places of the run's fires among those of its group.
    fires: Range<usize>,
    /// Number of fires that are not over.
    left: usize,
    /// Number of cells that each fire burns, 0 until it is over.
    sizes: Vec<u32>,
    /// Hectares of a large fire.
    large: f64,
}

/// Runs that are executed together.
#[derive(Default)]
struct Batch {
    groups: Vec<Group>,
    runs: usize,
    fires: usize,
    /// Bytes of delays.
    bytes: u64,
    /// Bytes of delays of the largest landscape under one weather.
    widest: u64,
}

impl Wildfires {
    /// Creates a laboratory that executes runs on a device.
    #[must_use]
    pub fn new(base: &Arc<Base>, device: &Device) -> Self {
        Self {
            base: Arc::clone(base),
            device: device.clone(),
            grounds: Grounds::default(),
            together: BatchSize::new(FIRST_TOGETHER, MAX_BATCH),
        }
    }

    /// Returns the bytes of delays that a batch may take.
    fn budget(&self) -> u64 {
        let free = free_memory::free().map_or(MAX_BYTES, |free| free / SHARE_OF_MEMORY);
        free.min(MAX_BYTES).min(self.device.capabilities().limits.table_bytes)
    }

    /// Takes the next runs, at least one. Impossible runs fail.
    fn batch(
        &mut self,
        left: &mut Peekable<impl Iterator<Item = Run>>,
        done: &mut u64,
        observer: Observer<'_>,
    ) -> ControlFlow<(), Batch> {
        let (mut batch, budget) = (Batch::default(), self.budget());
        while batch.runs < self.together.now()
            && batch.fires < MAX_FIRES
            && (batch.runs == 0 || batch.bytes + batch.widest <= budget)
        {
            let Some(run) = left.next() else { break };
            let number = run.number;
            if let Err(fault) = self.add(&mut batch, run) {
                *done += 1;
                observer(Update::Failed(Failed { run: number, why: fault.to_string() }))?;
            }
        }
        ControlFlow::Continue(batch)
    }

    fn add(&mut self, batch: &mut Batch, run: Run) -> Result<(), Fault> {
        let setting = Setting::of(self.base.config(&run.point)?)?;
        let ground = self.grounds.at(&setting.ground)?;
        let weather = setting.ranges.draw(1, run.seed)?;
        let lit: Vec<_> = match setting.lit {
            Some(lit) => vec![lit],
            None => (0..setting.fires).filter_map(|fire| ground.burnable.draw(run.seed, fire)).collect(),
        };
        if lit.is_empty() {
            return Err(WildfireError::NothingBurns.into());
        }
        // The one fault of a fire that others of its ensemble must not suffer from.
        let first = Ignition { cells: lit.get(..1).unwrap_or_default().to_vec(), scenario: 0 };
        Ensemble::new(Arc::clone(&ground.landscape), std::slice::from_ref(&weather), &[first], setting.hours)?;
        batch.runs += 1;
        batch.fires += lit.len();
        let is_alike = |group: &Group| Arc::ptr_eq(&group.ground, &ground) && group.hours == setting.hours;
        let place = batch.groups.iter().position(is_alike).unwrap_or(batch.groups.len());
        if place == batch.groups.len() {
            let (weathers, fires, runs) = (vec![], vec![], vec![]);
            batch.groups.push(Group { ground: Arc::clone(&ground), hours: setting.hours, weathers, fires, runs });
        }
        let Some(group) = batch.groups.get_mut(place) else { return Ok(()) };
        let known = group.weathers.iter().rposition(|known| *known == weather);
        let scenario = known.unwrap_or(group.weathers.len()) as u32;
        if known.is_none() {
            group.weathers.push(weather);
            let bytes = memory::delays(&ground.landscape);
            batch.bytes += bytes;
            batch.widest = batch.widest.max(bytes);
        }
        let fires = group.fires.len()..group.fires.len() + lit.len();
        group.fires.extend(lit.into_iter().map(|cell| Ignition { cells: vec![cell], scenario }));
        group.runs.push((run, fires, setting.large));
        Ok(())
    }

    /// Burns the fires of a group, and reports each run when its last fire is over. Breaks if the observer interrupted
    /// it.
    fn carry_out(&self, group: Group, share: f64, observer: Observer<'_>) -> Result<ControlFlow<()>, Fault> {
        let Group { ground, hours, weathers, fires, runs } = group;
        let side = ground.landscape.cell_size();
        let mut burning: Vec<_> = runs.into_iter().map(|(run, fires, large)| Burning::new(run, fires, large)).collect();
        let mut flow = ControlFlow::Continue(());
        let mut watch = |report| {
            let update = match report {
                Report::Progress(_) => Some(Update::Progress { share }),
                Report::Ended { fire, size } => {
                    let of = burning.partition_point(|run| run.fires.end <= fire);
                    let ended = burning.get_mut(of).and_then(|run| run.ended(fire, size, side * side / HECTARE));
                    ended.map(Update::Finished)
                }
            };
            if update.is_some_and(|update| observer(update).is_break()) {
                flow = ControlFlow::Break(());
            }
            flow
        };
        let burnt = Ensemble::new(Arc::clone(&ground.landscape), &weathers, &fires, hours)
            .and_then(|ensemble| ensemble.run(&self.device, Engine::Auto, &mut watch));
        match burnt {
            Ok(_) => {}
            Err(error @ WildfireError::Device(_)) => return Err(error.into()),
            Err(error) => {
                for Burning { run, .. } in burning.iter().filter(|run| run.left > 0) {
                    let failed = Failed { run: run.number, why: error.to_string() };
                    if observer(Update::Failed(failed)).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(flow)
    }
}

impl Burning {
    fn new(run: Run, fires: Range<usize>, large: f64) -> Self {
        Burning { run, left: fires.len(), sizes: vec![0; fires.len()], fires, large }
    }

    /// Notes the size of a fire that is over. Returns the measures of the run if it was the last one.
    fn ended(&mut self, fire: usize, size: u32, hectares: f64) -> Option<Finished> {
        *fire.checked_sub(self.fires.start).and_then(|fire| self.sizes.get_mut(fire))? = size;
        self.left = self.left.saturating_sub(1);
        (self.left == 0).then(|| finished(&self.run, &self.sizes, hectares, self.large))
    }
}

/// Measures of a run, from the cells that its fires burn and the hectares of a cell.
fn finished(run: &Run, sizes: &[u32], hectares: f64, large: f64) -> Finished {
    let area = |cells: u32| f64::from(cells) * hectares;
    let cells: u64 = sizes.iter().copied().map(u64::from).sum();
    let count = sizes.len().max(1) as f64;
    let largest = sizes.iter().copied().max().map(area);
    let above = sizes.iter().filter(|&&cells| area(cells) > large).count();
    let values = vec![Some(cells as f64 * hectares / count), largest, Some(above as f64 / count)];
    Finished { run: run.number, events: cells, values }
}

impl Laboratory for Wildfires {
    fn run(&mut self, runs: &Runs<'_>, observer: Observer<'_>) -> Result<(), Fault> {
        let (mut left, mut done, all) = (runs.iter().peekable(), 0, runs.len().max(1) as f64);
        loop {
            let ControlFlow::Continue(batch) = self.batch(&mut left, &mut done, observer) else { return Ok(()) };
            if batch.groups.is_empty() && left.peek().is_none() {
                return Ok(());
            }
            let began = Instant::now();
            for group in batch.groups {
                let carried = group.runs.len() as u64;
                if self.carry_out(group, done as f64 / all, observer)?.is_break() {
                    return Ok(());
                }
                done += carried;
            }
            self.together.done_since(began);
        }
    }
}
