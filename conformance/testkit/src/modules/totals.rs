//! A kernel that reads its group's own row where only one invocation acts: in a stored value, and in a contribution to
//! a tally.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

const U32: Scalar = Scalar::U32;
const U64: Scalar = Scalar::U64;

/// Line of the fault site of [`count_up`].
pub const INDEX_LINE: u32 = 41;

/// Builds a kernel that does not keep a copy of the group's row. In the kernel language, which would keep one:
///
/// ```text
/// fn count_up(group: &mut Group<u32>, cells: &mut Each<Cell>, total: &mut Total, tally: &Tally<u64>) {
///     for _ in 0..3 {
///         total.sum = total.sum * 2 + 1;
///         tally.add(0, total.sum);
///         total.list[total.place as usize] = total.sum;
///         group.phase(cells, |lane, cell| cell.value += total.sum);
///         total.place = total.place + 2;
///     }
/// }
/// ```
pub fn count_up(size: u32) -> Built {
    let mut b = Builder::new("totals");
    let cell = b.structure("Cell", StructRole::Row, &[("value", value(U64))]);
    let total = b.structure(
        "Total",
        StructRole::Row,
        &[("sum", value(U64)), ("place", value(U32)), ("list", value(array(U64, 4)))],
    );
    let site = b.site(FaultKind::IndexOutOfRange, INDEX_LINE);
    let tally_site = b.site(FaultKind::TallyOutOfRange, 42);

    let mut f = Body::new("count_up::phase", 10, Type::Unit);
    f.param("lane", ParamKind::Scratch(U32.into(), true));
    let me = f.param("cell", ParamKind::Row(cell, true));
    let sum = f.param("sum", ParamKind::Value(U64.into()));
    f.assign(me.field(0), bin(BinaryOp::Add, me.field(0).get(U64), sum.get(U64)));
    let phase = b.function(f);

    let mut k = Body::new("count_up", 20, Type::Unit);
    let group = k.param("group", ParamKind::Scratch(U32.into(), true));
    let cells = k.param("cells", ParamKind::Each(cell, true));
    let total = k.param("total", ParamKind::Row(total, true));
    let tally = k.param("tally", ParamKind::Tally(U64));
    let sum = || total.field(0).get(U64);
    let next = bin(BinaryOp::Add, bin(BinaryOp::Mul, sum(), u64_(2)), u64_(1));
    let round = [
        StmtKind::Assign(total.field(0), next),
        StmtKind::Tally { tally: tally.base, op: TallyOp::Add, slot: u32_(0), value: sum(), site: tally_site },
        StmtKind::Store(total.field(2).at(total.field(1).get(U32)), sum(), site),
        StmtKind::Phase {
            into: None,
            vote: None,
            function: phase,
            args: vec![Arg::Resource(group.clone()), Arg::Resource(cells.clone()), Arg::Value(sum())],
        },
        StmtKind::Assign(total.field(1), bin(BinaryOp::Add, total.field(1).get(U32), u32_(2))),
    ];
    let body = round.into_iter().map(|kind| k.stmt(kind)).collect();
    let turn = k.local("turn", U32.into());
    k.push(StmtKind::For { var: turn, start: u32_(0), end: u32_(3), inclusive: false, reverse: false, body });
    let mut kernel = b.kernel(k, None);
    kernel.shape = Shape::Group(size);
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = kernel.shape;
    }
    Built { module: b.module, kernel }
}
