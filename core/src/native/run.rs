//! Execution of a kernel over the rows or groups of a call, and reduction of its results.

use super::Call;
use crate::data::Data;
use crate::fault;
use crate::reduce::{ArgMin, BLOCK, Reducible, ResultBits, arg_lesser, combine, reduce_block};
use imminent_ir::{Reduce, Scalar};

impl<'a> Call<'a> {
    /// Returns position and number of every row or group visited, in order. A row is entered for faults; a group enters
    /// its own.
    fn visited(&self) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let list = self.list;
        let numbers = self.groups.as_ref().map_or_else(|| self.rows.clone(), |groups| groups.numbers.clone());
        let count = list.map_or(numbers.len(), <[u32]>::len);
        (0..count).map(move |position| {
            let number = match list {
                Some(list) => list.get(position).copied().unwrap_or_default(),
                None => numbers.start + position as u32,
            };
            fault::enter_row(number);
            (position, number)
        })
    }

    /// Runs a kernel that returns nothing: `f(position in the call, number of the row or group)`.
    pub fn run(&mut self, mut f: impl FnMut(usize, u32)) {
        self.visited().for_each(|(i, number)| f(i, number));
    }

    fn reduce<T: Copy>(
        &mut self,
        order_free: bool,
        mut f: impl FnMut(usize, u32) -> T,
        op: impl Fn(T, T) -> T,
        bits: impl Fn(T) -> ResultBits,
    ) {
        let mut values = self.visited().map(|(i, number)| f(i, number));
        let mut partials = Vec::new();
        if order_free {
            partials.extend(values.reduce(op).map(bits));
        } else if self.groups.is_some() {
            // Calls are cut at bands of tiles rather than at blocks of groups.
            partials.extend(values.map(bits));
        } else {
            let mut block = Vec::with_capacity(BLOCK);
            loop {
                block.clear();
                block.extend(values.by_ref().take(BLOCK));
                let Some(value) = reduce_block(&mut block, &op) else { break };
                partials.push(bits(value));
            }
        }
        self.partials = partials;
    }

    /// Runs a kernel with `reduce = min`.
    pub fn reduce_min<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::lesser, plain);
    }

    /// Runs a kernel with `reduce = max`.
    pub fn reduce_max<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::greater, plain);
    }

    /// Runs a kernel with `reduce = sum`.
    pub fn reduce_sum<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::plus, plain);
    }

    /// Runs a kernel with `reduce = count`.
    pub fn reduce_count(&mut self, mut f: impl FnMut(usize, u32) -> bool) {
        self.reduce(true, |i, row| u32::from(f(i, row)), u32::wrapping_add, plain);
    }

    /// Runs a kernel with `reduce = any`.
    pub fn reduce_any(&mut self, f: impl FnMut(usize, u32) -> bool) {
        self.reduce(true, f, |a, b| a | b, plain);
    }

    /// Runs a kernel with `reduce = argmin`.
    pub fn reduce_arg_min<T: Reducible>(&mut self, mut f: impl FnMut(usize, u32) -> T) {
        self.reduce(
            true,
            |i, row| ArgMin { value: f(i, row), row },
            arg_lesser,
            |least| ResultBits { value: least.value.leaf(0), row: least.row },
        );
    }

    /// Runs a kernel that returns a struct, with a reduction for each of its fields and the field's type.
    pub fn reduce_fields<T: Data>(&mut self, of: &[(Reduce, Scalar)], mut f: impl FnMut(usize, u32) -> T) {
        let starts: Vec<u32> =
            of.iter().scan(0, |word, (_, scalar)| Some(std::mem::replace(word, *word + scalar.words()))).collect();
        let block = if self.groups.is_some() { 1 } else { BLOCK };
        let (mut values, mut partials) = (self.visited().map(|(i, number)| f(i, number)), Vec::new());
        let mut rows = Vec::with_capacity(block);
        let mut column = Vec::with_capacity(block);
        loop {
            rows.clear();
            rows.extend(values.by_ref().take(block));
            if rows.is_empty() {
                break;
            }
            for ((reduce, scalar), word) in of.iter().zip(&starts) {
                column.clear();
                column.extend(rows.iter().map(|row: &T| ResultBits { value: row.leaf(*word), row: 0 }));
                partials.push(combine(*reduce, *scalar, &column));
            }
        }
        drop(values);
        self.partials = partials;
    }
}

fn plain<T: Data>(value: T) -> ResultBits {
    ResultBits { value: value.leaf(0), row: 0 }
}
