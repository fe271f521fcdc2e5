//! Buffers and transfers.
//!
//! No transfer blocks. Those that touch host memory are `unsafe`: that memory must stay until they are done.

use super::objects::{CommandQueue, Context, Event, Mem};
use super::status::Failure;
use ocl::ffi::{self, cl_mem_flags, size_t};
use std::ops::Range;
use std::ptr;

const MEM_READ_WRITE: cl_mem_flags = 1 << 0;
const MEM_READ_ONLY: cl_mem_flags = 1 << 2;
const MEM_ALLOC_HOST_PTR: cl_mem_flags = 1 << 4;
const MEM_COPY_HOST_PTR: cl_mem_flags = 1 << 5;
const MAP_READ_WRITE: u64 = 1 << 0 | 1 << 1;
const TRUE: u32 = 1;
const FALSE: u32 = 0;

fn create(context: &Context, flags: cl_mem_flags, bytes: usize) -> Result<Mem, Failure> {
    let mut status = 0;
    // SAFETY: the context is valid, no host memory is given, and the status has a place.
    let raw = unsafe { ffi::clCreateBuffer(context.raw(), flags, bytes, ptr::null_mut(), &raw mut status) };
    Mem::take("clCreateBuffer", status, raw)
}

/// Creates device memory, with any contents.
pub(crate) fn create_buffer(context: &Context, bytes: usize) -> Result<Mem, Failure> {
    create(context, MEM_READ_WRITE, bytes)
}

/// Creates a part of a buffer: `origin` is a multiple of the device's base alignment, in bytes.
pub(crate) fn create_sub_buffer(buffer: &Mem, origin: usize, size: usize) -> Result<Mem, Failure> {
    const REGION: u32 = 0x1220;
    let region = ffi::cl_buffer_region { origin, size };
    let mut status = 0;
    // SAFETY: the buffer is valid. The region is the one that the call reads for that type, before it returns, and the
    // status has a place. OpenCL checks that the part lies inside, and keeps the buffer as long as the part.
    let raw = unsafe { ffi::clCreateSubBuffer(buffer.raw(), 0, REGION, (&raw const region).cast(), &raw mut status) };
    Mem::take("clCreateSubBuffer", status, raw)
}

/// Creates device memory that holds these words, for kernels to read. There is at least one word.
pub(crate) fn create_words(context: &Context, words: &[u32]) -> Result<Mem, Failure> {
    let mut status = 0;
    // SAFETY: the context is valid, and the status has a place. The flags make the call copy this many bytes from the
    // words, which it does not change, before it returns.
    let raw = unsafe {
        ffi::clCreateBuffer(
            context.raw(),
            MEM_READ_ONLY | MEM_COPY_HOST_PTR,
            size_of_val(words),
            words.as_ptr().cast_mut().cast(),
            &raw mut status,
        )
    };
    Mem::take("clCreateBuffer", status, raw)
}

/// Creates memory that the host can map, and from and to which transfers are fast.
pub(crate) fn create_pinned(context: &Context, bytes: usize) -> Result<Mem, Failure> {
    create(context, MEM_READ_WRITE | MEM_ALLOC_HOST_PTR, bytes)
}

/// Maps a buffer, after all work on the queue. The pointer is valid for `bytes` bytes until [`unmap`].
pub(crate) fn map(queue: &CommandQueue, mem: &Mem, bytes: usize) -> Result<ptr::NonNull<u8>, Failure> {
    let mut status = 0;
    // SAFETY: queue and memory are valid, the call blocks until the memory is mapped, and the status has a place.
    let pointer = unsafe {
        ffi::clEnqueueMapBuffer(
            queue.raw(),
            mem.raw(),
            TRUE,
            MAP_READ_WRITE,
            0,
            bytes,
            0,
            ptr::null(),
            ptr::null_mut(),
            &raw mut status,
        )
    };
    Failure::check("clEnqueueMapBuffer", status)?;
    ptr::NonNull::new(pointer.cast()).ok_or(Failure { call: "clEnqueueMapBuffer", status: -12 })
}

/// Ends a mapping.
///
/// # Safety
/// `pointer` came from [`map`] for this memory, and is not used any more.
pub(crate) unsafe fn unmap(queue: &CommandQueue, mem: &Mem, pointer: ptr::NonNull<u8>) -> Result<(), Failure> {
    // SAFETY: the caller's promise; queue and memory are valid.
    let status = unsafe {
        ffi::clEnqueueUnmapMemObject(queue.raw(), mem.raw(), pointer.as_ptr().cast(), 0, ptr::null(), ptr::null_mut())
    };
    Failure::check("clEnqueueUnmapMemObject", status)
}

/// Enqueues copying host memory to a buffer.
///
/// # Safety
/// `from` can be read for `bytes` bytes, and is neither changed nor released before the command is done.
pub(crate) unsafe fn write(
    queue: &CommandQueue,
    to: &Mem,
    offset: usize,
    from: *const u8,
    bytes: usize,
) -> Result<Event, Failure> {
    let mut event = ptr::null_mut();
    // SAFETY: the caller's promise; queue and buffer are valid, OpenCL checks the range in the buffer, and the event
    // has a place.
    let status = unsafe {
        ffi::clEnqueueWriteBuffer(
            queue.raw(),
            to.raw(),
            FALSE,
            offset,
            bytes,
            from.cast(),
            0,
            ptr::null(),
            &raw mut event,
        )
    };
    Event::take("clEnqueueWriteBuffer", status, event)
}

/// Enqueues copying a buffer to host memory.
///
/// # Safety
/// `to` can be written for `bytes` bytes, and is neither touched nor released before the command is done.
pub(crate) unsafe fn read(
    queue: &CommandQueue,
    from: &Mem,
    offset: usize,
    to: *mut u8,
    bytes: usize,
) -> Result<Event, Failure> {
    let mut event = ptr::null_mut();
    // SAFETY: the caller's promise; queue and buffer are valid, OpenCL checks the range in the buffer, and the event
    // has a place.
    let status = unsafe {
        ffi::clEnqueueReadBuffer(
            queue.raw(),
            from.raw(),
            FALSE,
            offset,
            bytes,
            to.cast(),
            0,
            ptr::null(),
            &raw mut event,
        )
    };
    Event::take("clEnqueueReadBuffer", status, event)
}

/// Largest number of bytes that one command fills or copies; larger buffers are filled in parts. NVIDIA's driver
/// accepts a fill that reaches element 2³¹ of a buffer, in however many commands, and then hangs or loses the device
/// (580.159 on an H200: fills of words, from 8 GiB on; also reported in issue 395 of pyopencl).
const MAX_AT_ONCE: usize = 1 << 30;

/// Multiple of the alignment in bytes that any device requires of the beginnings of parts.
const PART_ALIGNMENT: usize = 4096;

/// Returns pieces of a range, in order: together the whole range, each of at most `most` bytes.
fn pieces(bytes: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let end = bytes.end;
    bytes.step_by(most.max(1)).map(move |start| start..end.min(start.saturating_add(most.max(1))))
}

/// Enqueues copying from the start of one buffer to the start of another.
pub(crate) fn copy(queue: &CommandQueue, from: &Mem, to: &Mem, bytes: usize) -> Result<(), Failure> {
    copy_by(MAX_AT_ONCE, queue, (from, to), bytes)
}

fn copy_by(most: usize, queue: &CommandQueue, (from, to): (&Mem, &Mem), bytes: usize) -> Result<(), Failure> {
    pieces(0..bytes, most).try_for_each(|piece| {
        let (at, bytes) = (piece.start, piece.len());
        // SAFETY: queue and buffers are valid, and OpenCL checks the ranges.
        let status = unsafe {
            ffi::clEnqueueCopyBuffer(queue.raw(), from.raw(), to.raw(), at, at, bytes, 0, ptr::null(), ptr::null_mut())
        };
        Failure::check("clEnqueueCopyBuffer", status)
    })
}

/// Enqueues filling part of a buffer with a word; offset and length are multiples of four, in bytes.
pub(crate) fn fill(queue: &CommandQueue, mem: &Mem, word: u32, offset: usize, bytes: usize) -> Result<(), Failure> {
    fill_by(MAX_AT_ONCE, queue, (mem, word), offset..offset.saturating_add(bytes))
}

fn fill_by(most: usize, queue: &CommandQueue, (mem, word): (&Mem, u32), bytes: Range<usize>) -> Result<(), Failure> {
    pieces(bytes, most).try_for_each(|piece| {
        if piece.start < most {
            return fill_piece(queue, mem, word, piece);
        }
        // Buffers that already are parts are not this large.
        let before = piece.start % PART_ALIGNMENT;
        let origin = piece.start - before;
        let part = create_sub_buffer(mem, origin, piece.end - origin)?;
        fill_piece(queue, &part, word, before..before + piece.len())
    })
}

fn fill_piece(queue: &CommandQueue, mem: &Mem, word: u32, piece: Range<usize>) -> Result<(), Failure> {
    let pattern: size_t = size_of::<u32>();
    // SAFETY: queue and buffer are valid, the word is copied before the call returns, and OpenCL checks the range.
    let status = unsafe {
        ffi::clEnqueueFillBuffer(
            queue.raw(),
            mem.raw(),
            (&raw const word).cast(),
            pattern,
            piece.start,
            piece.len(),
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    Failure::check("clEnqueueFillBuffer", status)
}

#[cfg(test)]
mod tests;
