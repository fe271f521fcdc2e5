//! Launches of a small kernel, beside the same launches by CubeCL.

use cubecl::prelude::*;
use imminent::{Device, Table};
use imminent_testkit::pairs::measure;

/// Number of launches that are queued before a wait.
const QUEUED: usize = 1000;

/// The kernel in Imminent.
#[imminent::kernels]
mod ours {
    /// Row of the benchmark's table.
    #[derive(Row)]
    pub struct Count {
        /// Number of launches so far.
        pub times: u32,
    }

    /// Counts a launch.
    #[kernel]
    pub fn count(me: &mut Count) {
        me.times += 1;
    }
}

#[cube(launch_unchecked)]
fn count(times: &mut Array<u32>) {
    if ABSOLUTE_POS < times.len() {
        times[ABSOLUTE_POS] += 1u32;
    }
}

/// Compares launches over so many rows: queued back to back, and one at a time with a wait.
pub fn compare<R: Runtime>(
    client: &ComputeClient<R>,
    device: &Device,
    rows: usize,
    pairs: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut table = Table::<ours::Count>::zeroed(device, rows)?;
    let theirs = client.create_from_slice(bytemuck::cast_slice(&vec![0_u32; rows]));
    let cubes = CubeCount::Static(rows.div_ceil(256) as u32, 1, 1);
    let launch = || {
        // SAFETY: the handle has so many elements, and the kernel stays inside them.
        unsafe {
            let times = ArrayArg::from_raw_parts(theirs.clone(), rows);
            count::launch_unchecked::<R>(client, cubes.clone(), CubeDim::new_1d(256), times);
        }
    };
    let wait = || cubecl::future::block_on(client.sync()).expect("their queue");
    for (what, launches) in [("queued", QUEUED), ("and a wait", 1)] {
        let found = measure(
            &format!("a launch over {rows} rows, {what}, beside CubeCL"),
            pairs,
            launches,
            || {
                for _ in 0..launches {
                    device.queue().launch::<ours::count>((&mut table,)).expect("our launch");
                }
                device.queue().wait().expect("our queue");
            },
            || {
                (0..launches).for_each(|_| launch());
                wait();
            },
        );
        found.print();
    }
    let read = client.read_one(theirs).map_err(|error| format!("{error:?}"))?;
    let theirs: u32 = bytemuck::pod_read_unaligned(&read[..4]);
    assert_eq!(table.read()?[0].times, theirs, "both were launched as often");
    Ok(())
}
