//! Reference-counted objects: each releases its own reference when dropped.

use super::device::DeviceId;
use super::status::Failure;
use ocl::ffi::{self, cl_command_queue, cl_context, cl_event, cl_int, cl_kernel, cl_mem, cl_program, cl_uint, size_t};
use std::ptr;

macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident($raw:ty), $release:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name($raw);

        impl $name {
            /// Takes over a reference that a call of OpenCL returned with a status.
            pub(super) fn take(call: &'static str, status: cl_int, raw: $raw) -> Result<$name, Failure> {
                Failure::check(call, status)?;
                if raw.is_null() { Err(Failure { call, status }) } else { Ok($name(raw)) }
            }

            /// Returns the handle, valid as long as `self`.
            pub(crate) fn raw(&self) -> $raw {
                self.0
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle came from the call that created the object, with one reference that we own and
                // give back only here. Nothing can be done about a driver that fails to release it.
                unsafe { ffi::$release(self.0) };
            }
        }

        // SAFETY: an OpenCL object is not tied to a thread, and releasing it is safe on any thread.
        unsafe impl Send for $name {}
    )*};
}

objects! {
    /// A context of one device.
    Context(cl_context), clReleaseContext;
    /// A queue whose commands are done in order.
    CommandQueue(cl_command_queue), clReleaseCommandQueue;
    /// Device memory.
    Mem(cl_mem), clReleaseMemObject;
    /// A program.
    Program(cl_program), clReleaseProgram;
    /// A kernel of a program, with its arguments. The only kind of object that two threads must not use at the same
    /// time: it is not `Sync`.
    Kernel(cl_kernel), clReleaseKernel;
    /// Signal that a command is done.
    Event(cl_event), clReleaseEvent;
}

// SAFETY: every call of OpenCL may be made by several threads on one object at the same time, except clSetKernelArg
// (OpenCL 1.2, section A.2), and `Kernel` is not among these.
unsafe impl Sync for Context {}
// SAFETY: as above.
unsafe impl Sync for CommandQueue {}
// SAFETY: as above.
unsafe impl Sync for Mem {}
// SAFETY: as above.
unsafe impl Sync for Program {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Context {
    /// Creates a context of one device alone.
    pub(crate) fn new(device: DeviceId) -> Result<Context, Failure> {
        let (mut status, device) = (0, device.raw());
        // SAFETY: no properties, one device, which is valid, no callback, and a place for the status.
        let raw =
            unsafe { ffi::clCreateContext(ptr::null(), 1, &raw const device, None, ptr::null_mut(), &raw mut status) };
        Context::take("clCreateContext", status, raw)
    }
}

impl Mem {
    /// Creates a further reference to memory of another owner.
    ///
    /// # Safety
    /// `raw` is a valid `cl_mem`.
    pub(crate) unsafe fn share(raw: *mut std::ffi::c_void) -> Result<Mem, Failure> {
        // SAFETY: the caller's promise.
        let status = unsafe { ffi::clRetainMemObject(raw.cast()) };
        Mem::take("clRetainMemObject", status, raw.cast())
    }
}

impl CommandQueue {
    /// Creates a further reference to a queue of another owner.
    ///
    /// # Safety
    /// `raw` is a valid `cl_command_queue`.
    pub(crate) unsafe fn share(raw: *mut std::ffi::c_void) -> Result<CommandQueue, Failure> {
        // SAFETY: the caller's promise.
        let status = unsafe { ffi::clRetainCommandQueue(raw.cast()) };
        CommandQueue::take("clRetainCommandQueue", status, raw.cast())
    }

    /// Creates a queue.
    pub(crate) fn new(context: &Context, device: DeviceId) -> Result<CommandQueue, Failure> {
        let mut status = 0;
        // SAFETY: the context and its device are valid, and the status has a place.
        let raw = unsafe { ffi::clCreateCommandQueue(context.raw(), device.raw(), 0, &raw mut status) };
        CommandQueue::take("clCreateCommandQueue", status, raw)
    }

    /// Makes the device begin with the enqueued commands.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        // SAFETY: the queue is valid.
        Failure::check("clFlush", unsafe { ffi::clFlush(self.raw()) })
    }

    /// Waits until all enqueued commands are done.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        // SAFETY: the queue is valid.
        Failure::check("clFinish", unsafe { ffi::clFinish(self.raw()) })
    }

    /// Creates an event that occurs when all commands enqueued so far are done.
    pub(crate) fn marker(&self) -> Result<Event, Failure> {
        let mut event = ptr::null_mut();
        // SAFETY: the queue is valid, the wait list empty, and the event has a place.
        let status = unsafe { ffi::clEnqueueMarkerWithWaitList(self.raw(), 0, ptr::null(), &raw mut event) };
        Event::take("clEnqueueMarkerWithWaitList", status, event)
    }
}

impl CommandQueue {
    /// Makes later commands wait for an event of the same context.
    pub(crate) fn after(&self, event: &Event) -> Result<(), Failure> {
        let raw = event.raw();
        // SAFETY: queue and event are valid, the list has one event, and no event is asked for.
        let status = unsafe { ffi::clEnqueueBarrierWithWaitList(self.raw(), 1, &raw const raw, ptr::null_mut()) };
        Failure::check("clEnqueueBarrierWithWaitList", status)
    }
}

const EVENT_COMMAND_EXECUTION_STATUS: cl_uint = 0x11D3;

impl Event {
    /// Waits until the command is done; fails if the command has failed.
    pub(crate) fn wait(&self) -> Result<(), Failure> {
        let raw = self.raw();
        // SAFETY: one event, which is valid.
        let status = unsafe { ffi::clWaitForEvents(1, &raw const raw) };
        match Failure::check("clWaitForEvents", status) {
            Ok(()) => Ok(()),
            // The command's own status is more specific.
            Err(failure) => self.done().and(Err(failure)),
        }
    }

    /// Returns `true` if the command is done; fails if the command has failed.
    pub(crate) fn done(&self) -> Result<bool, Failure> {
        let mut state: cl_int = 0;
        let size: size_t = size_of::<cl_int>();
        // SAFETY: the event is valid, and the state has a place of the size given.
        let status = unsafe {
            ffi::clGetEventInfo(
                self.raw(),
                EVENT_COMMAND_EXECUTION_STATUS,
                size,
                (&raw mut state).cast(),
                ptr::null_mut(),
            )
        };
        Failure::check("clGetEventInfo", status)?;
        if state < 0 { Err(Failure { call: "a command", status: state }) } else { Ok(state == 0) }
    }
}
