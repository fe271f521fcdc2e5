//! Reductions on a device, beside CubeCL.

use crate::{On, launch};
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::zspace::{Shape, Strides};
use cubek_reduce::components::instructions::ReduceOperationConfig;
use cubek_reduce::launch::{RoutineStrategy, VectorizationStrategy};
use cubek_reduce::routines::{BlueprintStrategy, cube::CubeStrategy, plane::PlaneStrategy, unit::UnitStrategy};
use cubek_reduce::{ReduceDtypes, ReduceStrategy};
use imminent::{DeviceSelection, Table};
use imminent_testkit::pairs::measure;
use std::time::Instant;

/// Launches that are queued back to back before the queue is waited for.
const QUEUED: usize = 64;

/// Compares the least value and the sum of a column: queued back to back, and one at a time with the value read back.
pub fn compare(on: On, values: &[u32], pairs: usize) -> Result<(), Box<dyn std::error::Error>> {
    match on {
        #[cfg(feature = "cuda")]
        On::Cuda => compare_with::<cubecl::cuda::CudaRuntime>("cuda", values, pairs),
        #[cfg(feature = "wgpu")]
        On::Wgpu => compare_with::<cubecl::wgpu::WgpuRuntime>("wgpu", values, pairs),
        _ => Err("built without CubeCL for this device".into()),
    }
}

/// Compares launches of a small kernel over few rows and many.
pub fn launches(on: On, pairs: usize) -> Result<(), Box<dyn std::error::Error>> {
    match on {
        #[cfg(feature = "cuda")]
        On::Cuda => launches_with::<cubecl::cuda::CudaRuntime>("cuda", pairs),
        #[cfg(feature = "wgpu")]
        On::Wgpu => launches_with::<cubecl::wgpu::WgpuRuntime>("wgpu", pairs),
        _ => Err("built without CubeCL for this device".into()),
    }
}

fn launches_with<R: Runtime>(backend: &str, pairs: usize) -> Result<(), Box<dyn std::error::Error>> {
    let (client, device) = (R::client(&Default::default()), imminent::open(&DeviceSelection::backend(backend))?);
    [1024, 1 << 20].into_iter().try_for_each(|rows| launch::compare(&client, &device, rows, pairs))
}

fn compare_with<R: Runtime>(
    backend: &str,
    values: &[u32],
    pairs: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let client = R::client(&Default::default());
    let device = imminent::open(&DeviceSelection::backend(backend))?;
    let queue = device.queue();
    let table = Table::from_rows(&device, values)?;
    let input = client.create_from_slice(bytemuck::cast_slice(values));
    let length = values.len();
    for (name, operation, expected) in [
        ("min", ReduceOperationConfig::Min, values.iter().copied().min().unwrap_or(u32::MAX)),
        ("sum", ReduceOperationConfig::Sum, values.iter().copied().fold(0, u32::wrapping_add)),
    ] {
        let ours = || if name == "min" { queue.min(&table) } else { queue.sum(&table) };
        assert_eq!(ours()?.read()?, expected);
        let Some(plan) = best(&client, &input, length, operation, expected) else {
            println!("{name} of {length} u32: no plan of CubeCL's gives the right value");
            continue;
        };
        let theirs = || plan.run(&client, &input, length, operation);
        let queued = measure(
            &format!("{name} of {length} u32, queued, beside {plan}"),
            pairs,
            QUEUED,
            || {
                let last = (0..QUEUED).map(|_| ours()).last();
                drop(last);
                queue.wait().expect("our queue");
            },
            || {
                for _ in 0..QUEUED {
                    let _ = theirs();
                }
                cubecl::future::block_on(client.sync()).expect("their queue");
            },
        );
        queued.print();
        let read = measure(
            &format!("{name} of {length} u32, read back, beside {plan}"),
            pairs,
            1,
            || assert_eq!(ours().and_then(|value| value.read()).expect("our value"), expected),
            || assert_eq!(first(&client, theirs().expect("their plan")), expected),
        );
        read.print();
    }
    Ok(())
}

fn first<R: Runtime>(client: &ComputeClient<R>, handle: Handle) -> u32 {
    let bytes = client.read_one(handle).expect("their value");
    bytemuck::pod_read_unaligned(&bytes[..4])
}

/// Plan for a reduction by CubeCL: rows, each reduced by a cube, a plane or a unit, and then their results.
#[derive(Clone, Copy)]
struct Plan {
    rows: usize,
    first: Routine,
    then: Routine,
}

#[derive(Clone, Copy)]
enum Routine {
    Cube,
    Plane,
    Unit,
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |routine| match routine {
            Routine::Cube => "cube",
            Routine::Plane => "plane",
            Routine::Unit => "unit",
        };
        match self.rows {
            1 => write!(f, "CubeCL ({})", name(self.first)),
            rows => write!(f, "CubeCL ({rows} rows by {}, then {})", name(self.first), name(self.then)),
        }
    }
}

impl Plan {
    /// Queues the reduction; `None` if CubeCL refuses.
    fn run<R: Runtime>(
        self,
        client: &ComputeClient<R>,
        input: &Handle,
        length: usize,
        operation: ReduceOperationConfig,
    ) -> Option<Handle> {
        if self.rows == 1 {
            return reduce(client, input, (1, length), self.first, operation);
        }
        let partial = reduce(client, input, (self.rows, length / self.rows), self.first, operation)?;
        reduce(client, &partial, (1, self.rows), self.then, operation)
    }
}

fn reduce<R: Runtime>(
    client: &ComputeClient<R>,
    input: &Handle,
    (rows, columns): (usize, usize),
    routine: Routine,
    operation: ReduceOperationConfig,
) -> Option<Handle> {
    let output = client.empty(rows * 4);
    let tensor = |handle: &Handle, columns: usize| {
        // SAFETY: the handle has `rows * columns` elements, one row after another.
        unsafe {
            TensorBinding::from_raw_parts(handle.clone(), Strides::new(&[columns, 1]), Shape::new([rows, columns]))
        }
    };
    let strategy = ReduceStrategy {
        routine: match routine {
            Routine::Cube => RoutineStrategy::Cube(BlueprintStrategy::Inferred(CubeStrategy { use_planes: true })),
            Routine::Plane => RoutineStrategy::Plane(BlueprintStrategy::Inferred(PlaneStrategy { independent: true })),
            Routine::Unit => RoutineStrategy::Unit(BlueprintStrategy::Inferred(UnitStrategy)),
        },
        vectorization: VectorizationStrategy { parallel_output_vectorization: false },
    };
    let ty = u32::as_type_native_unchecked().storage_type();
    let types = ReduceDtypes { input: ty, output: ty, accumulation: ty };
    cubek_reduce::reduce(client, tensor(input, columns), tensor(&output, 1), 1, strategy, operation, types).ok()?;
    Some(output)
}

/// Finds the fastest of CubeCL's plans that give the right value, each tried a few times.
fn best<R: Runtime>(
    client: &ComputeClient<R>,
    input: &Handle,
    length: usize,
    operation: ReduceOperationConfig,
    expected: u32,
) -> Option<Plan> {
    let mut best: Option<(f64, Plan)> = None;
    let routines = [Routine::Cube, Routine::Plane, Routine::Unit];
    for rows in (0..=14).map(|power| 1 << power).filter(|rows| *rows == 1 || rows * 64 <= length) {
        for first_routine in routines {
            for then in if rows == 1 { &routines[..1] } else { &routines[..] } {
                let plan = Plan { rows, first: first_routine, then: *then };
                // One unit takes seconds for a long column.
                if matches!(first_routine, Routine::Unit) && length / rows > 1 << 16 {
                    continue;
                }
                let Some(value) = plan.run(client, input, length, operation) else { continue };
                if first(client, value) != expected {
                    continue;
                }
                let clock = Instant::now();
                for _ in 0..8 {
                    let _ = plan.run(client, input, length, operation);
                }
                if cubecl::future::block_on(client.sync()).is_err() {
                    continue;
                }
                let time = clock.elapsed().as_secs_f64();
                if best.is_none_or(|(least, _)| time < least) {
                    best = Some((time, plan));
                }
            }
        }
    }
    best.map(|(_, plan)| plan)
}
