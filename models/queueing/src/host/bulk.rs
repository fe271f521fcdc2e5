//! Service of several tokens at once.

use super::calendar::Calendar;
use super::facility::Facility;
use crate::network::BulkInTicks;

impl Facility<'_> {
    /// Starts the batches that free servers can serve now.
    pub(super) fn start_batches(&mut self, bulk: BulkInTicks, now: u64, calendar: &mut Calendar) {
        while self.pools.any_free() && self.is_batch_ready(bulk, now) {
            // The first token takes the server, and the others the length of its service.
            let mut length = None;
            for _ in 0..bulk.most {
                let Self { line, streams, .. } = self;
                let choose = |number: usize| ((u64::from(streams.choice()) * number as u64) >> 32) as usize;
                let Some(waiting) = line.take(|_| true, choose) else { break };
                length = Some(self.start(waiting, 0, length, now, calendar));
            }
        }
    }

    /// Returns `true` if enough tokens wait for a batch, or one has waited as long as it may.
    fn is_batch_ready(&self, bulk: BulkInTicks, now: u64) -> bool {
        let waiting = self.line.len();
        // Fewer than the least number are looked at, so this is short.
        let has_waited = |wait: u64| self.line.iter().any(|one| one.token.arrived.saturating_add(wait) <= now);
        waiting >= bulk.least as usize || (waiting > 0 && bulk.wait.is_some_and(has_waited))
    }
}
