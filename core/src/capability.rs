//! Kinds of devices, their capabilities and limits.

pub use imminent_ir::launch::Faults;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a device. The order is that in which `auto` prefers them: a GPU interface on the CPU is slower than the
/// host's native code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DeviceKind {
    /// A GPU with its own memory.
    DiscreteGpu,
    /// A GPU that shares the host's memory.
    IntegratedGpu,
    /// A GPU of unknown kind, or a virtual one.
    OtherGpu,
    /// The host itself, by native functions.
    Host,
    /// A GPU interface implemented on the CPU.
    CpuDevice,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::DiscreteGpu => "discrete GPU",
            DeviceKind::IntegratedGpu => "integrated GPU",
            DeviceKind::OtherGpu => "GPU",
            DeviceKind::Host => "host",
            DeviceKind::CpuDevice => "GPU interface on the CPU",
        })
    }
}

/// A device and its driver.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// The backend's name: `cpu`, `wgpu`.
    pub backend: String,
    /// The device's name, as its driver gives it.
    pub name: String,
    /// The driver and its version.
    pub driver: String,
    /// The kind of device.
    pub kind: DeviceKind,
    /// Index among the backend's devices.
    pub index: u32,
}

/// Implementation of 64-bit integers. Both give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Int64 {
    /// By the device.
    Native,
    /// Emulated as pairs of 32-bit words.
    Emulated,
}

impl fmt::Display for Int64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Int64::Native => "native",
            Int64::Emulated => "emulated",
        })
    }
}

/// Sizes that a device allows. A backend begins with [`Limits::new`] and changes fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the largest table that is certainly possible, memory permitting. Where tables lie in several pieces a
    /// larger one may be possible too.
    pub table_bytes: u64,
    /// Bytes of the largest column, which is one scalar of every row. It is less than `table_bytes` where tables lie in
    /// several pieces, since a column lies in one piece.
    pub column_bytes: u64,
    /// Rows of the largest launch.
    pub rows: u32,
    /// Tables and tallies that any kernel can bind, also one that returns values and runs over a selection. On a WebGPU
    /// device whose tables share buffers, fewer of them may be tallies: four where a kernel binds eight buffers.
    pub bindings: u32,
    /// Bytes of device memory, where known.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// Returns the limits of a device whose tables lie in one piece and whose memory has an unknown size.
    #[must_use]
    pub const fn new(table_bytes: u64, rows: u32, bindings: u32) -> Limits {
        Limits { table_bytes, column_bytes: table_bytes, rows, bindings, memory_bytes: None }
    }
}

/// Behaviour of a float type on a device, found by running it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FloatProbe {
    /// `a + b`, `a - b` and `a * b` round to nearest even.
    pub basic_correct: bool,
    /// `a / b` is correctly rounded.
    pub division_correct: bool,
    /// `sqrt` is correctly rounded.
    pub sqrt_correct: bool,
    /// `a * b + c` is fused into one rounding.
    pub contracts: bool,
    /// Expressions are rearranged or simplified by laws that do not hold for floats: `(a + b) - a` becomes `b`.
    pub rearranges: bool,
    /// Subnormal operands and results are kept.
    pub subnormals: bool,
    /// NaN and infinities compare and propagate as in IEEE 754.
    pub non_finite: bool,
}

impl FloatProbe {
    /// Returns the determinism class of `+ - * / sqrt`, each by itself.
    #[must_use]
    pub fn class(&self) -> Determinism {
        if self.defects().is_empty() { Determinism::Reproducible } else { Determinism::LOOSEST }
    }

    /// Lists the defects that keep this type from being reproducible.
    #[must_use]
    pub fn defects(&self) -> Vec<&'static str> {
        [
            (self.basic_correct, "addition or multiplication is not correctly rounded"),
            (self.division_correct, "division is not correctly rounded"),
            (self.sqrt_correct, "the square root is not correctly rounded"),
            (!self.contracts, "multiplications and additions are fused"),
            (!self.rearranges, "expressions are rearranged"),
            (self.subnormals, "subnormal numbers are flushed"),
            (self.non_finite, "NaN or infinity is not kept"),
        ]
        .into_iter()
        .filter_map(|(good, defect)| (!good).then_some(defect))
        .collect()
    }
}

/// Capabilities of a device. Float probes are filled in when the device is opened.
///
/// A backend begins with [`Capabilities::new`] and sets what its device can do beyond. So a capability that is added
/// later changes no backend.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Capabilities {
    /// Implementation of 64-bit integers.
    pub int64: Int64,
    /// `true` if tallies of 64-bit integers have `min` and `max`.
    pub tally_min_max_64: bool,
    /// `true` if kernels may use `f64`.
    pub float64: bool,
    /// Details that faults report.
    pub faults: Faults,
    /// `true` if a loop runs as often as its condition says. On llvmpipe it does not: all loops of an invocation end
    /// after 65,535 rounds together. A launch that reaches this bound has the fault
    /// [`FaultKind::LoopCut`](crate::fault::FaultKind::LoopCut).
    pub long_loops: bool,
    /// `true` if groups of rows can make the steps of a loop
    /// [in groups](crate::ProgramBuilder::loop_in_groups) by themselves, within one launch.
    pub loops_in_groups: bool,
    /// `true` if a table's rows are native structs of the host, which a model may use in place.
    pub native_rows: bool,
    /// Threads of the host that run kernels, where the rows are native; 0 elsewhere.
    pub threads: u32,
    /// Behaviour of `f32`; `None` before the probe has run.
    pub f32: Option<FloatProbe>,
    /// Behaviour of `f64`; `None` if the device has none.
    pub f64: Option<FloatProbe>,
    /// Limits on sizes.
    pub limits: Limits,
}

impl Capabilities {
    /// Returns the least that a device of these limits can do: it has 64-bit integers and loops of any length, neither
    /// `f64` nor tallies with 64-bit minima and maxima, reports places of faults, makes loops in groups step by step,
    /// and keeps no native rows.
    #[must_use]
    pub const fn new(limits: Limits) -> Capabilities {
        Capabilities {
            int64: Int64::Native,
            tally_min_max_64: false,
            float64: false,
            faults: Faults::Places,
            long_loops: true,
            loops_in_groups: false,
            native_rows: false,
            threads: 0,
            f32: None,
            f64: None,
            limits,
        }
    }
}

/// Promise about a result's bits. A stronger promise is less than a weaker one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Determinism {
    /// Identical bits on every backend, device, thread count and run: integers, fixed point, and their reductions.
    Exact,
    /// Identical bits wherever the device rounds correctly: `+ - * / sqrt`, and float reductions over the fixed tree.
    Reproducible,
    /// Results within a stated error.
    Bounded {
        /// Units in the last place.
        ulp: u32,
    },
}

impl Determinism {
    /// The weakest class that a device offers for floats. The bound of five units in the last place is that of `sqrt`,
    /// the loosest in the WGSL standard: the reciprocal (2.5) of an inverse square root (2).
    pub const LOOSEST: Determinism = Determinism::Bounded { ulp: 5 };

    /// Returns `true` if results of this class keep the promise of another.
    #[must_use]
    pub const fn keeps(self, promise: Determinism) -> bool {
        match (self, promise) {
            (Determinism::Exact, _)
            | (Determinism::Reproducible, Determinism::Reproducible | Determinism::Bounded { .. }) => true,
            (Determinism::Bounded { ulp }, Determinism::Bounded { ulp: most }) => ulp <= most,
            _ => false,
        }
    }
}

impl fmt::Display for Determinism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Determinism::Exact => f.write_str("exact results"),
            Determinism::Reproducible => f.write_str("reproducible results"),
            Determinism::Bounded { ulp } => write!(f, "results within {ulp} ulp"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_keeps_its_own_promise_and_weaker_ones() {
        use Determinism::{Bounded, Exact, Reproducible};
        let classes = [Exact, Reproducible, Bounded { ulp: 2 }, Bounded { ulp: 5 }];
        for (a, class) in classes.into_iter().enumerate() {
            for (b, promise) in classes.into_iter().enumerate() {
                assert_eq!(class.keeps(promise), a <= b, "{class} {promise}");
                assert_eq!(class.cmp(&promise), a.cmp(&b), "{class} {promise}");
            }
        }
    }

    #[test]
    fn one_defect_is_enough_to_bound() {
        let good = FloatProbe {
            basic_correct: true,
            division_correct: true,
            sqrt_correct: true,
            contracts: false,
            rearranges: false,
            subnormals: true,
            non_finite: true,
        };
        assert_eq!(good.class(), Determinism::Reproducible);
        let fused = FloatProbe { contracts: true, ..good };
        assert_eq!(fused.class(), Determinism::Bounded { ulp: 5 });
        assert_eq!(fused.defects(), ["multiplications and additions are fused"]);
    }
}
