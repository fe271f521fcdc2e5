//! Programs and kernels.

use super::device::{DeviceId, bytes, text};
use super::objects::{CommandQueue, Context, Kernel, Mem, Program};
use super::status::Failure;
use ocl::ffi::{self, cl_mem, cl_uint, size_t};
use std::ffi::{CStr, CString};
use std::ptr;

const PROGRAM_BINARY_SIZES: cl_uint = 0x1165;
const PROGRAM_BINARIES: cl_uint = 0x1166;
const PROGRAM_BUILD_LOG: cl_uint = 0x1183;
const KERNEL_WORK_GROUP_SIZE: cl_uint = 0x11B0;
const KERNEL_COMPILE_WORK_GROUP_SIZE: cl_uint = 0x11B1;

/// Creates a program from its text, not yet built.
pub(crate) fn program_from_source(context: &Context, code: &str) -> Result<Program, Failure> {
    let (start, length, mut status) = (code.as_ptr().cast(), code.len(), 0);
    // SAFETY: one text of the length given, which the call copies; the status has a place.
    let raw = unsafe {
        ffi::clCreateProgramWithSource(context.raw(), 1, &raw const start, &raw const length, &raw mut status)
    };
    Program::take("clCreateProgramWithSource", status, raw)
}

/// Creates a program from the output of [`program_binary`], not yet built.
pub(crate) fn program_from_binary(context: &Context, device: DeviceId, binary: &[u8]) -> Result<Program, Failure> {
    let (raw_device, start, length) = (device.raw(), binary.as_ptr(), binary.len());
    let (mut loaded, mut status) = (0, 0);
    // SAFETY: one device and one binary of the length given, which the call copies; both statuses have places.
    let raw = unsafe {
        ffi::clCreateProgramWithBinary(
            context.raw(),
            1,
            &raw const raw_device,
            &raw const length,
            &raw const start,
            &raw mut loaded,
            &raw mut status,
        )
    };
    let program = Program::take("clCreateProgramWithBinary", status, raw)?;
    Failure::check("clCreateProgramWithBinary", loaded)?;
    Ok(program)
}

/// Builds a program. On failure, also returns the compiler's whole output, if there is any.
pub(crate) fn build(program: &Program, device: DeviceId, options: &CStr) -> Result<(), (Failure, String)> {
    let raw_device = device.raw();
    // SAFETY: program and device are valid, the options end with a zero, and there is no callback: the call waits.
    let status = unsafe {
        ffi::clBuildProgram(program.raw(), 1, &raw const raw_device, options.as_ptr(), None, ptr::null_mut())
    };
    Failure::check("clBuildProgram", status).map_err(|failure| {
        let log = bytes("clGetProgramBuildInfo", |size, place, needed| {
            // SAFETY: program and device are valid, and `place` has room for `size` bytes.
            unsafe { ffi::clGetProgramBuildInfo(program.raw(), device.raw(), PROGRAM_BUILD_LOG, size, place, needed) }
        });
        (failure, log.map(|log| text(&log)).unwrap_or_default())
    })
}

/// Returns the compiled form of a built program of one device.
pub(crate) fn program_binary(program: &Program) -> Result<Vec<u8>, Failure> {
    let mut length: size_t = 0;
    // SAFETY: the program is valid and has one device, so its sizes are one number.
    let status = unsafe {
        ffi::clGetProgramInfo(
            program.raw(),
            PROGRAM_BINARY_SIZES,
            size_of::<size_t>(),
            (&raw mut length).cast(),
            ptr::null_mut(),
        )
    };
    Failure::check("clGetProgramInfo", status)?;
    let mut binary = vec![0u8; length];
    let mut place = binary.as_mut_ptr();
    // SAFETY: the program has one device, so its binaries are one pointer, to room for the length that was returned.
    let status = unsafe {
        ffi::clGetProgramInfo(
            program.raw(),
            PROGRAM_BINARIES,
            size_of::<*mut u8>(),
            (&raw mut place).cast(),
            ptr::null_mut(),
        )
    };
    Failure::check("clGetProgramInfo", status)?;
    Ok(binary)
}

/// Creates a kernel of a built program, without arguments.
pub(crate) fn create_kernel(program: &Program, name: &str) -> Result<Kernel, Failure> {
    let call = "clCreateKernel";
    let Ok(name) = CString::new(name) else { return Err(Failure { call, status: -46 }) };
    let mut status = 0;
    // SAFETY: the program is valid, the name ends with a zero, and the status has a place.
    let raw = unsafe { ffi::clCreateKernel(program.raw(), name.as_ptr(), &raw mut status) };
    Kernel::take(call, status, raw)
}

/// Returns the work-items of the largest work-group in which the kernel can run. A kernel that requires a size runs in
/// it, since a driver that cannot do that refuses to build the kernel. The general bound may be less: rusticl 22.3 says
/// 32 for every kernel.
pub(crate) fn kernel_work_group(kernel: &Kernel, device: DeviceId) -> Result<usize, Failure> {
    let [most] = work_group_info(kernel, device, KERNEL_WORK_GROUP_SIZE)?;
    let required = work_group_info(kernel, device, KERNEL_COMPILE_WORK_GROUP_SIZE).unwrap_or([0; 3]);
    Ok(most.max(required.iter().product()))
}

fn work_group_info<const N: usize>(kernel: &Kernel, device: DeviceId, what: cl_uint) -> Result<[size_t; N], Failure> {
    let mut sizes = [0; N];
    // SAFETY: kernel and device are valid, and the numbers have a place of the size given.
    let status = unsafe {
        ffi::clGetKernelWorkGroupInfo(
            kernel.raw(),
            device.raw(),
            what,
            size_of::<[size_t; N]>(),
            sizes.as_mut_ptr().cast(),
            ptr::null_mut(),
        )
    };
    Failure::check("clGetKernelWorkGroupInfo", status)?;
    Ok(sizes)
}

/// Sets an argument to a buffer. The kernel does not keep the buffer: it must live when the kernel is enqueued.
pub(crate) fn set_arg_mem(kernel: &mut Kernel, index: u32, mem: &Mem) -> Result<(), Failure> {
    let raw = mem.raw();
    // SAFETY: the kernel is valid and, being borrowed mutably, used by no other thread; the value is a buffer's handle.
    let status = unsafe { ffi::clSetKernelArg(kernel.raw(), index, size_of::<cl_mem>(), (&raw const raw).cast()) };
    Failure::check("clSetKernelArg", status)
}

/// Sets an argument to words, which are passed by value.
pub(crate) fn set_arg_words(kernel: &mut Kernel, index: u32, words: &[u32]) -> Result<(), Failure> {
    // SAFETY: the kernel is valid and, being borrowed mutably, used by no other thread; the value is copied by the
    // call.
    let status = unsafe { ffi::clSetKernelArg(kernel.raw(), index, size_of_val(words), words.as_ptr().cast()) };
    Failure::check("clSetKernelArg", status)
}

/// Enqueues a kernel over `groups` work-groups.
///
/// # Safety
/// The kernel's arguments are set, to buffers that live, and the kernel stays inside them.
pub(crate) unsafe fn enqueue(
    queue: &CommandQueue,
    kernel: &Kernel,
    groups: u32,
    workgroup: u32,
) -> Result<(), Failure> {
    let local = workgroup as usize;
    let global = (groups as usize).saturating_mul(local);
    // SAFETY: the caller's promise; queue and kernel are valid, and there is one dimension.
    let status = unsafe {
        ffi::clEnqueueNDRangeKernel(
            queue.raw(),
            kernel.raw(),
            1,
            ptr::null(),
            &raw const global,
            &raw const local,
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    Failure::check("clEnqueueNDRangeKernel", status)
}
