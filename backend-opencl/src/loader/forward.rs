//! The functions of OpenCL 1.2 that `cl-sys` declares, each forwarded to the library that was loaded.
//!
//! Generated code of other crates refers to these symbols as if they were libOpenCL's own.

use super::{Absent, NO_PLATFORM, library};
use ocl::ffi::{
    c_char, c_uchar, c_void, cl_GLenum, cl_GLint, cl_GLuint, cl_addressing_mode, cl_bool, cl_buffer_create_type,
    cl_command_queue, cl_command_queue_info, cl_command_queue_properties, cl_context, cl_context_info,
    cl_context_properties, cl_device_id, cl_device_info, cl_device_partition_property, cl_device_type, cl_event,
    cl_event_info, cl_filter_mode, cl_gl_context_info, cl_gl_object_type, cl_gl_texture_info, cl_image_desc,
    cl_image_format, cl_image_info, cl_int, cl_kernel, cl_kernel_arg_info, cl_kernel_info, cl_kernel_work_group_info,
    cl_map_flags, cl_mem, cl_mem_flags, cl_mem_info, cl_mem_migration_flags, cl_mem_object_type, cl_platform_id,
    cl_platform_info, cl_profiling_info, cl_program, cl_program_build_info, cl_program_info, cl_sampler,
    cl_sampler_info, cl_uint, size_t,
};
use std::sync::OnceLock;

/// Status of a call if there is no library, or the library lacks the function: the status with which ICD loaders report
/// that there is no platform.
const ABSENT: cl_int = NO_PLATFORM;

static LOADED: OnceLock<Result<Functions, Absent>> = OnceLock::new();

fn loaded() -> &'static Result<Functions, Absent> {
    LOADED.get_or_init(|| library::open(|library| Some(Functions::of(library)).filter(Functions::are_there)))
}

/// Loads the library, once per process.
pub(crate) fn load() -> Result<(), Absent> {
    loaded().as_ref().map(|_| ()).map_err(Clone::clone)
}

/// Returns the library's functions, if it could be loaded.
fn functions() -> Option<&'static Functions> {
    loaded().as_ref().ok()
}

type ContextNotify = Option<extern "C" fn(*const c_char, *const c_void, size_t, *mut c_void)>;
type MemNotify = Option<extern "C" fn(cl_mem, *mut c_void)>;
type ProgramNotify = Option<extern "C" fn(cl_program, *mut c_void)>;
type EventNotify = extern "C" fn(cl_event, cl_int, *mut c_void);

/// Declares the table of addresses and the functions that jump through it. The first list has functions that return a
/// status. The second has those that return a handle, and store the status through their last parameter.
macro_rules! forward {
    (
        $(fn $status:ident($($a:ident: $at:ty),*) -> cl_int;)*
        ----
        $(fn $handle:ident($($b:ident: $bt:ty),*) -> $object:ty;)*
    ) => {
        /// Addresses of the library's functions; `None` for one that it lacks.
        #[allow(non_snake_case)]
        #[derive(Debug)]
        struct Functions {
            $($status: Option<unsafe extern "system" fn($($at),*) -> cl_int>,)*
            $($handle: Option<unsafe extern "system" fn($($bt,)* *mut cl_int) -> $object>,)*
        }

        impl Functions {
            /// Looks up all functions.
            fn of(library: &'static libloading::Library) -> Functions {
                Functions {
                    // SAFETY: the types are those of the OpenCL headers for these names, as `cl-sys` declares them, and
                    // the library is never unloaded.
                    $($status: unsafe { library.get(concat!(stringify!($status), "\0").as_bytes()) }.ok().map(|f| *f),)*
                    // SAFETY: as above.
                    $($handle: unsafe { library.get(concat!(stringify!($handle), "\0").as_bytes()) }.ok().map(|f| *f),)*
                }
            }

            /// Returns `true` if the library is one of OpenCL, of 1.2 or later.
            fn are_there(&self) -> bool {
                // The first is in every such library, the others came with OpenCL 1.2.
                self.clGetPlatformIDs.is_some()
                    && self.clEnqueueFillBuffer.is_some()
                    && self.clEnqueueMarkerWithWaitList.is_some()
            }
        }

        $(
            #[unsafe(no_mangle)]
            unsafe extern "system" fn $status($($a: $at),*) -> cl_int {
                match functions().and_then(|f| f.$status) {
                    // SAFETY: the caller keeps the contract of the OpenCL function of this name, to which its arguments
                    // are passed unchanged.
                    Some(function) => unsafe { function($($a),*) },
                    None => ABSENT,
                }
            }
        )*
        $(
            #[unsafe(no_mangle)]
            unsafe extern "system" fn $handle($($b: $bt,)* errcode_ret: *mut cl_int) -> $object {
                match functions().and_then(|f| f.$handle) {
                    // SAFETY: the caller keeps the contract of the OpenCL function of this name, to which its arguments
                    // are passed unchanged.
                    Some(function) => unsafe { function($($b,)* errcode_ret) },
                    None => {
                        if !errcode_ret.is_null() {
                            // SAFETY: the contract of every such function is that this is null or points to an integer.
                            unsafe { *errcode_ret = ABSENT };
                        }
                        std::ptr::null_mut()
                    }
                }
            }
        )*
    };
}

forward! {
    fn clGetPlatformIDs(num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint) ->
        cl_int;
    fn clGetPlatformInfo(platform: cl_platform_id, param_name: cl_platform_info, param_value_size: size_t,
        param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clGetDeviceIDs(platform: cl_platform_id, device_type: cl_device_type, num_entries: cl_uint, devices: *mut
        cl_device_id, num_devices: *mut cl_uint) -> cl_int;
    fn clGetDeviceInfo(device: cl_device_id, param_name: cl_device_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clCreateSubDevices(in_device: cl_device_id, properties: *const cl_device_partition_property, num_devices:
        cl_uint, out_devices: *mut cl_device_id, num_devices_ret: *mut cl_uint) -> cl_int;
    fn clRetainDevice(device: cl_device_id) -> cl_int;
    fn clReleaseDevice(device: cl_device_id) -> cl_int;
    fn clRetainContext(context: cl_context) -> cl_int;
    fn clReleaseContext(context: cl_context) -> cl_int;
    fn clGetContextInfo(context: cl_context, param_name: cl_context_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clRetainCommandQueue(command_queue: cl_command_queue) -> cl_int;
    fn clReleaseCommandQueue(command_queue: cl_command_queue) -> cl_int;
    fn clGetCommandQueueInfo(command_queue: cl_command_queue, param_name: cl_command_queue_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clRetainMemObject(memobj: cl_mem) -> cl_int;
    fn clReleaseMemObject(memobj: cl_mem) -> cl_int;
    fn clGetSupportedImageFormats(context: cl_context, flags: cl_mem_flags, image_type: cl_mem_object_type,
        num_entries: cl_uint, image_formats: *mut cl_image_format, num_image_formats: *mut cl_uint) -> cl_int;
    fn clGetMemObjectInfo(memobj: cl_mem, param_name: cl_mem_info, param_value_size: size_t, param_value: *mut
        c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clGetImageInfo(image: cl_mem, param_name: cl_image_info, param_value_size: size_t, param_value: *mut
        c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clSetMemObjectDestructorCallback(memobj: cl_mem, pfn_notify: MemNotify, user_data: *mut c_void) ->
        cl_int;
    fn clRetainSampler(sampler: cl_sampler) -> cl_int;
    fn clReleaseSampler(sampler: cl_sampler) -> cl_int;
    fn clGetSamplerInfo(sampler: cl_sampler, param_name: cl_sampler_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clRetainProgram(program: cl_program) -> cl_int;
    fn clReleaseProgram(program: cl_program) -> cl_int;
    fn clBuildProgram(program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options:
        *const c_char, pfn_notify: Option<extern "C" fn(cl_program, *mut c_void)>, user_data: *mut c_void) ->
        cl_int;
    fn clUnloadCompiler() -> cl_int;
    fn clCompileProgram(program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id, options:
        *const c_char, num_input_headers: cl_uint, input_headers: *const cl_program, header_include_names:
        *const *const c_char, pfn_notify: ProgramNotify, user_data: *mut c_void) -> cl_int;
    fn clGetProgramInfo(program: cl_program, param_name: cl_program_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clGetProgramBuildInfo(program: cl_program, device: cl_device_id, param_name: cl_program_build_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clCreateKernelsInProgram(program: cl_program, num_kernels: cl_uint, kernels: *mut cl_kernel,
        num_kernels_ret: *mut cl_uint) -> cl_int;
    fn clRetainKernel(kernel: cl_kernel) -> cl_int;
    fn clReleaseKernel(kernel: cl_kernel) -> cl_int;
    fn clSetKernelArg(kernel: cl_kernel, arg_index: cl_uint, arg_size: size_t, arg_value: *const c_void) ->
        cl_int;
    fn clGetKernelInfo(kernel: cl_kernel, param_name: cl_kernel_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clGetKernelArgInfo(kernel: cl_kernel, arg_indx: cl_uint, param_name: cl_kernel_arg_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clGetKernelWorkGroupInfo(kernel: cl_kernel, device: cl_device_id, param_name: cl_kernel_work_group_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clWaitForEvents(num_events: cl_uint, event_list: *const cl_event) -> cl_int;
    fn clGetEventInfo(event: cl_event, param_name: cl_event_info, param_value_size: size_t, param_value: *mut
        c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clRetainEvent(event: cl_event) -> cl_int;
    fn clReleaseEvent(event: cl_event) -> cl_int;
    fn clSetUserEventStatus(event: cl_event, execution_status: cl_int) -> cl_int;
    fn clSetEventCallback(event: cl_event, command_exec_callback_type: cl_int, pfn_notify: Option<EventNotify>,
        user_data: *mut c_void) -> cl_int;
    fn clGetEventProfilingInfo(event: cl_event, param_name: cl_profiling_info, param_value_size: size_t,
        param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clFlush(command_queue: cl_command_queue) -> cl_int;
    fn clFinish(command_queue: cl_command_queue) -> cl_int;
    fn clEnqueueReadBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool, offset:
        size_t, cb: size_t, ptr: *mut c_void, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueReadBufferRect(command_queue: cl_command_queue, buffer: cl_mem, blocking_read: cl_bool,
        buffer_origin: *const size_t, host_origin: *const size_t, region: *const size_t, buffer_row_pitch:
        size_t, buffer_slc_pitch: size_t, host_row_pitch: size_t, host_slc_pitch: size_t, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueWriteBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool, offset:
        size_t, cb: size_t, ptr: *const c_void, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueWriteBufferRect(command_queue: cl_command_queue, buffer: cl_mem, blocking_write: cl_bool,
        buffer_origin: *const size_t, host_origin: *const size_t, region: *const size_t, buffer_row_pitch:
        size_t, buffer_slc_pitch: size_t, host_row_pitch: size_t, host_slc_pitch: size_t, ptr: *const c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueFillBuffer(command_queue: cl_command_queue, buffer: cl_mem, pattern: *const c_void,
        pattern_size: size_t, offset: size_t, size: size_t, num_events_in_wait_list: cl_uint, event_wait_list:
        *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueCopyBuffer(command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem, src_offset:
        size_t, dst_offset: size_t, cb: size_t, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueCopyBufferRect(command_queue: cl_command_queue, src_buffer: cl_mem, dst_buffer: cl_mem,
        src_origin: *const size_t, dst_origin: *const size_t, region: *const size_t, src_row_pitch: size_t,
        src_slc_pitch: size_t, dst_row_pitch: size_t, dst_slc_pitch: size_t, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueReadImage(command_queue: cl_command_queue, image: cl_mem, blocking_read: cl_bool, origin: *const
        size_t, region: *const size_t, row_pitch: size_t, slc_pitch: size_t, ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueWriteImage(command_queue: cl_command_queue, image: cl_mem, blocking_write: cl_bool, origin:
        *const size_t, region: *const size_t, input_row_pitch: size_t, input_slc_pitch: size_t, ptr: *const
        c_void, num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) ->
        cl_int;
    fn clEnqueueFillImage(command_queue: cl_command_queue, image: cl_mem, fill_color: *const c_void, origin:
        *const size_t, region: *const size_t, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueCopyImage(command_queue: cl_command_queue, src_image: cl_mem, dst_image: cl_mem, src_origin:
        *const size_t, dst_origin: *const size_t, region: *const size_t, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueCopyImageToBuffer(command_queue: cl_command_queue, src_image: cl_mem, dst_buffer: cl_mem,
        src_origin: *const size_t, region: *const size_t, dst_offset: size_t, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueCopyBufferToImage(command_queue: cl_command_queue, src_buffer: cl_mem, dst_image: cl_mem,
        src_offset: size_t, dst_origin: *const size_t, region: *const size_t, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueUnmapMemObject(command_queue: cl_command_queue, memobj: cl_mem, mapped_ptr: *mut c_void,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueMigrateMemObjects(command_queue: cl_command_queue, num_mem_objects: cl_uint, mem_objects: *const
        cl_mem, flags: cl_mem_migration_flags, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueNDRangeKernel(command_queue: cl_command_queue, kernel: cl_kernel, work_dim: cl_uint,
        global_work_offset: *const size_t, global_work_dims: *const size_t, local_work_dims: *const size_t,
        num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueTask(command_queue: cl_command_queue, kernel: cl_kernel, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueNativeKernel(command_queue: cl_command_queue, user_func: Option<extern "C" fn(*mut c_void)>,
        args: *mut c_void, cb_args: size_t, num_mem_objects: cl_uint, mem_list: *const cl_mem, args_mem_loc:
        *const *const c_void, num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut
        cl_event) -> cl_int;
    fn clEnqueueMarker(command_queue: cl_command_queue, event: *mut cl_event) -> cl_int;
    fn clEnqueueMarkerWithWaitList(command_queue: cl_command_queue, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueWaitForEvents(command_queue: cl_command_queue, num_events: cl_uint, event_list: *mut cl_event)
        -> cl_int;
    fn clEnqueueBarrierWithWaitList(command_queue: cl_command_queue, num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event, event: *mut cl_event) -> cl_int;
    fn clEnqueueBarrier(command_queue: cl_command_queue) -> cl_int;
    fn clGetGLObjectInfo(memobj: cl_mem, gl_object_type: *mut cl_gl_object_type, gl_object_name: *mut cl_GLuint)
        -> cl_int;
    fn clGetGLTextureInfo(memobj: cl_mem, param_name: cl_gl_texture_info, param_value_size: size_t, param_value:
        *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    fn clEnqueueAcquireGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const
        cl_mem, num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) ->
        cl_int;
    fn clEnqueueReleaseGLObjects(command_queue: cl_command_queue, num_objects: cl_uint, mem_objects: *const
        cl_mem, num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event: *mut cl_event) ->
        cl_int;
    fn clGetGLContextInfoKHR(properties: *const cl_context_properties, param_name: cl_gl_context_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t) -> cl_int;
    ----
    fn clCreateContext(properties: *const cl_context_properties, num_devices: cl_uint, devices: *const
        cl_device_id, pfn_notify: ContextNotify, user_data: *mut c_void) -> cl_context;
    fn clCreateContextFromType(properties: *const cl_context_properties, device_type: cl_device_type,
        pfn_notify: ContextNotify, user_data: *mut c_void) -> cl_context;
    fn clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties)
        -> cl_command_queue;
    fn clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: size_t, host_ptr: *mut c_void) -> cl_mem;
    fn clCreateSubBuffer(buffer: cl_mem, flags: cl_mem_flags, buffer_create_type: cl_buffer_create_type,
        buffer_create_info: *const c_void) -> cl_mem;
    fn clCreateImage2D(context: cl_context, flags: cl_mem_flags, image_format: *mut cl_image_format,
        image_width: size_t, image_depth: size_t, image_slc_pitch: size_t, host_ptr: *mut c_void) -> cl_mem;
    fn clCreateImage3D(context: cl_context, flags: cl_mem_flags, image_format: *mut cl_image_format,
        image_width: size_t, image_height: size_t, image_depth: size_t, image_row_pitch: size_t,
        image_slc_pitch: size_t, host_ptr: *mut c_void) -> cl_mem;
    fn clCreateImage(context: cl_context, flags: cl_mem_flags, image_format: *const cl_image_format, image_desc:
        *const cl_image_desc, host_ptr: *mut c_void) -> cl_mem;
    fn clCreateSampler(context: cl_context, normalize_coords: cl_bool, addressing_mode: cl_addressing_mode,
        filter_mode: cl_filter_mode) -> cl_sampler;
    fn clCreateProgramWithSource(context: cl_context, count: cl_uint, strings: *const *const c_char, lengths:
        *const size_t) -> cl_program;
    fn clCreateProgramWithBinary(context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id,
        lengths: *const size_t, binaries: *const *const c_uchar, binary_status: *mut cl_int) -> cl_program;
    fn clCreateProgramWithBuiltInKernels(context: cl_context, num_devices: cl_uint, device_list: *const
        cl_device_id, kernel_names: *const char) -> cl_program;
    fn clLinkProgram(context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id, options:
        *const c_char, num_input_programs: cl_uint, input_programs: *const cl_program, pfn_notify:
        ProgramNotify, user_data: *mut c_void) -> cl_program;
    fn clCreateKernel(program: cl_program, kernel_name: *const c_char) -> cl_kernel;
    fn clCreateUserEvent(context: cl_context) -> cl_event;
    fn clCreateFromGLBuffer(context: cl_context, flags: cl_mem_flags, bufobj: cl_GLuint) -> cl_mem;
    fn clCreateFromGLTexture(context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel:
        cl_GLint, texture: cl_GLuint) -> cl_mem;
    fn clCreateFromGLRenderbuffer(context: cl_context, flags: cl_mem_flags, renderbuffer: cl_GLuint) -> cl_mem;
    fn clCreateFromGLTexture2D(context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel:
        cl_GLint, texture: cl_GLuint) -> cl_mem;
    fn clCreateFromGLTexture3D(context: cl_context, flags: cl_mem_flags, texture_target: cl_GLenum, miplevel:
        cl_GLint, texture: cl_GLuint) -> cl_mem;
    fn clEnqueueMapBuffer(command_queue: cl_command_queue, buffer: cl_mem, blocking_map: cl_bool, map_flags:
        cl_map_flags, offset: size_t, size: size_t, num_events_in_wait_list: cl_uint, event_wait_list: *const
        cl_event, event: *mut cl_event) -> *mut c_void;
    fn clEnqueueMapImage(command_queue: cl_command_queue, image: cl_mem, blocking_map: cl_bool, map_flags:
        cl_map_flags, origin: *const size_t, region: *const size_t, image_row_pitch: *mut size_t,
        image_slc_pitch: *mut size_t, num_events_in_wait_list: cl_uint, event_wait_list: *const cl_event, event:
        *mut cl_event) -> *mut c_void;
}
