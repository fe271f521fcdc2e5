//! Modules with a few bytes of their encoding flipped, lowered if they still flatten.

use super::validate::{options, validate};
use imminent_ir::{Module, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::wgsl::{Int64, WgslOptions, WgslSource, lower};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Flips a few bytes of an encoded module many times, and checks the modules that still flatten.
pub fn damage(module: &Module, rounds: usize, seed: u64) -> usize {
    damage_and(module, rounds, seed, |_, _| {})
}

/// Damages a module like [`damage`], and shows each text to which the damaged modules lower.
pub fn damage_and(module: &Module, rounds: usize, seed: u64, mut look: impl FnMut(Int64, &WgslSource)) -> usize {
    let good = module.encode().unwrap();
    let mut random = Random(seed);
    let mut lowered = 0;
    for round in 0..rounds {
        let mut bytes = good.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = if random.below(2) == 0 { random.below(12) as u8 } else { bytes[at] ^ (1 << random.below(8)) };
        }
        let Ok(module) = Module::decode(&bytes) else { continue };
        for kernel in &module.kernels {
            let Ok(flat) = flatten(&module, kernel) else { continue };
            let int64 = if round % 2 == 0 { Int64::Emulated } else { Int64::Native };
            let options = WgslOptions { int64_atomics: int64 == Int64::Native, ..options(int64) };
            match lower(&flat, &options) {
                Ok(source) => {
                    validate(&source);
                    look(int64, &source);
                    lowered += 1;
                }
                Err(LoweringError::Unsupported { .. } | LoweringError::WideTally { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    lowered
}
