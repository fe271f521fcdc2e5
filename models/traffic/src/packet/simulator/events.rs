//! Processing of events.

use super::super::agenda::Event;
use super::super::background::Background;
use super::super::clock::{exponential, picoseconds};
use super::super::connection::Role;
use super::super::port::Fate;
use super::super::wire::{Cargo, Packet};
use super::Simulator;
use crate::network::{Flow, Kind};
use crate::units::LONGEST;
use imminent_common::streams::split_mix;
use rand_core::Rng as _;

impl Simulator {
    /// Processes all events before `end` (picoseconds), at most until [`LONGEST`].
    pub fn run_until<B: Background>(&mut self, end: u64, background: &mut B) {
        let end = end.min(picoseconds(LONGEST));
        while let Some((time, event)) = self.agenda.next_before(end) {
            self.now = time;
            self.events += 1;
            self.happen(event, background);
        }
        self.now = self.now.max(end);
    }

    fn happen<B: Background>(&mut self, event: Event, background: &mut B) {
        match event {
            Event::Arrival(link) => self.arrive(link, background),
            Event::Start(connection) => {
                let (packet, state) = (self.packet, &mut self.connections[connection as usize]);
                state.began = self.now;
                match state.role {
                    Role::Transfer { bytes } => state.offer(bytes, packet),
                    _ => state.sender.offer(u64::MAX),
                }
                self.pump(connection, background);
            }
            Event::Timer(connection) => self.timer(connection, background),
            Event::Acknowledge(connection) => {
                if self.connections[connection as usize].receiver.deadline() == Some(self.now) {
                    self.acknowledge(connection, background);
                }
            }
            Event::Emission(source) => self.emit(source, background),
            Event::Request(connection) => {
                if let Kind::Requests { request, .. } = self.flow_of(connection).kind {
                    self.connections[connection as usize].offer(request.into(), self.packet);
                    self.pump(connection, background);
                }
            }
        }
    }

    fn flow_of(&self, connection: u32) -> Flow {
        self.flows[self.connections[connection as usize].flow as usize]
    }

    /// Processes the arrival of the first packet on a link at its end.
    fn arrive<B: Background>(&mut self, link: u32, background: &mut B) {
        let wire = &mut self.wires[link as usize];
        let Some((_, mut packet)) = wire.pop_front() else { return };
        if let Some((moment, _)) = wire.front() {
            self.agenda.put(*moment, Event::Arrival(link));
        }
        packet.at += 1;
        if packet.at < packet.end {
            self.enter(packet, background);
        } else {
            self.deliver(packet, background);
        }
    }

    /// Moves a packet to the queue of its next link.
    fn enter<B: Background>(&mut self, packet: Packet, background: &mut B) {
        let Some(&link) = self.paths.links.get(packet.at as usize) else { return };
        let influence = background.influence(link, self.now);
        let port = &mut self.ports[link as usize];
        let (drops, losses) = (self.drops, self.losses);
        let uniform =
            |number| (split_mix(split_mix(drops, u64::from(link)), number) >> 11) as f64 / (1_u64 << 53) as f64;
        let fate = if background.shares(link) {
            port.shared(self.now, packet.bytes, influence, uniform)
        } else {
            port.alone(self.now, packet.bytes, influence.drop, uniform)
        };
        let bytes = packet.bytes;
        match port.sent(fate, bytes, |number| split_mix(split_mix(losses, u64::from(link)), number)) {
            Fate::Arrives(time) => {
                let moment = self.agenda.moment(time);
                let wire = &mut self.wires[link as usize];
                if wire.is_empty() {
                    self.agenda.put(moment, Event::Arrival(link));
                }
                wire.push_back((moment, packet));
            }
            Fate::Dropped => {
                let flow = self.flow_of_packet(&packet);
                self.counts[flow].drop(packet.cargo);
            }
            Fate::Lost => {
                let flow = self.flow_of_packet(&packet);
                self.counts[flow].lose(packet.cargo);
            }
        }
    }

    fn flow_of_packet(&self, packet: &Packet) -> usize {
        let flow = match packet.cargo {
            Cargo::Datagram => self.sources[packet.owner as usize].flow,
            Cargo::Data(_) | Cargo::Ack(..) => self.connections[packet.owner as usize].flow,
        };
        flow as usize
    }

    /// Delivers a packet at the end of its path.
    fn deliver<B: Background>(&mut self, packet: Packet, background: &mut B) {
        let (flow, delay, owner) = (self.flow_of_packet(&packet), self.now - packet.born, packet.owner);
        match packet.cargo {
            Cargo::Datagram => self.counts[flow].receive(delay, Some(packet.bytes)),
            Cargo::Ack(number, blocks) => {
                self.counts[flow].acks_received += 1;
                let connection = &mut self.connections[owner as usize];
                connection.sender.acknowledge(number, blocks, self.now, &self.tcp[flow]);
                self.pump(owner, background);
            }
            Cargo::Data(number) => {
                let connection = &mut self.connections[owner as usize];
                let (new, at_once) = connection.receiver.receive(number, self.now, &self.tcp[flow]);
                let (due, complete) = (connection.receiver.deadline(), new && connection.complete());
                self.counts[flow].receive(delay, new.then_some(packet.bytes));
                if at_once {
                    self.acknowledge(owner, background);
                } else if let Some(due) = due {
                    self.agenda.add(due, Event::Acknowledge(owner));
                }
                if complete {
                    self.complete(owner, background);
                }
            }
        }
    }

    /// Handles a completely received request or response.
    fn complete<B: Background>(&mut self, connection: u32, background: &mut B) {
        let (flow, state) = (self.flow_of(connection), &self.connections[connection as usize]);
        if let Role::Transfer { .. } = state.role {
            self.counts[state.flow as usize].complete(self.now - state.began);
        }
        let Kind::Requests { answer, think, .. } = flow.kind else { return };
        match state.role {
            Role::Bulk | Role::Transfer { .. } => {}
            Role::Requests { answers } => {
                self.connections[answers as usize].offer(answer.into(), self.packet);
                self.pump(answers, background);
            }
            Role::Answers { requests } => {
                let index = self.connections[connection as usize].flow as usize;
                self.counts[index].answers += 1;
                let word = self.connections[requests as usize].rng.next_u32();
                let time = self.now.saturating_add(exponential(word, picoseconds(think)));
                if time < picoseconds(flow.stop) {
                    self.agenda.add(time, Event::Request(requests));
                }
            }
        }
    }

    /// Sends all packets that a connection may send now, and schedules its timer. After the end of the flow nothing is
    /// sent.
    fn pump<B: Background>(&mut self, connection: u32, background: &mut B) {
        if self.now >= picoseconds(self.flow_of(connection).stop) {
            return;
        }
        loop {
            let state = &mut self.connections[connection as usize];
            let Some(segment) = state.sender.next(self.now, &self.tcp[state.flow as usize]) else { break };
            let (flow, way, bytes) = (state.flow as usize, state.way, state.bytes(segment.number, self.packet));
            self.counts[flow].send(segment.again);
            self.send(connection, Cargo::Data(segment.number), bytes, flow, way, background);
        }
        let state = &mut self.connections[connection as usize];
        if let Some(due) = state.sender.deadline().filter(|due| state.armed.is_none_or(|armed| *due < armed)) {
            state.armed = Some(due);
            self.agenda.add(due, Event::Timer(connection));
        }
    }

    /// Handles a retransmission timer, unless it was reset.
    fn timer<B: Background>(&mut self, connection: u32, background: &mut B) {
        let now = self.now;
        let stopped = now >= picoseconds(self.flow_of(connection).stop);
        let state = &mut self.connections[connection as usize];
        if state.armed != Some(now) || stopped {
            return;
        }
        state.armed = None;
        if state.sender.deadline().is_some_and(|due| due <= now) {
            state.sender.expire(now, &self.tcp[state.flow as usize]);
            self.counts[state.flow as usize].timeouts += 1;
        }
        self.pump(connection, background);
    }

    fn acknowledge<B: Background>(&mut self, connection: u32, background: &mut B) {
        let state = &mut self.connections[connection as usize];
        state.receiver.acknowledged();
        let (flow, way, next) = (state.flow as usize, 1 - state.way, state.receiver.next());
        let cargo = Cargo::Ack(next, state.receiver.blocks());
        self.counts[flow].acks += 1;
        self.send(connection, cargo, self.settings.tcp.ack, flow, way, background);
    }

    fn emit<B: Background>(&mut self, source: u32, background: &mut B) {
        let state = &mut self.sources[source as usize];
        let (flow, bytes, next) = (state.flow as usize, state.bytes(), state.next(self.now));
        if next < picoseconds(self.flows[flow].stop) {
            self.agenda.add(next, Event::Emission(source));
        }
        self.counts[flow].send(false);
        self.send(source, Cargo::Datagram, bytes, flow, 0, background);
    }

    fn send<B: Background>(
        &mut self,
        owner: u32,
        cargo: Cargo,
        bytes: u32,
        flow: usize,
        direction: usize,
        background: &mut B,
    ) {
        let path = self.paths.of_flows[flow][direction];
        self.enter(Packet { owner, bytes, cargo, born: self.now, at: path.start, end: path.end }, background);
    }
}
