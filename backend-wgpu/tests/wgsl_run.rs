//! The text of the WGSL lowering, run on a device.

#![allow(clippy::unwrap_used, clippy::panic)]

mod wgsl_support;

use imminent_ir::{Scalar, TallyOp, flatten};
use imminent_testkit::lowering::{Data, Run, layout};
use imminent_testkit::modules::kernels;
use imminent_wgpu::wgsl::{Int64, WgslOptions};
use wgsl_support::gpu::Gpu;

imminent_testkit::lowering_cases!(Gpu::open());

#[test]
fn a_launch_may_start_at_a_later_group() {
    let gpu = Gpu::open();
    let built = kernels::tally(Scalar::U32, TallyOp::Add);
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let layout = layout(&flat, 0);
    let n = 1000;
    let mut table = Data::table(&layout, n, 0);
    for row in 0..n {
        table.set(&layout, "amount", row, 1);
    }
    let data = [table, Data::tally(Scalar::U32, 1, 0)];
    for workgroup_size in [256, 64] {
        let options = WgslOptions { workgroup_size, ..gpu.options(Int64::Emulated) };
        // The dispatch has four groups (and some to spare) from the third on: two of them have rows.
        let outcome = gpu.launch_from(&flat, &options, &Run { rows: n, ..Run::default() }, &data, 2);
        assert_eq!(outcome.data[1], [n - 512]);
        // A group number whose rows would wrap around has none.
        let outcome = gpu.launch_from(&flat, &options, &Run { rows: n, ..Run::default() }, &data, 1 << 24);
        assert_eq!(outcome.data[1], [0]);
    }
}
