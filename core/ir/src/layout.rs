//! Canonical layout: the division of a row struct into columns of 32-bit words.
//!
//! A struct is a sequence of words: every scalar takes one or two, arrays and nested structs follow in order, with no
//! padding. A table of `n` rows stores *word columns* one after another, each `stride` rows long: the scalar that
//! starts at word `w` and takes `k` words has its column at word `w * stride`, the value of row `r` at
//! `w * stride + r * k`. So element `i` of an array whose elements take `e` words lies `i * e * stride` words further
//! on, whatever it contains.
//!
//! All `Lanes<T>` of a struct share the table's capacity. Lane `l` of all of them follows the fixed words and the lanes
//! before it: the lane field at lane word `f` has its element `l` at word column `fixed + l * lane_words + f`. Growing
//! the capacity appends columns and moves none.
//!
//! A table is written and read in this layout, column by column; a backend may store it otherwise.
//!
//! # Packed rows
//! The words of a *packed* row stay together, for kernels that touch many fields of few rows. The fixed words of row
//! `r` begin at word `r * fixed_words`. The words of lane `l` begin at word
//! `fixed_words * stride + (l * stride + r) * lane_words`: a lane is a column of packed values, so growing the capacity
//! moves nothing here either. Both numbers of words are rounded up, three to four and more to a multiple of four, so
//! that few rows straddle the sectors of 32 bytes that memory is read in.

use crate::{FieldType, Module, Scalar, StructId, Type};
use serde::{Deserialize, Serialize};

/// One scalar column of a layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Column {
    /// Path of the field: `rng.state`, `arrival[3]`; for lanes the element's path after the field: `waiting`,
    /// `event.time`.
    pub name: String,
    /// Type of the values.
    pub scalar: Scalar,
    /// First word: from the start of the row, or of the lane if `lane`.
    pub word: u32,
    /// `true` if this column is repeated for every lane.
    pub lane: bool,
}

/// The canonical layout of a row struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layout {
    /// Name of the struct.
    pub name: String,
    /// Words of a row without its lanes; of a packed row, rounded up.
    pub fixed_words: u32,
    /// Number of words that one lane adds, in all lane fields together; 0 if there are none. Of a packed row, rounded
    /// up.
    pub lane_words: u32,
    /// `true` if the words of a row stay together.
    pub packed: bool,
    /// Every scalar column, fixed ones first, in word order.
    pub columns: Vec<Column>,
}

impl Layout {
    /// Returns the layout of a struct of a module.
    #[must_use]
    pub fn of(module: &Module, id: StructId) -> Layout {
        let def = &module.structs[id.index()];
        let (name, packed) = (def.name.clone(), def.packed);
        let mut layout = Layout { name, fixed_words: 0, lane_words: 0, packed, columns: Vec::new() };
        for lane in [false, true] {
            let mut word = 0;
            for field in &def.fields {
                match (&field.ty, lane) {
                    (FieldType::Value(ty), false) | (FieldType::Lanes(ty), true) => {
                        leaves(module, ty, &field.name, &mut word, lane, &mut layout.columns);
                    }
                    _ => {}
                }
            }
            if packed {
                word = packed_words(word);
            }
            if lane {
                layout.lane_words = word;
            } else {
                layout.fixed_words = word;
            }
        }
        layout
    }

    /// Returns the number of word columns of a ragged table outside its pool: those of its rows, and two that locate
    /// the places of a row.
    #[must_use]
    pub const fn columns_before_pool(&self) -> u32 {
        self.fixed_words + 2
    }

    /// Returns the number of words of a row with `capacity` lanes.
    #[must_use]
    pub const fn row_words(&self, capacity: u32) -> u64 {
        self.fixed_words as u64 + self.lane_words as u64 * capacity as u64
    }
}

/// Returns the words that a packed row takes, or one of its lanes, whose fields have `words` words.
#[must_use]
pub const fn packed_words(words: u32) -> u32 {
    if words <= 2 { words } else { words.next_multiple_of(4) }
}

fn leaves(module: &Module, ty: &Type, name: &str, word: &mut u32, lane: bool, out: &mut Vec<Column>) {
    match ty {
        Type::Unit => {}
        Type::Scalar(scalar) => {
            out.push(Column { name: name.to_owned(), scalar: *scalar, word: *word, lane });
            *word += scalar.words();
        }
        Type::Enum(_) => {
            out.push(Column { name: name.to_owned(), scalar: Scalar::U32, word: *word, lane });
            *word += 1;
        }
        Type::Struct(id) => {
            for field in &module.structs[id.index()].fields {
                if let FieldType::Value(ty) = &field.ty {
                    leaves(module, ty, &format!("{name}.{}", field.name), word, lane, out);
                }
            }
        }
        Type::Array(element, count) => {
            for i in 0..*count {
                leaves(module, element, &format!("{name}[{i}]"), word, lane, out);
            }
        }
    }
}

/// Returns the number of words of a value of a type.
#[must_use]
pub fn words(module: &Module, ty: &Type) -> u32 {
    match ty {
        Type::Unit => 0,
        Type::Scalar(scalar) => scalar.words(),
        Type::Enum(_) => 1,
        Type::Array(element, count) => words(module, element) * count,
        Type::Struct(id) => module.structs[id.index()]
            .fields
            .iter()
            .map(|field| match &field.ty {
                FieldType::Value(ty) => words(module, ty),
                FieldType::Lanes(_) => 0,
            })
            .sum(),
    }
}
