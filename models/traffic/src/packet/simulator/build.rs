//! Construction of a simulator at time 0 from traffic.

use super::super::agenda::{Agenda, Event};
use super::super::clock::{exponential, picoseconds};
use super::super::connection::{Connection, Role};
use super::super::counts::FlowCounts;
use super::super::error::PacketError;
use super::super::paths::Paths;
use super::super::port::Port;
use super::super::sessions::sessions_of;
use super::super::source::Source;
use super::super::tcp::TcpRules;
use super::super::wire::Wire;
use super::{Settings, Simulator};
use crate::Traffic;
use crate::network::{Flow, Kind, OwnTcp};
use crate::units::NEVER;
use imminent_common::streams::{StreamKey, split_mix};
use rand_core::Rng as _;
use std::sync::Arc;

impl Simulator {
    /// Creates the simulator of some traffic at time 0. Fluid flows and sessions are ignored.
    ///
    /// # Errors
    /// [`PacketError`] for flows without a path back, queues that take no acknowledgement, settings out of range, and
    /// too many sessions.
    pub fn new(traffic: &Traffic, settings: Settings) -> Result<Self, PacketError> {
        let paths = Paths::of(traffic, &settings.tcp, settings.seed, NEVER)?;
        Ok(Self::along(Arc::new(paths), traffic, settings))
    }

    /// Creates the simulator of some traffic along paths that were found for it, and for its seed if there is ECMP.
    pub(crate) fn along(paths: Arc<Paths>, traffic: &Traffic, settings: Settings) -> Self {
        let (network, packet) = (traffic.network().clone(), traffic.tcp().packet);
        let flows: Vec<Flow> = paths.flows.iter().map(|&flow| traffic.flows().all()[flow as usize]).collect();
        let own: Vec<OwnTcp> = paths.flows.iter().map(|&flow| traffic.flows().tcp(flow)).collect();
        let tcp: Vec<TcpRules> = own.iter().map(|own| settings.tcp.of_flow(own)).collect();
        let connections =
            flows.iter().filter(|flow| flow.kind.is_tcp()).map(|flow| sessions_of(flow.kind)).sum::<u64>();
        let mut simulator = Self {
            settings,
            packet,
            now: 0,
            since: 0,
            events: 0,
            drops: split_mix(settings.seed, 1),
            losses: split_mix(settings.seed, 2),
            hashes: split_mix(settings.seed, 3),
            agenda: Agenda::default(),
            ports: network.links().iter().map(|link| Port::new(link, packet)).collect(),
            wires: vec![Wire::new(); network.links().len()],
            labels: paths.flows.iter().map(|&flow| traffic.flows().label(flow)).collect(),
            counts: vec![FlowCounts::default(); flows.len()],
            tcp,
            network,
            current: paths.initial.clone(),
            paths,
            flows,
            connections: Vec::with_capacity(connections as usize),
            sources: vec![],
        };
        for failure in traffic.failures().all() {
            simulator.agenda.add(picoseconds(failure.start), Event::Fail(failure.link));
            simulator.agenda.add(picoseconds(failure.stop), Event::Restore(failure.link));
        }
        for (change, number) in simulator.paths.changes.iter().zip(0..) {
            simulator.agenda.add(change.time, Event::Reroute(number));
        }
        for ((number, flow), own) in (0..).zip(simulator.flows.clone()).zip(own) {
            simulator.begin(number, flow, own.bytes, traffic.tcp().window);
        }
        simulator
    }

    /// Adds the sessions of a flow and their first events.
    fn begin(&mut self, number: u32, flow: Flow, bytes: Option<u64>, window: u32) {
        let (key, start) = (StreamKey::new(self.settings.seed, 0), picoseconds(flow.start));
        match flow.kind {
            Kind::Tcp { packets, .. } => {
                let role = bytes.map_or(Role::Bulk, |bytes| Role::Transfer { bytes });
                for session in 0..packets {
                    let connection = self.connect((number, session), role, window, key);
                    let word = u128::from(self.connections[connection as usize].rng.next_u32());
                    let wait = ((word * u128::from(self.settings.stagger)) >> 32) as u64;
                    self.agenda.add(start.saturating_add(wait), Event::Start(connection));
                }
            }
            Kind::Requests { clients, think, .. } => {
                for client in 0..clients {
                    let requests = self.connections.len() as u32;
                    self.connect((number, client), Role::Requests { answers: requests + 1 }, window, key);
                    self.connect((number, client), Role::Answers { requests }, window, key);
                    // A client also waits for its think time before its first request.
                    let word = self.connections[requests as usize].rng.next_u32();
                    let time = start.saturating_add(exponential(word, picoseconds(think)));
                    if time < picoseconds(flow.stop) {
                        self.agenda.add(time, Event::Request(requests));
                    }
                }
            }
            kind => {
                let source = self.sources.len() as u32;
                let rng = key.choice(source).generator();
                let paths = self.paths.index(number, 0);
                if let Some(mut made) = Source::new((number, paths), kind, start, self.packet, rng) {
                    let first = made.first();
                    if first < picoseconds(flow.stop) {
                        self.agenda.add(first, Event::Emission(source));
                    }
                    self.sources.push(made);
                }
            }
        }
    }

    fn connect(&mut self, (flow, session): (u32, u32), role: Role, window: u32, key: StreamKey) -> u32 {
        let number = self.connections.len() as u32;
        let of = (flow, self.paths.index(flow, session));
        self.connections.push(Connection::new(number, of, role, &self.tcp[flow as usize], window, key));
        number
    }
}
