//! Running a loop: chunks of steps, two under way at a time, until the device says that it has halted.

use super::body::Body;
use super::control::head;
use super::pace::Pace;
use crate::cl::Failure;
use crate::device::Context;
use crate::queue::{HEAD_WORDS, OpenClQueue, QueueState, Transfer};
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
const STAGE: &str = "running a program";

/// Steps that were enqueued, and the head of the state buffer as it will be when they are done.
#[derive(Debug)]
struct Chunk {
    steps: u64,
    head: Transfer,
}

/// The head of the state buffer.
#[derive(Clone, Copy, Debug, Default)]
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
    queue: &OpenClQueue,
    body: &mut Body,
    max_steps: u64,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Ended> {
    if max_steps == 0 {
        return Ok(Ended { steps: 0, stop: Stop::StepLimit });
    }
    let context = {
        let state = queue.lock();
        body.used_by(state.id())?;
        body.slots.clear_head(&state.queue).map_err(|failure| state.context.failed(STAGE, failure))?;
        state.context.clone()
    };
    let failed = |failure: Failure| context.failed(STAGE, failure);
    let mut pace = Pace::new(body.len());
    let mut under_way: VecDeque<Chunk> = VecDeque::new();
    let (mut left, mut cancelled, mut last) = (max_steps, false, Head::default());
    let mut clock = Instant::now();
    loop {
        while under_way.len() < UNDER_WAY && left > 0 && !cancelled && last.reason == 0 {
            let steps = pace.next(left);
            under_way.push_back(enqueue(&mut queue.lock(), body, steps)?);
            left -= steps;
        }
        let Some(Chunk { steps, head }) = under_way.pop_front() else { break };
        let mut block = head.wait().map_err(failed)?;
        last = Head::read(block.bytes());
        queue.lock().staging.give_back(block);
        pace.took(steps, clock.elapsed());
        clock = Instant::now();
        if last.reason != 0 {
            // The chunks that are still under way change nothing any more.
            break;
        }
        cancelled |= progress(Progress { steps: last.steps }).is_break();
    }
    let stop = match last.reason {
        head::FAULT => return Err(fault(queue, &context, body)?),
        head::TEST_HOLDS => Stop::Condition(last.test as usize),
        head::LIMIT => Stop::StepLimit,
        _ if cancelled => Stop::Cancelled,
        other => {
            let message = format!("a loop ended after {} steps without a reason ({other})", last.steps);
            return Err(context.driver(STAGE, message));
        }
    };
    Ok(Ended { steps: last.steps, stop })
}

fn enqueue(queue: &mut QueueState, body: &Body, steps: u64) -> Result<Chunk> {
    let context = queue.context.clone();
    let block = queue.staging.take(&context, &queue.queue, HEAD_BYTES)?;
    body.enqueue(queue, steps)?;
    let mut head = Transfer::new(block);
    head.download(0, HEAD_BYTES, &body.slots.state().mem, 0)
        .and_then(|()| queue.queue.flush())
        .map_err(|failure| context.failed(STAGE, failure))?;
    Ok(Chunk { steps, head })
}

/// The fault that halted a loop.
fn fault(queue: &OpenClQueue, context: &Context, body: &mut Body) -> Result<Error> {
    let nothing = || context.driver(STAGE, "it halted for a fault that no slot tells of".to_owned());
    let failed = |failure: Failure| context.failed("reading a fault", failure);
    let Some((offset, bytes)) = body.slots.used() else { return Ok(nothing()) };
    let mut guard = queue.lock();
    let queue: &mut QueueState = &mut guard;
    let mut slots = Transfer::new(queue.staging.take(context, &queue.queue, bytes)?);
    slots.download(0, bytes, &body.slots.state().mem, offset).map_err(failed)?;
    let mut block = slots.wait().map_err(failed)?;
    let fault = block.bytes().get(..bytes).and_then(|bytes| body.slots.decode(bytes));
    queue.staging.give_back(block);
    body.slots.empty(&queue.queue).map_err(failed)?;
    Ok(fault.map_or_else(nothing, Error::Fault))
}
