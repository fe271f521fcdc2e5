//! Groups, phase by phase: the rows of a group one after another.

use super::numbers::truth;
use super::{Bound, Evaluation, Frame, Machine, require, stuck};
use crate::{Arg, Base, FunctionId, GroupQuery, ParamKind, Shape, SiteId, Value, Vote};
use std::collections::BTreeMap;

/// Position in the group, column and line in the grid, and row of an invocation.
type Lane = [u32; 4];

/// A group being run.
#[derive(Clone, Debug)]
pub struct Group {
    shape: Shape,
    index: u32,
    lanes: Vec<Lane>,
    /// Elements as the previous phase left them, and as they are being set.
    pub(super) before: Vec<Value>,
    set: Vec<Value>,
    /// The invocation of the phase being run.
    now: Option<Lane>,
    faults: BTreeMap<u32, SiteId>,
}

impl Group {
    /// Creates a group of a launch over `rows` rows, a grid of `width` columns if the shape has tiles. Its elements are
    /// `zero`.
    ///
    /// # Errors
    /// [`Stuck`](super::Stuck) for the shape without groups.
    pub fn new(shape: Shape, index: u32, rows: u32, width: u32, zero: &Value) -> Evaluation<Group> {
        let mut lanes = Vec::new();
        match shape {
            Shape::Rows => return stuck("rows that are run one by one form no group"),
            Shape::Group(size) => {
                let place = |lane| (lane, u64::from(index) * u64::from(size) + u64::from(lane));
                let inside = (0..size).map(place).filter(|(_, row)| *row < u64::from(rows));
                lanes.extend(inside.map(|(lane, row)| [lane, row as u32, 0, row as u32]));
            }
            Shape::Tile(tile_width, tile_height) => {
                let across = width.div_ceil(tile_width.max(1)).max(1);
                for lane in 0..shape.size() {
                    let x = index % across * tile_width + lane % tile_width;
                    let y = index / across * tile_height + lane / tile_width;
                    if x < width && y * width < rows {
                        lanes.push([lane, x, y, y * width + x]);
                    }
                }
            }
        }
        let elements = vec![zero.clone(); shape.size() as usize];
        let (before, set) = (elements.clone(), elements);
        Ok(Group { shape, index, lanes, before, set, now: None, faults: BTreeMap::new() })
    }

    /// Returns the first fault of every row that has one.
    #[must_use]
    pub fn faults(&self) -> &BTreeMap<u32, SiteId> {
        &self.faults
    }

    /// Raises a fault. Between phases it is the first row's.
    pub(super) fn raise(&mut self, site: SiteId) -> Evaluation<()> {
        match self.now.or_else(|| self.lanes.first().copied()) {
            Some([_, _, _, row]) => {
                self.faults.entry(row).or_insert(site);
                Ok(())
            }
            None => stuck("a group without rows"),
        }
    }

    pub(super) fn own(&mut self) -> Evaluation<&mut Value> {
        let own = self.now.and_then(|[lane, ..]| self.set.get_mut(lane as usize));
        own.map_or_else(|| stuck("an own element outside a phase"), Ok)
    }

    pub(super) fn answer(&self, query: GroupQuery) -> Evaluation<u32> {
        let lane = |part: usize| match self.now {
            Some(lane) => Ok(lane[part]),
            None => stuck("an invocation outside a phase"),
        };
        match query {
            GroupQuery::Lane => lane(0),
            GroupQuery::X => lane(1),
            GroupQuery::Y => lane(2),
            GroupQuery::Row => lane(3),
            GroupQuery::Index => Ok(self.index),
            GroupQuery::Len => Ok(self.lanes.len() as u32),
            GroupQuery::Size => Ok(self.shape.size()),
        }
    }
}

/// Checks that a base is the scratch.
pub(super) fn require_scratch(frame: &Frame<'_>, base: Base) -> Evaluation<()> {
    match base {
        Base::Param(param) if matches!(frame.param(param)?, Bound::Scratch) => Ok(()),
        other => stuck(format!("{other:?} is not the scratch")),
    }
}

impl<'m> Machine<'m> {
    pub(super) fn group_mut(&mut self) -> Evaluation<&mut Group> {
        self.group.as_mut().map_or_else(|| stuck("there is no group"), Ok)
    }

    /// Runs a phase; returns its vote, if it has one.
    pub(super) fn phase(
        &mut self,
        frame: &Frame<'m>,
        vote: Option<Vote>,
        id: FunctionId,
        args: &'m [Arg],
    ) -> Evaluation<Option<Value>> {
        let module = self.module;
        let Some(callee) = module.functions.get(id.index()) else {
            return stuck(format!("there is no function {}", id.0));
        };
        require(self.group_mut()?.now.is_none(), || "a phase in a phase".to_owned())?;
        let lanes = self.group_mut()?.lanes.clone();
        let mut truths = Vec::new();
        for lane in lanes {
            let mut bound = Vec::new();
            for (arg, param) in args.iter().zip(&callee.params) {
                bound.push(match (arg, &param.kind) {
                    (Arg::Value(value), ParamKind::Value(_)) => Bound::Value(self.eval(frame, value)?),
                    (Arg::Resource(place), kind) => match (self.resource(frame, place, kind)?, kind) {
                        (Bound::Each(table), ParamKind::Row(..)) => Bound::Row { table, row: lane[3] as usize },
                        (Bound::Row { .. }, _) => return stuck(format!("{}: the group's own row", callee.name)),
                        (other, _) => other,
                    },
                    (arg, kind) => return stuck(format!("{}: {arg:?} is passed for {kind:?}", callee.name)),
                });
            }
            self.group_mut()?.now = Some(lane);
            let called = self.call(id, bound);
            self.group_mut()?.now = None;
            let (result, _) = called?;
            require(result.is_some() == vote.is_some(), || format!("{} votes otherwise", callee.name))?;
            if let Some(value) = result {
                truths.push(truth(&value)?);
            }
        }
        let group = self.group_mut()?;
        group.before.clone_from(&group.set);
        Ok(vote.map(|vote| match vote {
            Vote::Any => Value::Bool(truths.contains(&true)),
            Vote::All => Value::Bool(!truths.contains(&false)),
            Vote::Count => Value::U32(truths.iter().filter(|truth| **truth).count() as u32),
        }))
    }
}
