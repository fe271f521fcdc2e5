//! Processing of events.

use super::super::agenda::{Event, Moment};
use super::super::background::Background;
use super::super::clock::{exponential, picoseconds};
use super::super::connection::Role;
use super::super::counts::FlowCounts;
use super::super::port::Fate;
use super::super::queue::Signals;
use super::super::wire::{Cargo, Ecn, Packet};
use super::Simulator;
use crate::network::{Flow, Kind};
use crate::units::LONGEST;
use imminent_common::streams::split_mix;
use rand_core::Rng as _;

impl Simulator {
    /// Processes all events before `end` (picoseconds), at most until [`LONGEST`].
    pub fn run_until<B: Background>(&mut self, end: u64, background: &mut B) {
        let end = end.min(picoseconds(LONGEST));
        while let Some((moment, event)) = self.agenda.next_before(end) {
            self.now = moment.time;
            self.events += 1;
            self.happen(moment, event, background);
        }
        self.now = self.now.max(end);
    }

    fn happen<B: Background>(&mut self, moment: Moment, event: Event, background: &mut B) {
        match event {
            Event::Arrival(link) => self.arrive(link, moment, background),
            // A failure ends the sending of a packet before its time.
            Event::Sent(link) if self.ports[link as usize].sending != Some(moment) => {}
            Event::Sent(link) => self.serve(link),
            Event::Fail(link) => self.fail(link),
            Event::Restore(link) => self.ports[link as usize].is_down = false,
            Event::Reroute(number) => self.reroute(number),
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
    fn arrive<B: Background>(&mut self, link: u32, moment: Moment, background: &mut B) {
        let wire = &mut self.wires[link as usize];
        // A failure takes packets away before they arrive.
        let Some((_, mut packet)) = wire.pop_front_if(|(arrival, _)| *arrival == moment) else { return };
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
    fn enter<B: Background>(&mut self, mut packet: Packet, background: &mut B) {
        let Some(&link) = self.paths.links.get(packet.at as usize) else { return };
        let influence = background.influence(link, self.now);
        let port = &mut self.ports[link as usize];
        if port.is_down {
            port.refuse(self.now, packet.bytes);
            return self.count(&packet, FlowCounts::fail);
        }
        let drops = self.drops;
        let uniform =
            |number| (split_mix(split_mix(drops, u64::from(link)), number) >> 11) as f64 / (1_u64 << 53) as f64;
        if port.is_managed() {
            let hash = split_mix(split_mix(self.hashes, u64::from(link)), packet.key());
            let mut signals = Signals::default();
            let is_idle = port.join(self.now, (packet, hash), (influence.drop, uniform), &mut signals);
            self.drop_all(&signals);
            if is_idle {
                self.serve(link);
            }
            return;
        }
        let fate = if background.shares(link) {
            port.shared(self.now, packet.bytes, influence, uniform)
        } else {
            port.alone(self.now, (packet.bytes, packet.ecn != Ecn::Incapable), influence.drop, uniform)
        };
        if let Fate::Marked(_) = fate {
            packet.mark();
        }
        self.follow(link, packet, fate);
    }

    /// Has a link send the next packet of its managed queue.
    fn serve(&mut self, link: u32) {
        let mut signals = Signals::default();
        let port = &mut self.ports[link as usize];
        let taken = port.take(self.now, &mut signals);
        if let Some((packet, end)) = taken {
            let fate = Fate::Arrives(port.arrival(end));
            let sent = self.agenda.moment(end);
            port.sending = Some(sent);
            self.agenda.put(sent, Event::Sent(link));
            self.follow(link, packet, fate);
        } else {
            port.sending = None;
        }
        self.drop_all(&signals);
    }

    /// Lets a packet meet its fate at a link, or a loss on it.
    fn follow(&mut self, link: u32, packet: Packet, fate: Fate) {
        let losses = self.losses;
        let draw = |number| split_mix(split_mix(losses, u64::from(link)), number);
        match self.ports[link as usize].sent(fate, packet.bytes, draw) {
            Fate::Arrives(time) | Fate::Marked(time) => {
                let moment = self.agenda.moment(time);
                let wire = &mut self.wires[link as usize];
                if wire.is_empty() {
                    self.agenda.put(moment, Event::Arrival(link));
                }
                wire.push_back((moment, packet));
            }
            Fate::Dropped => self.count(&packet, FlowCounts::drop),
            Fate::Lost => self.count(&packet, FlowCounts::lose),
        }
    }

    /// Has a link lose all that it carries and all that waits for it.
    fn fail(&mut self, link: u32) {
        let under_way = std::mem::take(&mut self.wires[link as usize]);
        let waiting = self.ports[link as usize].fail(self.now, under_way.len() as u64);
        for packet in under_way.into_iter().map(|(_, packet)| packet).chain(waiting) {
            self.count(&packet, FlowCounts::fail);
        }
    }

    /// Gives flows the paths of a change. Packets under way keep theirs.
    fn reroute(&mut self, number: u32) {
        let Some(change) = self.paths.changes.get(number as usize) else { return };
        for &(index, ways) in change.paths.iter() {
            if let Some(current) = self.current.get_mut(index as usize) {
                *current = ways;
            }
        }
    }

    /// Counts a packet that does not arrive, if it was sent since counting began: others are not among those sent.
    fn count(&mut self, packet: &Packet, cause: fn(&mut FlowCounts, Cargo)) {
        if packet.born >= self.since {
            let flow = self.flow_of_packet(packet);
            cause(&mut self.counts[flow], packet.cargo);
        }
    }

    /// Counts the packets that a managed queue dropped.
    fn drop_all(&mut self, signals: &Signals) {
        for (_, packet) in &signals.dropped {
            self.count(packet, FlowCounts::drop);
        }
    }

    fn flow_of_packet(&self, packet: &Packet) -> usize {
        let flow = match packet.cargo {
            Cargo::Datagram => self.sources[packet.owner as usize].flow,
            Cargo::Data { .. } | Cargo::Ack(..) => self.connections[packet.owner as usize].flow,
        };
        flow as usize
    }

    /// Delivers a packet at the end of its path.
    fn deliver<B: Background>(&mut self, packet: Packet, background: &mut B) {
        let (flow, delay, owner) = (self.flow_of_packet(&packet), self.now - packet.born, packet.owner);
        match packet.cargo {
            Cargo::Datagram => self.counts[flow].receive(delay, Some(packet.bytes)),
            Cargo::Ack(of) => {
                self.counts[flow].acks_received += 1;
                let connection = &mut self.connections[owner as usize];
                connection.sender.acknowledge(of, self.now, &self.tcp[flow]);
                self.pump(owner, background);
            }
            Cargo::Data { number, reduced } => {
                let connection = &mut self.connections[owner as usize];
                let is_marked = packet.ecn == Ecn::Marked;
                connection.receiver.notice(reduced, is_marked, packet.born);
                self.counts[flow].marked += u64::from(is_marked);
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
            let (flow, way) = (state.flow as usize, (state.paths, state.way));
            let bytes = state.bytes(segment.number, self.packet);
            self.counts[flow].send(segment.again);
            let cargo = Cargo::Data { number: segment.number, reduced: segment.reduced };
            // RFC 3168, section 6.1.5: packets that are sent again are dropped as others.
            let ecn = if self.tcp[flow].ecn && !segment.again { Ecn::Capable } else { Ecn::Incapable };
            self.send(connection, (cargo, ecn), bytes, flow, way, background);
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
        let (flow, way) = (state.flow as usize, (state.paths, 1 - state.way));
        let cargo = Cargo::Ack(state.receiver.acknowledgement());
        self.counts[flow].acks += 1;
        self.send(connection, (cargo, Ecn::Incapable), self.settings.tcp.ack, flow, way, background);
    }

    fn emit<B: Background>(&mut self, source: u32, background: &mut B) {
        let state = &mut self.sources[source as usize];
        let (flow, way) = (state.flow as usize, (state.paths, 0));
        let (bytes, next) = (state.bytes(), state.next(self.now));
        if next < picoseconds(self.flows[flow].stop) {
            self.agenda.add(next, Event::Emission(source));
        }
        self.counts[flow].send(false);
        self.send(source, (Cargo::Datagram, Ecn::Incapable), bytes, flow, way, background);
    }

    fn send<B: Background>(
        &mut self,
        owner: u32,
        (cargo, ecn): (Cargo, Ecn),
        bytes: u32,
        flow: usize,
        (paths, direction): (u32, usize),
        background: &mut B,
    ) {
        let Some(path) = self.current[paths as usize][direction] else {
            return self.counts[flow].fail(cargo);
        };
        self.enter(Packet { owner, bytes, cargo, ecn, born: self.now, at: path.start, end: path.end }, background);
    }
}
