//! The own rows of a group's invocations.

use super::Extent;
use crate::data::Row;

/// The own rows of a group's invocations, of one table.
///
/// A grouped kernel takes it as `&mut Each<T>` or `&Each<T>`, and names it in the phases that use it. Each invocation
/// is given its own row, and no other.
#[derive(Debug)]
pub struct Each<'a, T: Row> {
    lines: Lines<'a, T>,
}

#[derive(Debug)]
enum Lines<'a, T> {
    Own(&'a mut [T]),
    Shared(&'a [T]),
    OwnTile(Vec<&'a mut [T]>),
    SharedTile(Vec<&'a [T]>),
}

impl<'a, T: Row> Each<'a, T> {
    /// Creates the rows of a group, from all rows of the table. Invocations whose row is missing do not run.
    #[must_use]
    pub fn of(table: &'a mut [T], extent: &Extent) -> Self {
        Each::within(table, 0, extent)
    }

    /// Creates the rows of a group, from the rows of a table from row `start` on.
    pub(crate) fn within(rows: &'a mut [T], start: u32, extent: &Extent) -> Self {
        let (from, left, columns) = Each::<T>::place(start, extent);
        let rows = rows.get_mut(from..).unwrap_or_default();
        let lines = match extent.grid() {
            None => Lines::Own(rows),
            Some(width) => {
                let cut = |line: &'a mut [T]| line.get_mut(left..).map(|line| at_most_mut(line, columns));
                let lines = rows.chunks_mut((width as usize).max(1)).take(extent.lines() as usize);
                Lines::OwnTile(lines.map(|line| cut(line).unwrap_or_default()).collect())
            }
        };
        Each { lines }
    }

    /// Creates the rows of a group, from the rows of a read-only table from row `start` on.
    pub(crate) fn shared_within(rows: &'a [T], start: u32, extent: &Extent) -> Self {
        let (from, left, columns) = Each::<T>::place(start, extent);
        let rows = rows.get(from..).unwrap_or_default();
        let lines = match extent.grid() {
            None => Lines::Shared(rows),
            Some(width) => {
                let cut = |line: &'a [T]| line.get(left..).map(|line| &line[..columns.min(line.len())]);
                let lines = rows.chunks((width as usize).max(1)).take(extent.lines() as usize);
                Lines::SharedTile(lines.map(|line| cut(line).unwrap_or_default()).collect())
            }
        };
        Each { lines }
    }

    /// Returns the start of the first line, counted from `start`, and the columns cut from the lines of a grid.
    fn place(start: u32, extent: &Extent) -> (usize, usize, usize) {
        let (left, top) = (extent.origin().0 as usize, extent.origin().1 as usize);
        match extent.grid() {
            None => (left.saturating_sub(start as usize), 0, extent.columns() as usize),
            Some(width) => {
                let from = (top * width as usize).saturating_sub(start as usize);
                (from, left, extent.columns() as usize)
            }
        }
    }
}

fn at_most_mut<T>(line: &mut [T], columns: usize) -> &mut [T] {
    let columns = columns.min(line.len());
    &mut line[..columns]
}

/// Own rows that a phase names: none, one resource, or a tuple of them.
pub trait Own: for<'l> OwnRows<'l> {}

impl<O: for<'l> OwnRows<'l>> Own for O {}

/// [`Own`], borrowed for one line of the group.
pub trait OwnRows<'l> {
    /// Iterator state over the rows of a line.
    type Line;
    /// Reference that one invocation is given.
    type Row;

    /// Returns line `y` of the group.
    fn line(&'l mut self, y: u32) -> Self::Line;

    /// Returns the next row of a line; `None` after the last.
    fn next(line: &mut Self::Line) -> Option<Self::Row>;
}

impl<'l, T: Row> OwnRows<'l> for &mut Each<'_, T> {
    type Line = std::slice::IterMut<'l, T>;
    type Row = &'l mut T;

    #[inline]
    fn line(&'l mut self, y: u32) -> Self::Line {
        match &mut self.lines {
            Lines::Own(line) if y == 0 => line.iter_mut(),
            Lines::OwnTile(lines) => lines.get_mut(y as usize).map(|line| line.iter_mut()).unwrap_or_default(),
            _ => <&mut [T]>::default().iter_mut(),
        }
    }

    #[inline]
    fn next(line: &mut Self::Line) -> Option<&'l mut T> {
        line.next()
    }
}

impl<'l, T: Row> OwnRows<'l> for &Each<'_, T> {
    type Line = std::slice::Iter<'l, T>;
    type Row = &'l T;

    #[inline]
    fn line(&'l mut self, y: u32) -> Self::Line {
        match &self.lines {
            Lines::Own(line) if y == 0 => line.iter(),
            Lines::Shared(line) if y == 0 => line.iter(),
            Lines::OwnTile(lines) => lines.get(y as usize).map(|line| line.iter()).unwrap_or_default(),
            Lines::SharedTile(lines) => lines.get(y as usize).map(|line| line.iter()).unwrap_or_default(),
            _ => <&[T]>::default().iter(),
        }
    }

    #[inline]
    fn next(line: &mut Self::Line) -> Option<&'l T> {
        line.next()
    }
}

macro_rules! tuples {
    ($($($name:ident $line:ident)*;)*) => {$(
        impl<'l, $($name: OwnRows<'l>),*> OwnRows<'l> for ($($name,)*) {
            type Line = ($($name::Line,)*);
            type Row = ($($name::Row,)*);

            #[inline]
            #[allow(unused_variables, clippy::unused_unit)]
            fn line(&'l mut self, y: u32) -> Self::Line {
                let ($($line,)*) = self;
                ($($line.line(y),)*)
            }

            #[inline]
            #[allow(clippy::unused_unit)]
            fn next(line: &mut Self::Line) -> Option<Self::Row> {
                let ($($line,)*) = line;
                Some(($($name::next($line)?,)*))
            }
        }
    )*};
}

tuples! {
    ;
    A a;
    A a B b;
    A a B b C c;
    A a B b C c D d;
    A a B b C c D d E e;
    A a B b C c D d E e F f;
    A a B b C c D d E e F f G g;
    A a B b C c D d E e F f G g H h;
}
