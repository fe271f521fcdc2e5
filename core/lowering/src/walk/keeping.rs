//! Loads and stores of the fields of own rows that are [kept](crate::kept) in variables.

use super::accesses::{Direction, WordCode};
use super::body::FunctionLowering;
use super::dialect::Dialect;
use crate::LoweringError;
use imminent_ir::Block;

/// Returns the lines that load the kept fields of the own rows, and those that store them. `row` holds the rows'
/// number, `own` stands before the names of the variables, and `passed` before the other arguments of functions.
pub(crate) fn keeping<'a, L: Dialect<'a>>(
    low: &mut L,
    own: &str,
    passed: &[&str],
    row: &str,
) -> Result<(Vec<String>, Vec<String>), LoweringError> {
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    for ((binding, field), kept) in low.kept.clone() {
        let (text, number) = low.field_constant(kept.row, field);
        let word = WordCode { text, number: Some(number) };
        let name = format!("{own}{}", kept.name);
        let part = low.fixed_part(binding);
        let load = low.access(Direction::Load, (binding, part), &kept.ty, word.clone(), Some(row))?;
        loads.push(format!("{name} = {};", load.call(passed, None)));
        if kept.is_stored {
            let store = low.access(Direction::Store, (binding, part), &kept.ty, word, Some(row))?;
            stores.push(format!("{};", store.call(passed, Some(&name))));
        }
    }
    Ok((loads, stores))
}

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// Writes the statements of a block. The block that holds all uses of kept fields loads them first, and stores them
    /// last.
    pub(crate) fn block(&mut self, block: &Block) -> Result<(), LoweringError> {
        if !self.keeps(block) {
            return self.statements(block);
        }
        let Some(row) = self.function.params.first() else { return Err(self.ill("a row without a number")) };
        let row = self.name(row.local)?;
        let (loads, stores) = keeping(&mut *self.low, L::SHARED, L::CONTEXT, &row)?;
        loads.iter().for_each(|line| self.emit(line));
        self.statements(block)?;
        stores.iter().for_each(|line| self.emit(line));
        Ok(())
    }

    /// Returns `true` for the block that loads and stores kept fields.
    pub(super) fn keeps(&self, block: &Block) -> bool {
        self.low.kept_block.is_some_and(|kept| std::ptr::eq(kept, block))
    }
}
