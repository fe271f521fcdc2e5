//! One worker thread and its nodes.

use super::servers::{Log, Mark};
use crate::calendar::{LOOK_AHEAD, Today, Year};
use crate::kernels::server::Server;

/// Token in flight: arrival time and node.
pub(super) type Token = (u64, u32);

/// Some of the nodes, their pending arrivals, and the changes since the last checkpoint.
pub(super) struct Partition<'a> {
    pub(super) servers: &'a mut [Server],
    /// Number of the first node.
    pub(super) first: u32,
    /// Targets of the edges of the network.
    pub(super) targets: &'a [u32],
    pub(super) horizon: u64,
    pub(super) year: Year,
    /// Number of the current time window.
    pub(super) number: u64,
    /// End of the current window, in ticks.
    pub(super) end: u64,
    /// Arrivals of the current window, in order of time.
    pub(super) window: Vec<u64>,
    /// Number of these arrivals that have been processed.
    at: usize,
    /// Arrivals in the current window that were made after it began.
    today: Today,
    pub(super) log: Log,
    /// Tokens that arrive after the window.
    pub(super) sent: Vec<Token>,
    /// Stragglers: tokens that come to other workers' nodes in this window.
    pub(super) stragglers: Vec<Token>,
    /// Stations that served since the checkpoint, in their previous state.
    undo: Vec<Server>,
    checkpoint: Checkpoint,
}

#[derive(Default)]
struct Checkpoint {
    at: usize,
    today: Vec<u64>,
    log: Mark,
    sent: usize,
}

impl<'a> Partition<'a> {
    pub(super) fn new(servers: &'a mut [Server], first: u32, targets: &'a [u32], horizon: u64, year: Year) -> Self {
        Self {
            servers,
            first,
            targets,
            horizon,
            year,
            number: 0,
            end: 0,
            window: Vec::new(),
            at: 0,
            today: Today::default(),
            log: Log::default(),
            sent: Vec::new(),
            stragglers: Vec::new(),
            undo: Vec::new(),
            checkpoint: Checkpoint::default(),
        }
    }

    /// Returns `true` if the worker owns a node.
    #[inline(always)]
    pub(super) fn owns(&self, node: u32) -> bool {
        (node.wrapping_sub(self.first) as usize) < self.servers.len()
    }

    /// Processes an arrival.
    #[inline(always)]
    pub(super) fn arrive(&mut self, arrival: u64, node: u32) {
        let Some(server) = self.servers.get_mut(node.wrapping_sub(self.first) as usize) else { return };
        self.undo.push(*server);
        let Some((time, to)) = self.log.serve(server, arrival, self.horizon, self.targets) else { return };
        // Tokens of later windows wait until this one is certain, whoever owns their nodes: they may be rolled back.
        if time >= self.end {
            self.sent.push((time, to));
        } else if self.owns(to) {
            self.today.insert(self.year.encode(time, to));
        } else {
            self.stragglers.push((time, to));
        }
    }

    /// Begins a window.
    pub(super) fn begin_window(&mut self, number: u64) {
        self.year.open(number, &mut self.window);
        (self.number, self.end, self.at) = (number, self.year.end_of(number), 0);
        self.make_checkpoint();
    }

    /// Inserts a token that arrives in the current window.
    pub(super) fn receive(&mut self, (time, node): Token) {
        self.today.insert(self.year.encode(time, node));
    }

    /// Processes the arrivals of the window that come before a time.
    pub(super) fn advance(&mut self, until: u64) {
        // Events of one time are ordered by node, so the code of node 0 is before all of them.
        let bound = if until < self.end { self.year.encode(until, 0) } else { u64::MAX };
        let window = std::mem::take(&mut self.window);
        while let Some(&event) = window.get(self.at)
            && event < bound
        {
            if self.at.is_multiple_of(LOOK_AHEAD) {
                self.look_ahead(window.get(self.at..).unwrap_or_default());
            }
            while let Some(inserted) = self.today.pop_before(event) {
                self.process(inserted);
            }
            self.at += 1;
            self.process(event);
        }
        self.window = window;
        while let Some(inserted) = self.today.pop_before(bound) {
            self.process(inserted);
        }
    }

    #[inline(always)]
    fn process(&mut self, event: u64) {
        let (time, node) = self.year.decode(self.number, event);
        self.arrive(time, node);
    }

    /// Reads the data that the next arrivals need, all at once, to overlap memory latencies.
    fn look_ahead(&self, events: &[u64]) {
        let mix = events.iter().take(LOOK_AHEAD).fold(0, |mix, &event| {
            let server = self.servers.get((event as u32).wrapping_sub(self.first) as usize);
            mix ^ server.and_then(|server| self.targets.get(server.first_target as usize)).copied().unwrap_or(0)
        });
        // The value is not used; `black_box` keeps the compiler from removing the reads.
        std::hint::black_box(mix);
    }

    /// Makes a checkpoint.
    pub(super) fn make_checkpoint(&mut self) {
        self.undo.clear();
        let kept = &mut self.checkpoint;
        (kept.at, kept.log, kept.sent) = (self.at, self.log.mark(), self.sent.len());
        kept.today.clear();
        kept.today.extend(self.today.iter());
    }

    /// Rolls back to the last checkpoint.
    pub(super) fn roll_back(&mut self) {
        // A station that served several times is in the list several times: its oldest state is written last.
        for server in self.undo.drain(..).rev() {
            if let Some(place) = self.servers.get_mut((server.node - self.first) as usize) {
                *place = server;
            }
        }
        let kept = &self.checkpoint;
        self.at = kept.at;
        self.log.back_to(kept.log);
        self.sent.truncate(kept.sent);
        self.stragglers.clear();
        self.today.replace(&kept.today);
    }

    /// Returns the time of the first token that this worker sent to another in this window; the greatest time if there
    /// is none.
    pub(super) fn first_straggler(&self) -> u64 {
        self.stragglers.iter().map(|(time, _)| *time).min().unwrap_or(u64::MAX)
    }
}
