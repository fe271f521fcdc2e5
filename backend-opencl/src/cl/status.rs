//! Status codes.

use ocl::ffi::cl_int;
use std::fmt;

/// A failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Name of the function.
    pub(crate) call: &'static str,
    /// Status that it returned.
    pub(crate) status: cl_int,
}

/// Codes with special treatment.
pub(crate) mod code {
    use ocl::ffi::cl_int;

    pub(crate) const DEVICE_NOT_FOUND: cl_int = -1;
    pub(crate) const DEVICE_NOT_AVAILABLE: cl_int = -2;
    pub(crate) const MEM_OBJECT_ALLOCATION_FAILURE: cl_int = -4;
    pub(crate) const OUT_OF_RESOURCES: cl_int = -5;
    pub(crate) const OUT_OF_HOST_MEMORY: cl_int = -6;
    pub(crate) const INVALID_BUFFER_SIZE: cl_int = -61;
    pub(crate) const INVALID_CONTEXT: cl_int = -34;
    pub(crate) const INVALID_COMMAND_QUEUE: cl_int = -36;
    /// NVIDIA's code for a kernel that accessed memory out of bounds.
    pub(crate) const ILLEGAL_ACCESS: cl_int = -9999;
}

impl Failure {
    /// Returns `Ok` for the status of success.
    pub(crate) fn check(call: &'static str, status: cl_int) -> Result<(), Failure> {
        if status == 0 { Ok(()) } else { Err(Failure { call, status }) }
    }

    /// Returns the status's name in the OpenCL headers.
    pub(crate) fn name(&self) -> &'static str {
        match self.status {
            -1 => "CL_DEVICE_NOT_FOUND",
            -2 => "CL_DEVICE_NOT_AVAILABLE",
            -3 => "CL_COMPILER_NOT_AVAILABLE",
            -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
            -5 => "CL_OUT_OF_RESOURCES",
            -6 => "CL_OUT_OF_HOST_MEMORY",
            -7 => "CL_PROFILING_INFO_NOT_AVAILABLE",
            -8 => "CL_MEM_COPY_OVERLAP",
            -11 => "CL_BUILD_PROGRAM_FAILURE",
            -12 => "CL_MAP_FAILURE",
            -13 => "CL_MISALIGNED_SUB_BUFFER_OFFSET",
            -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
            -15 => "CL_COMPILE_PROGRAM_FAILURE",
            -16 => "CL_LINKER_NOT_AVAILABLE",
            -17 => "CL_LINK_PROGRAM_FAILURE",
            -30 => "CL_INVALID_VALUE",
            -31 => "CL_INVALID_DEVICE_TYPE",
            -32 => "CL_INVALID_PLATFORM",
            -33 => "CL_INVALID_DEVICE",
            -34 => "CL_INVALID_CONTEXT",
            -35 => "CL_INVALID_QUEUE_PROPERTIES",
            -36 => "CL_INVALID_COMMAND_QUEUE",
            -37 => "CL_INVALID_HOST_PTR",
            -38 => "CL_INVALID_MEM_OBJECT",
            -42 => "CL_INVALID_BINARY",
            -43 => "CL_INVALID_BUILD_OPTIONS",
            -44 => "CL_INVALID_PROGRAM",
            -45 => "CL_INVALID_PROGRAM_EXECUTABLE",
            -46 => "CL_INVALID_KERNEL_NAME",
            -47 => "CL_INVALID_KERNEL_DEFINITION",
            -48 => "CL_INVALID_KERNEL",
            -49 => "CL_INVALID_ARG_INDEX",
            -50 => "CL_INVALID_ARG_VALUE",
            -51 => "CL_INVALID_ARG_SIZE",
            -52 => "CL_INVALID_KERNEL_ARGS",
            -53 => "CL_INVALID_WORK_DIMENSION",
            -54 => "CL_INVALID_WORK_GROUP_SIZE",
            -55 => "CL_INVALID_WORK_ITEM_SIZE",
            -56 => "CL_INVALID_GLOBAL_OFFSET",
            -57 => "CL_INVALID_EVENT_WAIT_LIST",
            -58 => "CL_INVALID_EVENT",
            -59 => "CL_INVALID_OPERATION",
            -61 => "CL_INVALID_BUFFER_SIZE",
            -63 => "CL_INVALID_GLOBAL_WORK_SIZE",
            -1001 => "CL_PLATFORM_NOT_FOUND_KHR",
            -9999 => "illegal memory access",
            _ => "a status that OpenCL does not define",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} gave {} ({})", self.call, self.name(), self.status)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_failure_names_the_call_and_the_status_even_one_of_a_drivers_own() {
        let text = Failure::check("clFinish", -5).unwrap_err().to_string();
        assert_eq!(text, "clFinish gave CL_OUT_OF_RESOURCES (-5)");
        let text = Failure::check("clFinish", -9876).unwrap_err().to_string();
        assert!(text.contains("-9876"), "{text}");
        assert!(Failure::check("clFinish", 0).is_ok());
    }
}
