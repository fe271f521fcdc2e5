//! Folds by a model's own operator.

use crate::data::Row;
use crate::device::Queue;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::program::ProgramBuilder;
use crate::tables::Table;
use imminent_ir::Shape;

impl Queue {
    /// Combines all rows by an associative operator of the model, in order. Returns a table of one row, zeroed if there
    /// are no rows. `K` is the kernel `fold_name` that `#[operator] fn name(a: R, b: R) -> R` generates beside it in
    /// its kernel module. The bracketing of rows depends on their number alone.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a kernel that does not combine groups; errors of [`Queue::launch`].
    pub fn fold<K, R: Row>(&self, rows: &Table<R>) -> Result<Table<R>>
    where
        K: for<'a> Kernel<Args<'a> = (&'a Table<R>, &'a mut Table<R>), Output = ()>,
    {
        self.record(|builder| builder.fold::<K, R>(rows))
    }
}

impl ProgramBuilder {
    /// Records a fold by an associative operator of the model.
    ///
    /// # Errors
    /// As for [`Queue::fold`].
    pub fn fold<K, R: Row>(&mut self, rows: &Table<R>) -> Result<Table<R>>
    where
        K: for<'a> Kernel<Args<'a> = (&'a Table<R>, &'a mut Table<R>), Output = ()>,
    {
        let Shape::Group(size @ 2..) = K::SOURCE.shape else {
            let reason = "it does not combine groups of rows: name the `fold_..` kernel that `#[operator]` writes";
            return Err(Error::invalid(format!("kernel `{}`", K::SOURCE.name), reason));
        };
        let groups = |rows: usize| rows.div_ceil(size as usize).max(1);
        if rows.is_empty() {
            return Table::zeroed(&self.device, 1);
        }
        let mut level = Table::zeroed(&self.device, groups(rows.len()))?;
        self.launch::<K>((rows, &mut level))?;
        while level.len() > 1 {
            let mut next = Table::zeroed(&self.device, groups(level.len()))?;
            self.launch::<K>((&level, &mut next))?;
            level = next;
        }
        Ok(level)
    }
}
