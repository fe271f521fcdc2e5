//! Imminent beside other libraries, in one process: every figure is the median of pairs that were measured by turns.
//!
//! `imminent-compare cpu` compares reductions on the host with a plain iterator and with rayon; `imminent-compare wgpu`
//! and `cuda` compare reductions and launches with CubeCL on the same device. `--json` prints one object on each line.

#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod cube;
mod host;
#[cfg(any(feature = "wgpu", feature = "cuda"))]
mod launch;

use clap::{Parser, ValueEnum};

#[derive(Parser)]
#[command(about = "Imminent beside other libraries, in one process")]
struct Arguments {
    /// Host or device on which to compare.
    on: On,
    /// Least number of elements, as a power of two.
    #[arg(long, default_value_t = 10)]
    from: u32,
    /// Greatest number of elements, as a power of two.
    #[arg(long, default_value_t = 26)]
    to: u32,
    /// Pairs for each figure.
    #[arg(long, default_value_t = 31)]
    pairs: usize,
    /// Print one JSON object on each line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum On {
    /// The host, with a plain iterator and rayon.
    Cpu,
    /// The first WebGPU device, with CubeCL.
    Wgpu,
    /// The first CUDA device, with CubeCL.
    Cuda,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    #[cfg(any(feature = "wgpu", feature = "cuda"))]
    if arguments.on != On::Cpu {
        cube::launches(arguments.on, arguments.pairs)?;
    }
    for power in (arguments.from..=arguments.to).step_by(2) {
        let values = values(1 << power);
        match arguments.on {
            On::Cpu => host::compare(&values, arguments.pairs)?,
            #[cfg(any(feature = "wgpu", feature = "cuda"))]
            on => cube::compare(on, &values, arguments.pairs)?,
            #[cfg(not(any(feature = "wgpu", feature = "cuda")))]
            _ => return Err("built without CubeCL: use the feature `wgpu` or `cuda`".into()),
        }
    }
    Ok(())
}

/// Numbers without a pattern.
fn values(count: usize) -> Vec<u32> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    (0..count).map(|_| next()).collect()
}
