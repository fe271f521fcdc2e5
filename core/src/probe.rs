//! Probe of a device's floats, by running them.
//!
//! Devices have been seen to break what flags and specifications promise. The promise of
//! [`Determinism::Reproducible`](crate::Determinism) therefore rests on results: a few thousand operations on operands
//! that reveal a wrong rounding, a fusion or a flush.

use crate::backend::Backend;
use crate::capability::FloatProbe;
use crate::data::Row;
use crate::device::Device;
use crate::error::Result;
use crate::tables::Table;

/// Number of random operands, in addition to hand-picked ones.
const RANDOM_CASES: usize = 4096;

macro_rules! float_probe {
    ($name:ident, $float:ident, $bits:ident, $probe:ident, $mantissa:expr, $bias:expr) => {
        #[crate::kernels]
        mod $name {
            /// Operands, and the device's results.
            #[derive(Row)]
            pub struct Case {
                pub a: $float,
                pub b: $float,
                pub c: $float,
                pub sum: $bits,
                pub difference: $bits,
                pub product: $bits,
                pub quotient: $bits,
                pub third: $bits,
                pub root: $bits,
                pub product_and_sum: $bits,
                pub product_and_difference: $bits,
                pub chain_of_sums: $bits,
                pub products_of_constants: $bits,
                pub sum_less_itself: $bits,
                pub sum_of_constants: $bits,
                pub square_of_root: $bits,
                pub sum_less_constant: $bits,
                pub sum_with_zero: $bits,
                pub product_with_zero: $bits,
                pub zero_less: $bits,
                pub ordered: bool,
                pub is_nan: bool,
            }

            /// Computes each operation once.
            #[kernel]
            pub fn compute(me: &mut Case) {
                me.sum = (me.a + me.b).to_bits();
                me.difference = (me.a - me.b).to_bits();
                me.product = (me.a * me.b).to_bits();
                me.quotient = (me.a / me.b).to_bits();
                me.third = (me.a / 3.0).to_bits();
                me.root = me.a.sqrt().to_bits();
                me.product_and_sum = (me.a * me.b + me.c).to_bits();
                me.product_and_difference = (me.c - me.a * me.b).to_bits();
                me.chain_of_sums = (((me.a + me.b) - 1.5) * me.a).to_bits();
                me.products_of_constants = ((me.a * 1.1) * 2.3).to_bits();
                me.sum_less_itself = (me.a + me.b - me.a).to_bits();
                me.sum_of_constants = (me.a + 0.1 + 0.3).to_bits();
                me.square_of_root = (me.a.sqrt() * me.a.sqrt()).to_bits();
                me.sum_less_constant = (me.a + 8192.0 - 8192.0).to_bits();
                me.sum_with_zero = (me.a + 0.0).to_bits();
                me.product_with_zero = (me.a * 0.0).to_bits();
                me.zero_less = (0.0 - me.a).to_bits();
                me.ordered = me.a < me.b;
                me.is_nan = me.a != me.a;
            }
        }

        fn $probe(device: &Device) -> Result<FloatProbe> {
            use $name::{Case, compute};

            let case = |a: $float, b: $float| Case { a, b, c: -(a * b), ..Case::zeroed(0) };
            // Random operands within a factor of 2^16 of one: neither the operands nor the results are subnormal.
            let mut state = 0x2545_f491_4f6c_dd1d_u64;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let exponent = $bias - 16 + (state >> 59);
                let fraction = state.rotate_left(29) & ((1 << $mantissa) - 1);
                $float::from_bits(((exponent << $mantissa) | fraction) as $bits)
            };
            let ordinary: Vec<Case> = (0..RANDOM_CASES).map(|_| case(random(), random())).collect();
            let (tiny, least) = ($float::MIN_POSITIVE, $float::from_bits(1));
            let subnormal = [(tiny, 0.5), (tiny / 4.0, 2.0), (least, 1.0), (tiny * 1.5, -tiny), (least, least)]
                .map(|(a, b)| case(a, b));
            let (infinity, nan) = ($float::INFINITY, $float::NAN);
            let special = [
                (nan, 1.0),
                (1.0, nan),
                (infinity, 1.0),
                (infinity, -infinity),
                (-infinity, 2.0),
                (1.0, 0.0),
                (-1.0, 0.0),
            ]
            .map(|(a, b)| case(a, b));

            let ran = run_cases(device, &ordinary, |table| device.queue().launch::<compute>((table,)).map(drop))?;
            let all = |test: &dyn Fn(&Case) -> bool| ran.iter().all(test);
            let basic_correct = all(&|r| {
                r.sum == (r.a + r.b).to_bits()
                    && r.difference == (r.a - r.b).to_bits()
                    && r.product == (r.a * r.b).to_bits()
            });
            // A division by a constant may be compiled to a multiplication by its reciprocal.
            let division_correct = all(&|r| r.quotient == (r.a / r.b).to_bits() && r.third == (r.a / 3.0).to_bits());
            let sqrt_correct = all(&|r| r.root == r.a.sqrt().to_bits());
            let contracts = !all(&|r| {
                r.product_and_sum == (r.a * r.b + r.c).to_bits()
                    && r.product_and_difference == (r.c - r.a * r.b).to_bits()
            });
            let rearranges = !all(&|r| {
                r.sum_less_itself == (r.a + r.b - r.a).to_bits()
                    && r.sum_of_constants == (r.a + 0.1 + 0.3).to_bits()
                    && r.square_of_root == (r.a.sqrt() * r.a.sqrt()).to_bits()
                    && r.chain_of_sums == (((r.a + r.b) - 1.5) * r.a).to_bits()
                    && r.products_of_constants == ((r.a * 1.1) * 2.3).to_bits()
                    && r.sum_less_constant == (r.a + 8192.0 - 8192.0).to_bits()
            });
            // A zero keeps its sign unless `a + 0.0`, `a * 0.0` or `0.0 - a` is simplified as in the real numbers.
            let signed = [0.0, -0.0, 1.5, -1.5].map(|a| case(a, 1.0));
            let ran = run_cases(device, &signed, |table| device.queue().launch::<compute>((table,)).map(drop))?;
            let keeps_zeros = ran.iter().zip(&signed).all(|(r, given)| {
                r.sum_with_zero == (given.a + 0.0).to_bits()
                    && r.product_with_zero == (given.a * 0.0).to_bits()
                    && r.zero_less == (0.0 - given.a).to_bits()
            });
            let rearranges = rearranges || !keeps_zeros;
            let ran = run_cases(device, &subnormal, |table| device.queue().launch::<compute>((table,)).map(drop))?;
            let subnormals = ran.iter().zip(&subnormal).all(|(r, given)| {
                r.a.to_bits() == given.a.to_bits()
                    && r.sum == (given.a + given.b).to_bits()
                    && r.product == (given.a * given.b).to_bits()
            });
            let ran = run_cases(device, &special, |table| device.queue().launch::<compute>((table,)).map(drop))?;
            let same = |found: $bits, expected: $float| {
                let found = $float::from_bits(found);
                (found.is_nan() && expected.is_nan()) || found.to_bits() == expected.to_bits()
            };
            let non_finite = ran.iter().zip(&special).all(|(r, given)| {
                same(r.sum, given.a + given.b)
                    && same(r.product, given.a * given.b)
                    && same(r.quotient, given.a / given.b)
                    && r.ordered == (given.a < given.b)
                    && r.is_nan == given.a.is_nan()
            });
            Ok(FloatProbe {
                basic_correct,
                division_correct,
                sqrt_correct,
                contracts,
                rearranges,
                subnormals,
                non_finite,
            })
        }
    };
}

float_probe!(single, f32, u32, probe_f32, 23, 127);
float_probe!(double, f64, u64, probe_f64, 52, 1023);

/// Bytes of a case with its share of the table's alignment, at most.
const CASE_BYTES: u64 = 256;

/// Runs the cases, in as many tables as a device with small tables needs.
fn run_cases<C: Row>(device: &Device, cases: &[C], launch: impl Fn(&mut Table<C>) -> Result<()>) -> Result<Vec<C>> {
    let fitting = (device.capabilities().limits.table_bytes / CASE_BYTES).max(1);
    let mut ran = Vec::with_capacity(cases.len());
    for cases in cases.chunks(usize::try_from(fitting).unwrap_or(usize::MAX)) {
        let mut table = Table::from_rows(device, cases)?;
        launch(&mut table)?;
        ran.extend(table.read()?);
    }
    Ok(ran)
}

impl Device {
    /// Takes over a backend's device, creates its queue, and probes its floats.
    ///
    /// # Errors
    /// Fails if no queue can be created, or the probe kernels do not run.
    pub fn open(backend: impl Backend + 'static) -> Result<Device> {
        Device::unprobed(backend)?.probed()
    }

    /// Takes over the device of a backend whose type is not known, as [`Device::open`] does. The device is as fast: a
    /// device calls every backend through its virtual table.
    ///
    /// # Errors
    /// As for [`Device::open`].
    pub fn open_boxed(backend: Box<dyn Backend>) -> Result<Device> {
        Device::of(backend.into())?.probed()
    }

    /// Probes the device's floats.
    fn probed(self) -> Result<Device> {
        let mut capabilities = self.capabilities().clone();
        capabilities.f32 = Some(probe_f32(&self)?);
        capabilities.f64 = if capabilities.float64 { Some(probe_f64(&self)?) } else { None };
        self.set_probed(capabilities);
        Ok(self)
    }
}
