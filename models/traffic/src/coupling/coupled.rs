//! Hybrid simulation of fluids and packets, batch by batch.

use super::background::{ALONE, Between};
use super::batch::Batch;
use super::device::OnDevice;
use super::error::CouplingError;
use super::fluids::{Aside, Fluids};
use super::host::OnHost;
use super::ledger::Ledger;
use super::{Coupling, MAX_LAUNCHES, Scheme};
use crate::fluid::{Engine, FlowState, Means, QueueState, Sequential};
use crate::packet::clock::{self, picoseconds};
use crate::packet::{Backlog, Simulator};
use crate::units::LONGEST;
use crate::{StepSize, Traffic};
use imminent_core::Device;
use imminent_core::clock::Instant;
use std::time::Duration;

/// Fluids and packets that share queues, from time 0 on.
///
/// Determinism: `Reproducible`, as the fluids are; packets are exact.
#[derive(Debug, Clone)]
pub struct Coupled<F = OnDevice> {
    simulator: Simulator,
    fluids: F,
    /// Links with shared queues, in ascending order.
    links: Vec<u32>,
    /// For each link, its index in `links`, or [`ALONE`].
    places: Vec<u32>,
    batch: Batch,
    ledger: Ledger,
    under_way: bool,
    /// `true` if the host waits for a batch before it simulates packets.
    by_turns: bool,
    failed: bool,
    spent: Spent,
}

/// Time of the host by activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Time for enqueueing launches of the fluids. On the host it is the time of the computation itself.
    pub fluids: Duration,
    /// Time for enqueueing transfers from and to the fluids.
    pub transfers: Duration,
    /// Time spent waiting for transfers.
    pub waiting: Duration,
    /// Time for simulating packets.
    pub packets: Duration,
}

/// Step size, launches and shared links of a run.
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
        if !(1..=MAX_LAUNCHES).contains(&launches) {
            return Err(CouplingError::Batch { batch: launches, most: MAX_LAUNCHES });
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
            ledger: Ledger::new(traffic, &self.links),
            links: self.links,
            places,
            under_way: false,
            by_turns: scheme == Scheme::LockStep,
            failed: false,
            spent: Spent::default(),
        }
    }
}

/// Finds the links that both fluids and packets use.
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
    /// Creates an empty network with its fluids on a device and its packets on the host. The simulator must belong to
    /// the same traffic and be at time 0. `size` comes from [`Traffic::step`]; its lookahead, which may be reduced, is
    /// the number of steps per launch.
    ///
    /// # Errors
    /// [`CouplingError`] for a batch, step size or simulator that does not fit, and if the device cannot hold the
    /// fluids.
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

    /// Returns the engine of the fluids, at the end of the last batch that was begun.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.fluids.engine()
    }
}

impl<'t> Coupled<OnHost<'t>> {
    /// Creates an empty network with fluids on the host, one flow after the other: the paper's CPU-only variant.
    /// Nothing runs concurrently with packets.
    ///
    /// # Errors
    /// [`CouplingError`] for a batch, step size or simulator that does not fit.
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

    /// Returns the fluids at the last step that packets asked for.
    #[must_use]
    pub fn sequential(&self) -> &Sequential<'t> {
        self.fluids.sequential()
    }
}

impl<F: Fluids> Coupled<F> {
    /// Simulates until `end` (picoseconds), at most until [`LONGEST`]. The fluids are then at the end of the batch that
    /// contains `end`. It is best to stop at the end of a batch.
    ///
    /// # Errors
    /// [`CouplingError::Fluid`] if the fluids cannot advance; after that [`CouplingError::Over`].
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

    /// Simulates packets until a time in the batch.
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

    /// Adds the remaining bytes of packets to the fluid, at the end of a batch.
    fn join(&mut self) -> Result<(), CouplingError> {
        let began = Instant::now();
        let Self { simulator, batch, ledger, .. } = self;
        let bytes = |(place, &link): (usize, &u32)| {
            let Backlog { waiting, left } = simulator.take_backlog(link, batch.drained(place, batch.end()));
            ledger.add(batch.begun(), place, left, (batch.last_length(place), waiting));
            waiting
        };
        let bytes: Vec<u64> = self.links.iter().enumerate().map(bytes).collect();
        if bytes.iter().any(|bytes| *bytes > 0) {
            self.fluids.join(&bytes)?;
        }
        self.spent.fluids += began.elapsed();
        Ok(())
    }

    /// Returns the packet simulator.
    #[must_use]
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// Resets the counters of packets at the end of a warm-up.
    pub fn forget(&mut self) {
        self.simulator.forget();
    }

    /// Measures fluids step by step from now on, for [`means`](Self::means). Within a batch, measuring starts at its
    /// end. For fluids on the host, it starts at the last step that packets asked for.
    ///
    /// # Errors
    /// Errors of the fluids.
    pub fn measure(&mut self) -> Result<(), CouplingError> {
        self.ledger.restart(if self.under_way { self.batch.end() } else { self.simulator.now() });
        Ok(self.fluids.measure()?)
    }

    /// Returns means of the fluids over the steps since measuring began, or `None` without such steps. Packets that
    /// came to a shared queue are part of its length from the next batch on. The used share of its bandwidth includes
    /// them, and its losses include fluid that was cut off when packets joined. Arrivals are those of fluids.
    ///
    /// # Errors
    /// Errors of the fluids.
    pub fn means(&self) -> Result<Option<Means>, CouplingError> {
        let mut means = self.fluids.means()?;
        if let Some(means) = &mut means {
            let step = clock::seconds(self.batch.step());
            self.ledger.complete(means, means.steps as f64 * step);
        }
        Ok(means)
    }

    /// Length of a batch, in picoseconds.
    #[must_use]
    pub fn batch(&self) -> u64 {
        self.batch.length()
    }

    /// Links with shared queues, in ascending order.
    #[must_use]
    pub fn shared_links(&self) -> &[u32] {
        &self.links
    }

    /// Returns every fluid flow at the end of the last batch that was begun.
    ///
    /// # Errors
    /// Errors of the fluids.
    pub fn flows(&self) -> Result<Vec<FlowState>, CouplingError> {
        Ok(self.fluids.flows()?)
    }

    /// Returns every queue that fluids, or the forward path of packets, enter, at the end of the last batch that was
    /// begun. If packets have reached the end of a batch, those that came to a shared queue are part of its length.
    /// Queues that only packets enter are empty here; the [`simulator`](Self::simulator) knows their length.
    ///
    /// # Errors
    /// Errors of the fluids.
    pub fn queues(&self) -> Result<Vec<QueueState>, CouplingError> {
        Ok(self.fluids.queues()?)
    }

    /// Returns the host's time so far by activity.
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
