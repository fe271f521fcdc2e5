//! Pending outputs by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most windows of a calendar.
const MAX_WINDOWS: u32 = 1 << 16;

/// Pending outputs in time windows: the time in the upper half of a number, the cell in the lower half.
///
/// A window is as long as the smallest delay of any rule, so most outputs go to a later window, which is a list. The
/// current window is a heap. A shorter delay is right as well.
pub(super) struct Calendar {
    width: u32,
    /// Number of the current window.
    window: u32,
    current: BinaryHeap<Reverse<u64>>,
    later: Vec<Vec<u64>>,
}

impl Calendar {
    pub(super) fn new(lookahead: Option<u32>, horizon: u32) -> Self {
        let width = lookahead.unwrap_or(1).clamp(1, horizon.max(1)).max(horizon / MAX_WINDOWS + 1);
        let windows = (horizon / width) as usize + 1;
        Calendar { width, window: 0, current: BinaryHeap::new(), later: vec![Vec::new(); windows] }
    }

    pub(super) fn push(&mut self, due: u32, cell: u32) {
        let event = (u64::from(due) << 32) | u64::from(cell);
        if due / self.width <= self.window {
            self.current.push(Reverse(event));
        } else if let Some(bucket) = self.later.get_mut((due / self.width) as usize) {
            bucket.push(event);
        }
    }

    /// Returns the earliest event without removing it.
    pub(super) fn first(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(&Reverse(event)) = self.current.peek() {
                return Some(((event >> 32) as u32, event as u32));
            }
            self.window += 1;
            let bucket = self.later.get_mut(self.window as usize)?;
            self.current = std::mem::take(bucket).into_iter().map(Reverse).collect();
        }
    }

    pub(super) fn pop(&mut self) {
        self.current.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_the_order_of_time_and_cell_whatever_the_window() {
        for lookahead in [None, Some(0), Some(7), Some(1000)] {
            let mut calendar = Calendar::new(lookahead, 100);
            let events = [(90, 1), (0, 5), (40, 3), (40, 2), (100, 0), (41, 9)];
            events.iter().for_each(|&(due, cell)| calendar.push(due, cell));
            let mut found = Vec::new();
            while let Some(event) = calendar.first() {
                calendar.pop();
                found.push(event);
                if event == (0, 5) {
                    calendar.push(0, 6);
                }
            }
            assert_eq!(found, [(0, 5), (0, 6), (40, 2), (40, 3), (41, 9), (90, 1), (100, 0)]);
        }
    }
}
