//! Running a loop: chunks of steps, two under way at a time, until the device says that it has halted.

use super::body::Body;
use super::control::head;
use super::pace::Pace;
use crate::device::Context;
use crate::queue::{Download, HEAD_WORDS, QueueState, WgpuQueue, mapped};
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
const HEAD_BYTES: u64 = HEAD_WORDS as u64 * 4;

/// Steps that were submitted, and where the head of the state buffer will be read when they are done.
#[derive(Debug)]
struct Chunk {
    steps: u64,
    head: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
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
    queue: &WgpuQueue,
    body: &mut Body,
    max_steps: u64,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Ended> {
    if max_steps == 0 {
        return Ok(Ended { steps: 0, stop: Stop::StepLimit });
    }
    let context = {
        let mut state = queue.lock();
        body.used_by(state.id())?;
        // What was gathered so far comes before the loop, and before the reset of its state.
        state.flush()?;
        state.context.clone()
    };
    context.queue.write_buffer(body.slots.state(), 0, &[0; HEAD_BYTES as usize]);
    let (mut pace, mut download) = (Pace::new(body.len()), Download::default());
    let mut under_way: VecDeque<Chunk> = VecDeque::new();
    let (mut left, mut cancelled, mut last) = (max_steps, false, Head::default());
    let mut clock = Instant::now();
    loop {
        while under_way.len() < UNDER_WAY && left > 0 && !cancelled && last.reason == 0 {
            let steps = pace.next(left);
            under_way.push_back(submit(&mut queue.lock(), &mut download, body, steps)?);
            left -= steps;
        }
        let Some(Chunk { steps, head, submission }) = under_way.pop_front() else { break };
        last = mapped(&context, "running a program", &head, HEAD_BYTES, &submission, Head::read)?;
        download.give_back(head);
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
            return Err(context.driver("running a program", message));
        }
    };
    Ok(Ended { steps: last.steps, stop })
}

fn submit(queue: &mut QueueState, download: &mut Download, body: &Body, steps: u64) -> Result<Chunk> {
    let context = queue.context.clone();
    let head = download.take(&context, HEAD_BYTES)?;
    let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    body.encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), steps);
    encoder.copy_buffer_to_buffer(body.slots.state(), 0, &head, 0, HEAD_BYTES);
    let submission = queue.submit(encoder)?;
    Ok(Chunk { steps, head, submission })
}

/// The fault that halted a loop.
fn fault(queue: &WgpuQueue, context: &Context, body: &mut Body) -> Result<Error> {
    let nothing = || context.driver("running a program", "it halted for a fault that no slot tells of".to_owned());
    let Some((offset, bytes)) = body.slots.used() else { return Ok(nothing()) };
    let staging = Download::default().take(context, bytes)?;
    let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(body.slots.state(), offset, &staging, 0, bytes);
    let submission = queue.lock().submit(encoder)?;
    let fault = mapped(context, "reading a fault", &staging, bytes, &submission, |bytes| body.slots.decode(bytes))?;
    body.slots.empty(context);
    Ok(fault.map_or_else(nothing, Error::Fault))
}
