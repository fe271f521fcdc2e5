//! Times and sizes of a source's emissions.

use super::facility::Facility;
use super::line::Job;
use super::serving::Serving;
use super::streams::Purpose;
use super::token::Token;
use crate::network::Timetable;

/// An emission to come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Emitted {
    pub(super) time: u64,
    /// Class of the first token.
    pub(super) class: u32,
    /// First row of a table of arrivals.
    pub(super) row: Option<u32>,
}

impl Facility<'_> {
    /// Returns the next emission with its random words; `None` if there is none.
    pub(super) fn next_emission(&mut self, now: u64) -> Option<(Job, Emitted)> {
        if let Some(replay) = self.conduct.emission.replay.clone() {
            let row = self.next_row;
            let mut rows = replay.emission(row);
            let (_, first) = rows.next()?;
            self.next_row = row + 1 + rows.count() as u32;
            // A source that was held up emits in the next tick those that are late.
            let is_first_start = row == 0 && now == 0;
            let time = first.time.max(if is_first_start { 0 } else { now + 1 });
            return Some((self.draw(first.class), Emitted { time, class: first.class, row: Some(row) }));
        }
        let class = self.network.source_class(self.node).unwrap_or(0);
        let job = self.draw(class);
        let time = self.time_to_emission(job.length, now)?.checked_add(now)?;
        Some((job, Emitted { time, class, row: None }))
    }

    /// Returns the tokens of an emission that leaves the source, and counts them.
    pub(super) fn emit(&mut self, serving: &Serving) -> Vec<Token> {
        let token = &serving.token;
        let replay = self.conduct.emission.replay.clone();
        let tokens: Vec<Token> = match replay.zip(token.row) {
            Some((replay, first)) => {
                let of_row = |(row, of): (u32, crate::network::RowInTicks)| {
                    let token = Token { class: of.class, row: Some(row), ..token.clone() };
                    std::iter::repeat_n(token, of.tokens as usize)
                };
                replay.emission(first).flat_map(of_row).collect()
            }
            None => vec![token.clone(); self.batch_size() as usize],
        };
        self.counts.emit(token.class, tokens.iter().map(|token| token.class));
        tokens
    }

    /// Returns the time from `now` to the next emission, for a time between emissions at the full rate; `None` if
    /// nothing is emitted any more.
    pub(super) fn time_to_emission(&mut self, drawn: u64, now: u64) -> Option<u64> {
        let needed = if self.conduct.emission.phases.is_empty() { drawn } else { self.time_by_phases() };
        match &self.conduct.emission.rates {
            None => Some(needed),
            Some(rates) => passed(rates, now, needed),
        }
    }

    /// Goes through the phases of a Markovian arrival process until it emits; returns the time.
    fn time_by_phases(&mut self) -> u64 {
        let conduct = self.conduct.clone();
        let mut time = 0_u64;
        // A process whose phases never emit was refused, but one may be far from those that do.
        for _ in 0..1_000_000 {
            let Some(phase) = conduct.emission.phases.get(self.phase as usize) else { break };
            time = time.saturating_add(phase.stay.draw(self.streams.word(Purpose::Phases)));
            let word = u64::from(self.streams.word(Purpose::Phases));
            let taken = phase.next.iter().find(|(below, ..)| word < *below).or(phase.next.last());
            let Some(&(_, next, emits)) = taken else { break };
            self.phase = next;
            if emits {
                break;
            }
        }
        time
    }

    /// Returns the number of tokens of an emission.
    pub(super) fn batch_size(&mut self) -> u32 {
        if self.conduct.emission.batch.is_empty() {
            return 1;
        }
        let word = u64::from(self.streams.word(Purpose::Batches));
        let batch = &self.conduct.emission.batch;
        batch.iter().find(|(_, below)| word < *below).or(batch.last()).map_or(1, |(size, _)| *size)
    }
}

/// Returns the time in which `needed` ticks pass on a clock that runs at the factors of a timetable, from `now` on;
/// `None` if it stands still for ever before.
fn passed(rates: &Timetable, now: u64, needed: u64) -> Option<u64> {
    let mut left = u128::from(needed) << 32;
    let mut time = now;
    let mut still = 0;
    loop {
        let factor = u128::from(rates.at(time));
        let next = rates.next(time);
        let span = next.map(|next| next - time);
        let done = span.map(|span| u128::from(span) * factor);
        match done {
            Some(done) if done < left => {
                left -= done;
                time = next?;
                // A whole period in which nothing passes is followed by others.
                still = if factor == 0 { still + 1 } else { 0 };
                if still > rates.changes.len() {
                    return None;
                }
            }
            _ if factor == 0 => return None,
            _ => {
                let ticks = u64::try_from(left.div_ceil(factor)).ok()?;
                return Some((time.checked_add(ticks)? - now).max(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u64 = 1 << 32;

    #[test]
    fn a_clock_runs_at_the_factors_of_its_timetable() {
        let day = Timetable { changes: vec![(0, ONE), (10, 0), (20, 2 * ONE)], period: Some(30), interrupts: false };
        // 10 ticks pass in the first 10, none in the next 10, 20 in the last 10 of a period.
        assert_eq!(passed(&day, 0, 5), Some(5));
        assert_eq!(passed(&day, 0, 12), Some(21));
        assert_eq!(passed(&day, 0, 31), Some(31));
        assert_eq!(passed(&day, 0, 3_001), Some(3_001));
        assert_eq!(passed(&day, 15, 10), Some(10));
        assert_eq!(passed(&day, 29, 4), Some(3));
        let once = Timetable { changes: vec![(0, ONE), (10, 0)], period: None, interrupts: false };
        assert_eq!((passed(&once, 0, 10), passed(&once, 0, 11)), (Some(10), None));
        let later = Timetable { changes: vec![(7, ONE)], period: None, interrupts: false };
        assert_eq!(passed(&later, 0, 1), Some(8));
    }
}
