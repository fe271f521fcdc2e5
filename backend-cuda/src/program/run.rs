//! Running a loop: chunks of steps, two under way at a time, until the device says that it has halted.

use super::body::Body;
use super::control::head;
use super::pace::Pace;
use crate::memory::Pinned;
use crate::queue::{CudaQueue, HEAD_WORDS};
use imminent_core::{Error, Progress, Result, Stop};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;

/// How a loop ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) steps: u64,
    pub(super) stop: Stop,
}

/// Chunks under way: while one runs, the next is there already.
const UNDER_WAY: usize = 2;
const HEAD_BYTES: usize = HEAD_WORDS as usize * 4;

/// Steps that were started, and where the head of the state buffer will be when they are done.
#[derive(Debug)]
struct Chunk {
    steps: u64,
    head: Pinned,
}

/// The head of the state buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Head {
    reason: u32,
    test: u32,
    steps: u64,
}

impl Head {
    fn read(bytes: &[u8]) -> Head {
        let word = |at: usize| match bytes.get(at * 4..at * 4 + 4) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        let steps = u64::from(word(head::STEPS_LOW)) | u64::from(word(head::STEPS_HIGH)) << 32;
        Head { reason: word(head::REASON), test: word(head::TEST), steps }
    }
}

/// Runs a loop to its end.
pub(super) fn run(
    queue: &CudaQueue,
    body: &mut Body,
    max_steps: u64,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Ended> {
    if max_steps == 0 {
        return Ok(Ended { steps: 0, stop: Stop::StepLimit });
    }
    body.used_by(&queue.stream)?;
    body.slots.clear_head(&queue.stream)?;
    let mut pace = Pace::new(body.len());
    let mut under_way: VecDeque<Chunk> = VecDeque::new();
    let (mut left, mut cancelled, mut last) = (max_steps, false, Head::default());
    let mut clock = Instant::now();
    loop {
        while under_way.len() < UNDER_WAY && left > 0 && !cancelled && last.reason == 0 {
            let steps = pace.next(left);
            under_way.push_back(start(queue, body, steps)?);
            left -= steps;
        }
        let Some(Chunk { steps, head }) = under_way.pop_front() else { break };
        head.wait("running a program")?;
        last = Head::read(head.bytes());
        queue.lock().staging.give_back(head);
        pace.took(steps, clock.elapsed());
        clock = Instant::now();
        if last.reason != 0 {
            // The chunks that are still under way change nothing any more.
            break;
        }
        cancelled |= progress(Progress { steps: last.steps }).is_break();
    }
    let ended = |stop| Ok(Ended { steps: last.steps, stop });
    for Chunk { head, .. } in under_way {
        queue.lock().staging.give_back(head);
    }
    match last.reason {
        head::FAULT => Err(fault(queue, body)?),
        head::TEST_HOLDS => ended(Stop::Condition(last.test as usize)),
        head::LIMIT => ended(Stop::StepLimit),
        _ if cancelled => ended(Stop::Cancelled),
        other => {
            let message = format!("a loop ended after {} steps without a reason ({other})", last.steps);
            Err(queue.stream.primary.driver("running a program", message))
        }
    }
}

fn start(queue: &CudaQueue, body: &mut Body, steps: u64) -> Result<Chunk> {
    let mut queue = queue.lock();
    let (context, stream) = (queue.context.clone(), queue.stream.clone());
    // The progress function may have used another device on this thread.
    context.primary.enter()?;
    let mut head = queue.staging.take(&context.primary, HEAD_BYTES)?;
    body.start(&context, steps)?;
    // SAFETY: the head lies in the state buffer, which the body keeps; the event is recorded at once and waited for before
    // anyone looks.
    unsafe { head.download(0, HEAD_BYTES, body.slots.state().pointer(), &stream) }?;
    head.record(&stream)?;
    Ok(Chunk { steps, head })
}

/// The fault that halted a loop.
fn fault(queue: &CudaQueue, body: &mut Body) -> Result<Error> {
    let primary = queue.stream.primary.clone();
    primary.enter()?;
    let used = body.slots.used();
    let length = (used.end - used.start) as usize;
    let mut host = Pinned::new(&primary, length)?;
    // SAFETY: the stretch lies in the state buffer, which the body keeps; the stream is waited for before anyone looks.
    unsafe { host.download(0, length, body.slots.state().pointer() + used.start, &queue.stream) }?;
    queue.stream.wait("reading a fault")?;
    let fault = body.slots.decode(host.bytes());
    body.slots.empty(&queue.stream)?;
    Ok(fault.map_or_else(
        || primary.driver("running a program", "it halted for a fault that no slot tells of".to_owned()),
        Error::Fault,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_read_as_the_kernel_writes_it() {
        let words: [u32; 16] = [1, 2, 3, 5, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(Head::read(&bytes), Head { reason: 2, test: 3, steps: 5 + (1 << 32) });
        assert_eq!(Head::read(&[]), Head::default());
    }
}
