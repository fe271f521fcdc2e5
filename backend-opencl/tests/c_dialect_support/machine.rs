//! Runs a generated kernel on the first OpenCL device, with the bare calls of OpenCL.

use imminent_core::c_dialect::{
    CError, COptions, CSource, EXTENT_WORD, ParameterRole, ROWS_PER_GROUP, compiler_options, identity_words, lower,
    lower_reduce,
};
use imminent_ir::Scalar;
use imminent_ir::flatten::FlatKernel;
use imminent_testkit::lowering::{Data, Machine, Outcome, Rounding, Run};
use ocl::core::{CommandQueue, Context, ContextProperties, DeviceId, DeviceInfo, Event, Kernel, Mem, MemFlags};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

pub struct Bare {
    device: DeviceId,
    context: Context,
    queue: CommandQueue,
    extensions: String,
    /// Kernels by their text and the compiler's options.
    compiled: Mutex<HashMap<(String, String), Kernel>>,
}

impl Bare {
    /// The first device of the first platform. Its absence is a failure: the tests that run kernels need one.
    pub fn open() -> Bare {
        // The first look at a platform's devices from two threads at once finds none in PoCL.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let platforms = ocl::core::get_platform_ids().expect("an OpenCL platform, for example PoCL");
        let platform = platforms.first().expect("an OpenCL platform, for example PoCL");
        let device = *ocl::core::get_device_ids(platform, None, None).expect("a device").first().expect("a device");
        let properties = ContextProperties::new().platform(*platform);
        let context = ocl::core::create_context(Some(&properties), &[device], None, None).expect("a context");
        let queue = ocl::core::create_command_queue(&context, device, None).expect("a queue");
        let extensions =
            ocl::core::get_device_info(device, DeviceInfo::Extensions).expect("a list of extensions").to_string();
        Bare { device, context, queue, extensions, compiled: Mutex::default() }
    }

    /// Options with everything that the device offers.
    pub fn options(&self) -> COptions {
        let has = |extension: &str| self.extensions.split_whitespace().any(|e| e == extension);
        let config = ocl::core::get_device_info(self.device, DeviceInfo::SingleFpConfig).expect("its float settings");
        COptions {
            float64: has("cl_khr_fp64"),
            int64_atomics: has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"),
            correctly_rounded_divide_sqrt: config.to_string().contains("CORRECTLY_ROUNDED"),
            ..COptions::opencl()
        }
    }

    /// The same in several shapes, which must not change a result.
    pub fn shapes(&self) -> Vec<COptions> {
        let full = self.options();
        vec![
            COptions { workgroup_size: 64, line_directives: true, ..full.clone() },
            COptions { workgroup_size: 1, launch_in_buffer: true, int64_atomics: false, ..full.clone() },
            full,
        ]
    }

    /// Compiles a text; panics with the compiler's words where it fails.
    pub fn compile(&self, source: &CSource, options: &COptions) -> Kernel {
        let flags = format!("-cl-std=CL1.2 {}", compiler_options(options).join(" "));
        let key = (source.code.clone(), flags.clone());
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = compiled.get(&key) {
            return kernel.clone();
        }
        let text = CString::new(source.code.as_str()).unwrap();
        let program = ocl::core::create_program_with_source(&self.context, &[text]).unwrap();
        let flags = CString::new(flags).unwrap();
        if let Err(error) = ocl::core::build_program(&program, Some(&[self.device]), &flags, None, None) {
            let numbered: String = source.code.lines().zip(1..).map(|(l, n)| format!("{n:4} {l}\n")).collect();
            panic!("{error}\n{numbered}");
        }
        let kernel = ocl::core::create_kernel(&program, &source.entry).unwrap();
        compiled.insert(key, kernel.clone());
        kernel
    }

    fn dispatch(&self, source: &CSource, options: &COptions, launch: &[u32], buffers: &[Mem], groups: u32) {
        let kernel = self.compile(source, options);
        for (at, (parameter, buffer)) in (0..).zip(source.parameters.iter().zip(buffers)) {
            if parameter.role == ParameterRole::Launch && !options.launch_in_buffer {
                // SAFETY: the pointer is to as many bytes as are named, and they are copied before the call returns.
                let status = unsafe {
                    ocl::ffi::clSetKernelArg(kernel.as_ptr(), at, std::mem::size_of_val(launch), launch.as_ptr().cast())
                };
                assert_eq!(status, 0, "the launch block of {} words", launch.len());
            } else {
                ocl::core::set_kernel_arg(&kernel, at, ocl::core::ArgVal::mem(buffer)).unwrap();
            }
        }
        let size = source.workgroup_size as usize;
        let global = [groups as usize * size, 1, 1];
        // SAFETY: the kernel's arguments are set, the buffers live until `finish` below, and the text accesses nothing
        // outside of what the launch block says that they hold.
        unsafe {
            ocl::core::enqueue_kernel(
                &self.queue,
                &kernel,
                1,
                None,
                &global,
                Some([size, 1, 1]),
                None::<&Event>,
                None::<&mut Event>,
            )
            .unwrap();
        }
        ocl::core::finish(&self.queue).unwrap();
    }

    fn buffer(&self, words: &[u32]) -> Mem {
        let padded: Vec<u32> = if words.is_empty() { vec![0] } else { words.to_vec() };
        let flags = MemFlags::new().read_write().copy_host_ptr();
        // SAFETY: the words are copied before the call returns, and there are as many as are named.
        unsafe { ocl::core::create_buffer(&self.context, flags, padded.len(), Some(&padded)).unwrap() }
    }

    fn read(&self, buffer: &Mem, words: usize) -> Vec<u32> {
        let mut out = vec![0; words];
        if words > 0 {
            // SAFETY: the read blocks, so the vector outlives it.
            unsafe {
                ocl::core::enqueue_read_buffer(
                    &self.queue,
                    buffer,
                    true,
                    0,
                    &mut out,
                    None::<&Event>,
                    None::<&mut Event>,
                )
                .unwrap();
            }
        }
        out
    }
}

impl Machine for Bare {
    type Options = COptions;

    fn ways(&self, _: &FlatKernel, _: &[Data]) -> Vec<COptions> {
        self.shapes()
    }

    /// With division and square roots rounded by the device's compiler, by the lowering in `f64`, and by the lowering in `f32`.
    fn arithmetic(&self, scalar: Scalar) -> Vec<COptions> {
        let full = self.options();
        let without = COptions { float64: false, correctly_rounded_divide_sqrt: false, ..full.clone() };
        match scalar {
            Scalar::F32 => vec![COptions { correctly_rounded_divide_sqrt: false, ..full.clone() }, without, full],
            Scalar::F64 => vec![without, full],
            _ => vec![full],
        }
    }

    fn rounding(&self, options: &COptions, scalar: Scalar) -> Rounding {
        let exact = scalar != Scalar::F32 || options.correctly_rounded_divide_sqrt || options.float64;
        if exact { Rounding::Exact } else { Rounding::Within }
    }

    fn has_float64(&self, options: &COptions) -> bool {
        options.float64
    }

    fn has_wide_tallies(&self, options: &COptions) -> bool {
        options.int64_atomics
    }

    fn refusal(&self, flat: &FlatKernel, options: &COptions) -> String {
        let error = lower(flat, options).unwrap_err();
        assert!(matches!(error, CError::Unsupported { .. } | CError::WideTally { .. }), "{error}");
        error.to_string()
    }

    fn launch_as(&self, flat: &FlatKernel, options: &COptions, run: &Run<'_>, data: &[Data]) -> Outcome {
        let options = &COptions { subset: run.subset.is_some(), ..options.clone() };
        let Run { rows: n, halt, .. } = *run;
        let source = lower(flat, options).unwrap_or_else(|e| panic!("{e}"));
        let groups = if flat.shape.is_grouped() { flat.shape.groups(n, run.width) } else { n.div_ceil(ROWS_PER_GROUP) };
        let mut launch = vec![0; source.launch.words as usize];
        // The fault slots start after one that is somebody else's.
        launch[..2].copy_from_slice(&[n, 2]);
        launch[EXTENT_WORD as usize] = if run.subset.is_some() { data[0].rows } else { run.width };
        for (header, data) in source.launch.headers.iter().zip(data) {
            launch[*header as usize..][..3].copy_from_slice(&[data.rows, data.stride, data.capacity]);
        }
        for block in &source.launch.params {
            let words = &data[block.binding as usize].words;
            launch[block.offset as usize..][..words.len()].copy_from_slice(words);
        }
        let mut state = vec![u32::MAX; flat.sites.len() + 2];
        state[0] = halt;
        let result_words = source.reduce.map_or(0, |r| r.words);
        let buffers: Vec<Mem> = source
            .parameters
            .iter()
            .map(|parameter| match parameter.role {
                ParameterRole::State => self.buffer(&state),
                ParameterRole::Launch => self.buffer(&launch),
                ParameterRole::Partials => self.buffer(&vec![0xdead_beef; (groups * result_words) as usize]),
                ParameterRole::Table { binding } | ParameterRole::Tally { binding } => {
                    self.buffer(&data[binding as usize].words)
                }
                ParameterRole::SubsetRows => self.buffer(run.subset.unwrap_or_default()),
                ParameterRole::SubsetCount => self.buffer(&[run.subset.map_or(0, <[u32]>::len) as u32]),
                ParameterRole::Input | ParameterRole::Output => unreachable!(),
            })
            .collect();
        // One group more than there are rows for.
        self.dispatch(&source, options, &launch, &buffers, groups + 1);
        let mut out: Vec<Vec<u32>> = data.iter().map(|d| d.words.clone()).collect();
        for (parameter, buffer) in source.parameters.iter().zip(&buffers) {
            if let ParameterRole::Table { binding } | ParameterRole::Tally { binding } = parameter.role {
                let words = self.read(buffer, out[binding as usize].len());
                assert!(parameter.writable || words == out[binding as usize], "{} is not written", parameter.name);
                out[binding as usize] = words;
            }
        }
        let state = self.read(&buffers[0], state.len());
        assert_eq!((state[0], state[1]), (halt, u32::MAX));
        let result = source.reduce.map(|layout| {
            if n == 0 {
                return identity_words(layout.reduce, layout.scalar);
            }
            let second = lower_reduce(layout.reduce, layout.scalar, options).unwrap();
            let mut count = groups;
            let mut words = self.read(&buffers[2], (groups * layout.words) as usize);
            let mut level = 0;
            while count > 1 {
                let next = count.div_ceil(ROWS_PER_GROUP);
                level += 1;
                let mut launch = [count, 0, 0, 0, 0, 0, 0, 0];
                if run.subset.is_some() {
                    (launch[0], launch[EXTENT_WORD as usize]) = (n, level);
                }
                let length = (next * layout.words) as usize;
                let mut buffers =
                    vec![self.buffer(&[0]), self.buffer(&launch), self.buffer(&words), self.buffer(&vec![0; length])];
                buffers.extend(run.subset.map(|list| self.buffer(&[list.len() as u32])));
                self.dispatch(&second, options, &launch, &buffers, next);
                words = self.read(&buffers[3], length);
                count = next;
            }
            words
        });
        Outcome { data: out, faults: state[2..].to_vec(), result }
    }
}
