//! Groups, phase by phase: the rows of a group one after another.

use super::interp::{Bound, Frame, Machine};
use super::ops::truth;
use imminent_core::ir::{Arg, Base, FunctionId, GroupQuery, ParamKind, Shape, SiteId, Value, Vote};
use std::collections::BTreeMap;

/// A group being run.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    shape: Shape,
    index: u32,
    /// Position in the group, column and line in the grid, and row of every invocation that there is.
    lanes: Vec<[u32; 4]>,
    /// The elements as the previous phase left them, and as they are being set.
    pub(super) before: Vec<Value>,
    set: Vec<Value>,
    /// The invocation of the phase being run.
    now: Option<[u32; 4]>,
    /// The first fault of every row.
    pub(crate) faults: BTreeMap<u32, SiteId>,
}

impl Group {
    /// A group of a launch over so many rows, a grid of `width` columns if the shape has tiles.
    pub(crate) fn new(shape: Shape, index: u32, rows: u32, width: u32, zero: &Value) -> Self {
        let mut lanes = Vec::new();
        match shape {
            Shape::Rows => panic!("no group"),
            Shape::Group(size) => {
                for lane in 0..size {
                    let row = index * size + lane;
                    if row < rows {
                        lanes.push([lane, row, 0, row]);
                    }
                }
            }
            Shape::Tile(tile_width, tile_height) => {
                let across = width.div_ceil(tile_width);
                for lane in 0..tile_width * tile_height {
                    let x = index % across * tile_width + lane % tile_width;
                    let y = index / across * tile_height + lane / tile_width;
                    if x < width && y * width < rows {
                        lanes.push([lane, x, y, y * width + x]);
                    }
                }
            }
        }
        let elements = vec![zero.clone(); shape.size() as usize];
        Group { shape, index, lanes, before: elements.clone(), set: elements, now: None, faults: BTreeMap::new() }
    }

    /// Between phases a fault is the first row's.
    pub(super) fn raise(&mut self, site: SiteId) {
        let row = self.now.unwrap_or(self.lanes[0])[3];
        self.faults.entry(row).or_insert(site);
    }

    pub(super) fn own(&mut self) -> &mut Value {
        let lane = self.now.expect("an own element outside a phase")[0];
        &mut self.set[lane as usize]
    }

    pub(super) fn answer(&self, query: GroupQuery) -> u32 {
        let lane = || self.now.expect("a lane outside a phase");
        match query {
            GroupQuery::Lane => lane()[0],
            GroupQuery::X => lane()[1],
            GroupQuery::Y => lane()[2],
            GroupQuery::Row => lane()[3],
            GroupQuery::Index => self.index,
            GroupQuery::Len => self.lanes.len() as u32,
            GroupQuery::Size => self.shape.size(),
        }
    }
}

/// Requires that a base is the scratch.
pub(super) fn is_scratch(frame: &Frame<'_>, base: Base) {
    let Base::Param(param) = base else { panic!("not the scratch: {base:?}") };
    assert!(matches!(frame.params[param.index()], Bound::Scratch), "not the scratch: {base:?}");
}

impl<'m> Machine<'m> {
    pub(super) fn group_mut(&mut self) -> &mut Group {
        self.group.as_mut().expect("a group")
    }

    /// Runs a phase; gives its vote, if it has one.
    pub(super) fn phase(
        &mut self,
        frame: &Frame<'m>,
        vote: Option<Vote>,
        id: FunctionId,
        args: &'m [Arg],
    ) -> Option<Value> {
        let module = self.module;
        let callee = &module.functions[id.index()];
        assert_eq!(self.group_mut().now, None, "a phase in a phase");
        let lanes = self.group_mut().lanes.clone();
        let mut truths = Vec::new();
        for lane in lanes {
            let mut bound = Vec::new();
            for (arg, param) in args.iter().zip(&callee.params) {
                bound.push(match arg {
                    Arg::Value(value) => {
                        assert!(matches!(param.kind, ParamKind::Value(_)), "{}: {param:?}", callee.name);
                        Bound::Value(self.eval(frame, value))
                    }
                    Arg::InOut(_) => panic!("{}: a phase changes no variable of the group", callee.name),
                    Arg::Resource(place) => match self.resource(frame, place, &param.kind) {
                        Bound::Each(table) => {
                            assert!(matches!(param.kind, ParamKind::Row(..)), "{}: {param:?}", callee.name);
                            Bound::Row { table, row: lane[3] as usize }
                        }
                        Bound::Row { .. } => panic!("{}: the row of a group in a phase", callee.name),
                        other => other,
                    },
                });
            }
            self.group_mut().now = Some(lane);
            let (result, _) = self.call(id, bound);
            self.group_mut().now = None;
            assert_eq!(result.is_some(), vote.is_some(), "{}", callee.name);
            truths.extend(result.map(|value| truth(&value)));
        }
        let group = self.group_mut();
        group.before.clone_from(&group.set);
        vote.map(|vote| match vote {
            Vote::Any => Value::Bool(truths.contains(&true)),
            Vote::All => Value::Bool(!truths.contains(&false)),
            Vote::Count => Value::U32(truths.iter().filter(|truth| **truth).count() as u32),
        })
    }
}
