//! Fluids and packets, batch by batch.

use super::background::{ALONE, Between};
use super::batch::Batch;
use super::device::OnDevice;
use super::error::CouplingError;
use super::fluids::{Aside, Fluids};
use super::host::OnHost;
use super::{Coupling, MOST_LAUNCHES, Scheme};
use crate::fluid::{Engine, FlowState, Means, QueueState, Sequential};
use crate::packet::Simulator;
use crate::packet::clock::picoseconds;
use crate::units::LONGEST;
use crate::{StepSize, Traffic};
use imminent_core::Device;
use std::time::{Duration, Instant};

/// Fluids and packets that share queues, from time 0 on.
///
/// Determinism: `Reproducible`, as the fluids are; packets are exact.
#[derive(Debug, Clone)]
pub struct Coupled<F = OnDevice> {
    simulator: Simulator,
    fluids: F,
    /// The links whose queues are shared, in ascending order.
    links: Vec<u32>,
    /// By link: its place among these, or [`ALONE`].
    places: Vec<u32>,
    batch: Batch,
    under_way: bool,
    /// Whether the host waits for a batch before it simulates packets.
    by_turns: bool,
    failed: bool,
    spent: Spent,
}

/// What the host spent its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Handing launches to the fluids. Where the host is the device, doing it.
    pub fluids: Duration,
    /// Handing transfers over, from the fluids and to them.
    pub transfers: Duration,
    /// Waiting for them.
    pub waiting: Duration,
    /// Packets.
    pub packets: Duration,
}

/// How a run goes.
struct Plan {
    size: StepSize,
    launches: u32,
    links: Vec<u32>,
}

impl Plan {
    fn new(traffic: &Traffic, simulator: &Simulator, size: StepSize, scheme: Scheme) -> Result<Self, CouplingError> {
        let (size, launches) = match scheme {
            Scheme::LockStep => (StepSize { lookahead: size.lookahead.min(1), ..size }, 1),
            Scheme::Asynchronous { batch } => (size, batch),
        };
        if !(1..=MOST_LAUNCHES).contains(&launches) {
            return Err(CouplingError::Batch { batch: launches, most: MOST_LAUNCHES });
        }
        traffic.check_lookahead(size)?;
        if !simulator.is_of(traffic) {
            return Err(CouplingError::OtherTraffic);
        }
        if simulator.now() > 0 {
            return Err(CouplingError::NotNew { now: simulator.now() });
        }
        Ok(Plan { size, launches, links: shared(traffic, simulator) })
    }

    fn steps(&self) -> u64 {
        self.size.lookahead * u64::from(self.launches)
    }

    fn coupled<F>(self, traffic: &Traffic, simulator: Simulator, fluids: F, scheme: Scheme) -> Coupled<F> {
        let mut places = vec![ALONE; traffic.network().links().len()];
        for (place, &link) in (0..).zip(&self.links) {
            places[link as usize] = place;
        }
        Coupled {
            simulator,
            fluids,
            batch: Batch::new(picoseconds(self.size.step), self.steps(), self.links.len()),
            links: self.links,
            places,
            under_way: false,
            by_turns: scheme == Scheme::LockStep,
            failed: false,
            spent: Spent::default(),
        }
    }
}

/// The links that both fluids and packets take.
fn shared(traffic: &Traffic, simulator: &Simulator) -> Vec<u32> {
    let mut fluid = vec![false; traffic.network().links().len()];
    for (number, flow) in (0..).zip(traffic.flows().all()) {
        if flow.kind.fluid().is_some() {
            traffic.routes().links(number).iter().for_each(|&link| fluid[link as usize] = true);
        }
    }
    let mut links = simulator.links();
    links.retain(|&link| fluid[link as usize]);
    links
}

impl Coupled {
    /// An empty network, its fluids on a device and its packets on the host. The simulator is of the same traffic, at time 0; `size` is what [`Traffic::step`] gives, whose lookahead is the number of steps of a
    /// launch (a smaller one is possible).
    ///
    /// # Errors
    /// [`CouplingError`] for batches, steps and packets that do not fit, and where the fluids cannot be on the device.
    pub fn new(
        device: &Device,
        traffic: &Traffic,
        simulator: Simulator,
        size: StepSize,
        coupling: Coupling,
    ) -> Result<Self, CouplingError> {
        let plan = Plan::new(traffic, &simulator, size, coupling.scheme)?;
        let fluids = OnDevice::new(device, traffic, (plan.size, plan.launches), &coupling, &plan.links)?;
        Ok(plan.coupled(traffic, simulator, fluids, coupling.scheme))
    }

    /// The engine of the fluids, at the end of the last batch that was begun.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.fluids.engine()
    }
}

impl<'t> Coupled<OnHost<'t>> {
    /// The same with fluids on the host, one flow after the other: the paper's CPU-only variant. Nothing runs beside packets.
    ///
    /// # Errors
    /// [`CouplingError`] for batches, steps and packets that do not fit.
    pub fn on_host(
        traffic: &'t Traffic,
        simulator: Simulator,
        size: StepSize,
        coupling: Coupling,
    ) -> Result<Self, CouplingError> {
        let plan = Plan::new(traffic, &simulator, size, coupling.scheme)?;
        let fluids = OnHost::new(traffic, (plan.size, plan.steps()), coupling.rules, &plan.links);
        Ok(plan.coupled(traffic, simulator, fluids, coupling.scheme))
    }

    /// The fluids, as far as packets have asked for them.
    #[must_use]
    pub fn sequential(&self) -> &Sequential<'t> {
        self.fluids.sequential()
    }
}

impl<F: Fluids> Coupled<F> {
    /// Goes on until `end` (picoseconds), and no later than [`LONGEST`]. The fluids are then at the end of the batch in which that is; it is best to stop where batches end.
    ///
    /// # Errors
    /// [`CouplingError::Fluid`] where the fluids cannot go on; after that [`CouplingError::Over`].
    pub fn run_until(&mut self, end: u64) -> Result<(), CouplingError> {
        if self.failed {
            return Err(CouplingError::Over { now: self.simulator.now() });
        }
        let gone = self.go_on(end.min(picoseconds(LONGEST)));
        self.failed = gone.is_err();
        gone
    }

    fn go_on(&mut self, end: u64) -> Result<(), CouplingError> {
        while self.simulator.now() < end {
            if !self.under_way {
                let began = Instant::now();
                self.batch.begin(self.simulator.now());
                self.fluids.begin()?;
                self.spent.fluids += began.elapsed();
                self.under_way = true;
            }
            let until = end.min(self.batch.end());
            let ends = until == self.batch.end();
            self.packets(until, ends)?;
            if ends {
                self.join()?;
                self.under_way = false;
            }
        }
        Ok(())
    }

    /// Lets packets go on until a time of the batch.
    fn packets(&mut self, until: u64, ends: bool) -> Result<(), CouplingError> {
        let began = Instant::now();
        let last = self.batch.length() / self.batch.step() - 1;
        let Self { simulator, fluids, batch, places, .. } = self;
        let mut between = Between { fluids, batch, places, failure: None, waiting: Duration::ZERO };
        let shared = !self.links.is_empty();
        if self.by_turns && shared {
            between.fetch(last);
        }
        simulator.run_until(until, &mut between);
        if ends && shared {
            between.fetch(last);
        }
        let Between { failure, waiting, .. } = between;
        self.spent.waiting += waiting;
        self.spent.packets += began.elapsed().saturating_sub(waiting);
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// What is left of the packets that came joins the fluid, at the end of a batch.
    fn join(&mut self) -> Result<(), CouplingError> {
        let began = Instant::now();
        let Self { simulator, batch, .. } = self;
        let end = batch.end();
        let bytes = |(place, &link): (usize, &u32)| simulator.take_backlog(link, batch.drained(place, end));
        let bytes: Vec<u64> = self.links.iter().enumerate().map(bytes).collect();
        if bytes.iter().any(|bytes| *bytes > 0) {
            self.fluids.join(&bytes)?;
        }
        self.spent.fluids += began.elapsed();
        Ok(())
    }

    /// The packets.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Begins to count packets anew: what happened until now is a warm-up.
    pub fn forget(&mut self) {
        self.simulator.forget();
    }

    /// Measures fluids from now on, step by step, for [`means`](Self::means). Within a batch that is from its end on, or where fluids are on the host, from the last step that packets have asked for.
    ///
    /// # Errors
    /// Those of the fluids.
    pub fn measure(&mut self) -> Result<(), CouplingError> {
        Ok(self.fluids.measure()?)
    }

    /// Means of the fluids over the steps since measuring began; `None` if it did not, or there were none. Packets that came to a shared queue are part of its length from the next batch on.
    ///
    /// # Errors
    /// Those of the fluids.
    pub fn means(&self) -> Result<Option<Means>, CouplingError> {
        Ok(self.fluids.means()?)
    }

    /// The length of a batch, in picoseconds.
    #[must_use]
    pub fn batch(&self) -> u64 {
        self.batch.length()
    }

    /// The links whose queues are shared, in ascending order.
    #[must_use]
    pub fn shared_links(&self) -> &[u32] {
        &self.links
    }

    /// Every fluid flow at the end of the last batch that was begun.
    ///
    /// # Errors
    /// Those of the fluids.
    pub fn flows(&self) -> Result<Vec<FlowState>, CouplingError> {
        Ok(self.fluids.flows()?)
    }

    /// Every queue that a flow of fluids or the forward way of a flow of packets enters, at the same time. Where packets go on until the end of a batch, the packets that came to a shared queue are part of its length; queues that packets
    /// have for themselves are empty here, and known to the [`simulator`](Self::simulator).
    ///
    /// # Errors
    /// Those of the fluids.
    pub fn queues(&self) -> Result<Vec<QueueState>, CouplingError> {
        Ok(self.fluids.queues()?)
    }

    /// What the host spent its time on so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        let Aside { transfers, waiting } = self.fluids.aside();
        let Spent { fluids, packets, .. } = self.spent;
        Spent {
            fluids: fluids.saturating_sub(transfers + waiting),
            transfers,
            waiting: self.spent.waiting + waiting,
            packets,
        }
    }
}
