//! Data on which a kernel is launched that is known by its intermediate representation alone.

use imminent_core::ir::interpret::{Evaluation, RowTree, Stuck};
use imminent_core::ir::{
    EnumId, Field, FieldType, Function, Kernel, Module, ParamKind, Scalar, Shape, StructId, Type, Value,
};
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Argument of a launch, for one parameter of the kernel.
#[derive(Clone, Debug)]
pub(crate) enum ArgumentData {
    /// A table: its struct, its rows, whether they are own rows of the launch, and the room of rows for lanes.
    Table { of: StructId, rows: Vec<RowTree>, mutable: bool, room: Room },
    /// A parameter block.
    Params { of: StructId, value: Value },
    /// The slots of a tally.
    Tally { scalar: Scalar, slots: Vec<Value> },
    /// Row number, or the scratch of the group: no argument is passed.
    Nothing,
}

/// Number of lanes of rows.
#[derive(Clone, Debug)]
pub(crate) enum Room {
    /// All rows have equally many.
    Even(u32),
    /// Each row has its own number: a ragged table.
    Own(Vec<u32>),
}

impl Room {
    /// Returns the number of lanes of a row; the zeroed row after the last has none of its own.
    pub(crate) fn of(&self, row: usize) -> u32 {
        match self {
            Room::Even(capacity) => *capacity,
            Room::Own(capacities) => capacities.get(row).copied().unwrap_or(0),
        }
    }

    /// A third of the tables with lanes are ragged, with some empty rows and a few long ones. Their room uses separate
    /// random numbers, which keeps the data of kernels found earlier unchanged.
    fn new(count: u32, capacity: u32, seed: u64) -> Room {
        let mut random = Pcg32::new(seed, 2);
        if capacity == 0 || !random.next_u32().is_multiple_of(3) {
            return Room::Even(capacity);
        }
        let own = |_| match random.next_u32() % 8 {
            0 => 9 + random.next_u32() % 30,
            other => other % 5,
        };
        Room::Own((0..count).map(own).collect())
    }
}

/// Choice of random scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Mostly edge values of their types, with NaN and zeros of both signs.
    Edges,
    /// Mostly edge values, without NaN, infinities and zeros of floats: results may have no bits that all devices agree
    /// on.
    Ordered,
    /// Mostly small numbers, as indices and times are, with the floats of `Ordered`. Tables have a row, and tallies a
    /// slot, for each own row.
    Small,
}

/// Random numbers, with the choice of scalars made of them.
struct Draw {
    random: Pcg32,
    values: Values,
}

impl Draw {
    fn next_u32(&mut self) -> u32 {
        self.random.next_u32()
    }
}

/// Limit of the statements of a launch of a generated kernel: one that needs more is not compared.
const FUEL: u64 = 1_500_000;

/// A launch of one kernel of a module.
#[derive(Clone, Debug)]
pub(crate) struct Launched {
    pub(crate) module: Module,
    /// Position of the kernel in the module.
    pub(crate) kernel: usize,
    /// Limit of the statements of the launch, for the interpreter.
    pub(crate) fuel: u64,
    pub(crate) rows: u32,
    /// Number of columns of the grid, for tiles; otherwise 0.
    pub(crate) width: u32,
    /// Listed rows of a launch over a subset.
    pub(crate) subset: Option<Vec<u32>>,
    pub(crate) given: Vec<ArgumentData>,
}

/// Sizes of the launches, the smallest first.
const ROWS: [u32; 8] = [1, 2, 3, 7, 33, 64, 100, 300];
/// Shapes of grids.
const GRIDS: [(u32, u32); 5] = [(1, 1), (3, 2), (7, 5), (1, 9), (16, 6)];

impl Launched {
    /// Creates random data for the first kernel of a generated module: `size` selects the number of rows, `seed` the
    /// values.
    pub(super) fn new(module: Module, size: usize, seed: u64) -> Option<Evaluation<Launched>> {
        Launched::of(module, 0, size, (seed, Values::Edges), FUEL)
    }

    /// Creates random data for a kernel of a module.
    pub(crate) fn of(
        module: Module,
        kernel: usize,
        size: usize,
        data: (u64, Values),
        fuel: u64,
    ) -> Option<Evaluation<Launched>> {
        let of = module.kernels.get(kernel)?.clone();
        let function = module.functions.get(of.function.index())?.clone();
        Some(Launched::with(module, (kernel, &of), &function, size, data, fuel))
    }

    /// Returns the kernel, with its function and its parameters.
    pub(crate) fn entry(&self) -> Option<(&Kernel, &Function)> {
        let kernel = self.module.kernels.get(self.kernel)?;
        Some((kernel, self.module.functions.get(kernel.function.index())?))
    }

    fn with(
        module: Module,
        (number, kernel): (usize, &Kernel),
        function: &Function,
        size: usize,
        (seed, values): (u64, Values),
        fuel: u64,
    ) -> Evaluation<Launched> {
        let mut random = Draw { random: Pcg32::new(seed, 1), values };
        let (rows, width) = match kernel.shape {
            Shape::Tile(..) => {
                let (width, height) = GRIDS[size % GRIDS.len()];
                (width * height, width)
            }
            _ => (ROWS[size % ROWS.len()], 0),
        };
        let (whole, slots) = match values {
            Values::Small => (rows, rows.max(4)),
            _ => (1 + seed as u32 % 5, 4),
        };
        let groups = kernel.shape.groups(rows, width);
        let mut given = Vec::new();
        for param in &function.params {
            let mut table = |of: StructId, count: u32, mutable: bool| -> Evaluation<ArgumentData> {
                let capacity = if has_lanes(&module, of) { 1 + random.next_u32() % 4 } else { 0 };
                let room = Room::new(count, capacity, seed ^ u64::from(of.0) << 32);
                let of_row = |at| row(&module, of, room.of(at as usize), &mut random);
                let rows = (0..count).map(of_row).collect::<Evaluation<_>>()?;
                Ok(ArgumentData::Table { of, rows, mutable, room })
            };
            given.push(match &param.kind {
                ParamKind::Row(of, mutable) if kernel.shape.is_grouped() => table(*of, groups, *mutable)?,
                ParamKind::Row(of, mutable) | ParamKind::Each(of, mutable) => table(*of, rows, *mutable)?,
                ParamKind::Rows(of) => table(*of, whole, false)?,
                ParamKind::Params(of) => {
                    ArgumentData::Params { of: *of, value: value(&module, &Type::Struct(*of), &mut random)? }
                }
                ParamKind::Tally(scalar) => {
                    let slots = (0..slots)
                        .map(|_| value(&module, &(*scalar).into(), &mut random))
                        .collect::<Evaluation<_>>()?;
                    ArgumentData::Tally { scalar: *scalar, slots }
                }
                _ => ArgumentData::Nothing,
            });
        }
        let listed = kernel.shape == Shape::Rows && seed % 4 == 3;
        let subset = listed.then(|| shuffled(rows, &mut random));
        Ok(Launched { module, kernel: number, fuel, rows, width, subset, given })
    }
}

/// Returns about half of the rows, in random order.
fn shuffled(rows: u32, random: &mut Draw) -> Vec<u32> {
    let mut all: Vec<u32> = (0..rows).collect();
    for at in (1..all.len()).rev() {
        all.swap(at, random.next_u32() as usize % (at + 1));
    }
    all.truncate(all.len().div_ceil(2));
    all
}

pub(super) fn has_lanes(module: &Module, of: StructId) -> bool {
    let fields = module.structs.get(of.index()).map(|def| def.fields.as_slice()).unwrap_or_default();
    fields.iter().any(|field| matches!(field.ty, FieldType::Lanes(_)))
}

fn row(module: &Module, of: StructId, capacity: u32, random: &mut Draw) -> Evaluation<RowTree> {
    let Some(def) = module.structs.get(of.index()) else {
        return Err(Stuck::IllFormed(format!("there is no struct {}", of.0)));
    };
    let mut fields = Vec::new();
    for Field { ty, .. } in &def.fields {
        use imminent_core::ir::interpret::Field as Tree;
        fields.push(match ty {
            FieldType::Value(ty) => Tree::Value(value(module, ty, random)?),
            FieldType::Lanes(ty) => {
                Tree::Lanes((0..capacity).map(|_| value(module, ty, random)).collect::<Evaluation<_>>()?)
            }
        });
    }
    Ok(RowTree { fields })
}

/// Returns a random value: mostly an edge value of its type.
fn value(module: &Module, ty: &Type, random: &mut Draw) -> Evaluation<Value> {
    Ok(match ty {
        Type::Scalar(scalar) => scalar_of(*scalar, random),
        Type::Enum(EnumId(id)) => {
            let variants = module.enums.get(*id as usize).map(|def| def.variants.as_slice()).unwrap_or_default();
            let at = random.next_u32() as usize % variants.len().max(1);
            Value::Enum(variants.get(at).map_or(0, |(_, discriminant)| *discriminant))
        }
        Type::Array(element, count) => {
            Value::Array((0..*count).map(|_| value(module, element, random)).collect::<Evaluation<_>>()?)
        }
        Type::Struct(id) => row(module, *id, 0, random)?.to_value()?,
        Type::Unit => return Err(Stuck::IllFormed("the unit type has no value".to_owned())),
    })
}

fn scalar_of(scalar: Scalar, random: &mut Draw) -> Value {
    const WORDS: [u32; 10] = [0, 1, 2, 3, 4, 32, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, u32::MAX];
    const FLOATS: [f64; 10] = [0.0, -0.0, 1.0, -1.5, 2.5, 1e-30, 3e9, -1e19, f64::INFINITY, f64::NAN];
    let values = random.values;
    let mut word = || {
        let bits = random.next_u32();
        if values == Values::Small && !bits.is_multiple_of(16) {
            return if bits.is_multiple_of(4) { bits >> 4 & 0x3ff } else { bits >> 4 & 7 };
        }
        if bits.is_multiple_of(3) { random.next_u32() } else { WORDS[bits as usize / 3 % WORDS.len()] }
    };
    let (low, high, choice) = (word(), word(), random.next_u32() as usize);
    let wide = if values == Values::Small { u64::from(low) } else { u64::from(high) << 32 | u64::from(low) };
    let (floats, odd) = if values == Values::Edges { (&FLOATS[..], 0) } else { (&FLOATS[2..8], 1) };
    match scalar {
        Scalar::Bool => Value::Bool(low & 1 == 1),
        Scalar::U32 => Value::U32(low),
        Scalar::I32 => Value::I32(low as i32),
        Scalar::U64 => Value::U64(wide),
        Scalar::I64 => Value::I64(wide as i64),
        Scalar::F32 if choice % 3 == 0 => Value::F32(((low | odd) as f32 / 7.0).to_bits()),
        Scalar::F64 if choice % 3 == 0 => Value::F64(((low | odd) as i32 as f64 / 7.0).to_bits()),
        Scalar::F32 => Value::F32((floats[choice % floats.len()] as f32).to_bits()),
        Scalar::F64 => Value::F64(floats[choice % floats.len()].to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One value in eight of the small ones is zero as an integer.
    #[test]
    fn floats_of_other_people_s_kernels_are_finite_and_not_zero() {
        for values in [Values::Ordered, Values::Small] {
            let mut random = Draw { random: Pcg32::new(0, 1), values };
            for _ in 0..10_000 {
                let numbers = [Scalar::F32, Scalar::F64].map(|scalar| match scalar_of(scalar, &mut random) {
                    Value::F32(bits) => f64::from(f32::from_bits(bits)),
                    Value::F64(bits) => f64::from_bits(bits),
                    other => panic!("{other:?}"),
                });
                assert!(numbers.iter().all(|number| number.is_finite() && *number != 0.0), "{values:?}: {numbers:?}");
            }
        }
    }
}
