//! Kernels that run in groups, built by hand. They have phases of every kind, votes, uniform loops, rows of groups, and
//! faults and tallies of phases and of the code between them.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

const U32: Scalar = Scalar::U32;
const U64: Scalar = Scalar::U64;
const BOOL: Scalar = Scalar::Bool;

/// Lines of the fault sites of [`relax`].
pub const NEIGHBOUR_LINE: u32 = 41;
pub const ROW_LINE: u32 = 42;
pub const ASSERT_LINE: u32 = 43;
pub const ELEMENT_LINE: u32 = 71;
pub const GROUP_ASSERT_LINE: u32 = 72;
pub const TALLY_LINE: u32 = 73;

fn query(query: GroupQuery) -> Expr {
    Expr { ty: U32.into(), kind: ExprKind::Group(query) }
}

fn add(a: Expr, b: Expr) -> Expr {
    bin(BinaryOp::Add, a, b)
}

/// Builds a relaxation over a group's elements. In the kernel language:
///
/// ```text
/// fn relax(group: &mut Group<Bound>, stations: &mut Each<Station>, before: &Rows<Post>, sum: &mut Sum, net: &Net, tally: &Tally<u64>) -> u64 {
///     let start = sum.first;
///     group.phase(stations, |lane, station| lane.set(Bound { time: station.value + before.get(lane.row()).start, left: lane.index() }));
///     let mut rounds = 0;
///     let mut again = true;
///     while again {
///         again = group.any(stations, |lane, station| {
///             let other = lane.get(lane.index() ^ net.reach);
///             let own = lane.own();
///             let best = own.time.max(other.time.saturating_sub(start));
///             lane.set(Bound { time: best, left: other.left });
///             station.rounds += 1;
///             best != own.time
///         });
///         rounds += 1;
///         tally.add(net.slot, 1);
///         if rounds >= net.limit { break; }
///     }
///     let above = group.count((), |lane| lane.get(group.len() - 1).time < lane.own().time);
///     let even = group.all((), |lane| lane.own().time & 1 == 0);
///     group.phase(stations, |lane, station| { station.value = lane.own().time; .. });
///     let last = group.get(net.pick);
///     assert!(last.time != net.forbidden);
///     *sum = Sum { rounds, first: last.time, above, even, group: index, size }
///     last.time + above
/// }
/// ```
pub fn relax(shape: Shape) -> Built {
    let tiled = matches!(shape, Shape::Tile(..));
    let mut b = Builder::new("relaxation");
    let bound = b.structure("Bound", StructRole::Value, &[("time", value(U64)), ("left", value(U32))]);
    let station = b.structure(
        "Station",
        StructRole::Row,
        &[("value", value(U64)), ("rounds", value(U32)), ("seen", value(U32)), ("x", value(U32)), ("y", value(U32))],
    );
    let post = b.structure("Post", StructRole::Row, &[("start", value(U64))]);
    let sum = b.structure(
        "Sum",
        StructRole::Row,
        &[
            ("first", value(U64)),
            ("rounds", value(U32)),
            ("above", value(U32)),
            ("even", value(BOOL)),
            ("group", value(U32)),
            ("len", value(U32)),
            ("size", value(U32)),
        ],
    );
    let net = b.structure(
        "Net",
        StructRole::Params,
        &[
            ("reach", value(U32)),
            ("limit", value(U32)),
            ("pick", value(U32)),
            ("slot", value(U32)),
            ("forbidden", value(U64)),
        ],
    );
    let bound_ty = Type::Struct(bound);
    let scratch = || ParamKind::Scratch(bound_ty.clone(), true);
    let neighbour_site = b.site(FaultKind::ScratchOutOfRange, NEIGHBOUR_LINE);
    let row_site = b.site(FaultKind::RowOutOfRange, ROW_LINE);
    let assert_site = b.site(FaultKind::Assertion, ASSERT_LINE);
    let element_site = b.site(FaultKind::ScratchOutOfRange, ELEMENT_LINE);
    let group_assert_site = b.site(FaultKind::Assertion, GROUP_ASSERT_LINE);
    let tally_site = b.site(FaultKind::TallyOutOfRange, TALLY_LINE);
    let make = |time: Expr, left: Expr| Expr { ty: bound_ty.clone(), kind: ExprKind::Struct(vec![time, left]) };

    // fn contribute(tally: &Tally<u64>, slot: u32): called by phases and by the code between them.
    let mut f = Body::new("contribute", 10, Type::Unit);
    let tally = f.param("tally", ParamKind::Tally(U64));
    let slot = f.param("slot", ParamKind::Value(U32.into()));
    f.push(StmtKind::Tally {
        tally: tally.base,
        op: TallyOp::Add,
        slot: slot.get(U32),
        value: u64_(1),
        site: tally_site,
    });
    let contribute = b.function(f);

    // The first phase: elements from rows.
    let mut f = Body::new("relax::begin", 20, Type::Unit);
    let lane = f.param("lane", scratch());
    let me = f.param("station", ParamKind::Row(station, false));
    let before = f.param("before", ParamKind::Rows(post));
    let row = f.row_local("post", post);
    f.push(StmtKind::BindRow { local: row, rows: before.base, index: query(GroupQuery::Row), site: row_site });
    let time = add(me.field(0).get(U64), of(row).field(0).get(U64));
    f.push(StmtKind::ScratchSet { scratch: lane.base, value: make(time, query(GroupQuery::Lane)) });
    let begin = b.function(f);

    // One relaxation: reads another element, sets its own, votes.
    let mut f = Body::new("relax::round", 30, BOOL.into());
    let lane = f.param("lane", scratch());
    let me = f.param("station", ParamKind::Row(station, true));
    let reach = f.param("reach", ParamKind::Value(U32.into()));
    let start = f.param("start", ParamKind::Value(U64.into()));
    let other = f.local("other", bound_ty.clone());
    f.push(StmtKind::ScratchGet {
        into: other,
        scratch: lane.base,
        index: bin(BinaryOp::BitXor, query(GroupQuery::Lane), reach.get(U32)),
        site: neighbour_site,
    });
    let own = f.local("own", bound_ty.clone());
    f.push(StmtKind::ScratchOwn { into: own, scratch: lane.base });
    let reached = builtin(Builtin::SaturatingSub, U64, vec![of(other).field(0).get(U64), start.get(U64)]);
    let best = f.let_("best", builtin(Builtin::Max, U64, vec![of(own).field(0).get(U64), reached]));
    f.push(StmtKind::ScratchSet { scratch: lane.base, value: make(get(best, U64), of(other).field(1).get(U32)) });
    f.assign(me.field(1), add(me.field(1).get(U32), u32_(1)));
    f.push(StmtKind::Return(Some(bin(BinaryOp::Ne, get(best, U64), of(own).field(0).get(U64)))));
    let round = b.function(f);

    // Only reads, with an early return.
    let mut f = Body::new("relax::above", 50, BOOL.into());
    let lane = f.param("lane", scratch());
    let last = f.local("last", bound_ty.clone());
    let late = f.stmt(StmtKind::Return(Some(bool_(false))));
    f.push(StmtKind::If(
        bin(BinaryOp::Eq, bin(BinaryOp::BitAnd, query(GroupQuery::Lane), u32_(7)), u32_(5)),
        vec![late],
        vec![],
    ));
    f.push(StmtKind::ScratchGet {
        into: last,
        scratch: lane.base,
        index: bin(BinaryOp::Sub, query(GroupQuery::Size), u32_(1)),
        site: neighbour_site,
    });
    let own = f.local("own", bound_ty.clone());
    f.push(StmtKind::ScratchOwn { into: own, scratch: lane.base });
    f.push(StmtKind::Return(Some(bin(BinaryOp::Lt, of(last).field(0).get(U64), of(own).field(0).get(U64)))));
    let above = b.function(f);

    let mut f = Body::new("relax::even", 55, BOOL.into());
    let lane = f.param("lane", scratch());
    let own = f.local("own", bound_ty.clone());
    f.push(StmtKind::ScratchOwn { into: own, scratch: lane.base });
    let low = bin(BinaryOp::BitAnd, of(own).field(0).get(U64), u64_(1));
    f.push(StmtKind::Return(Some(bin(BinaryOp::Eq, low, u64_(0)))));
    let even = b.function(f);

    // The last phase: rows from elements.
    let mut f = Body::new("relax::end", 60, Type::Unit);
    let lane = f.param("lane", scratch());
    let me = f.param("station", ParamKind::Row(station, true));
    let tally = f.param("tally", ParamKind::Tally(U64));
    let forbidden = f.param("forbidden", ParamKind::Value(U64.into()));
    let own = f.local("own", bound_ty.clone());
    f.push(StmtKind::ScratchOwn { into: own, scratch: lane.base });
    f.assign(me.field(0), of(own).field(0).get(U64));
    f.assign(me.field(2), of(own).field(1).get(U32));
    if tiled {
        f.assign(me.field(3), query(GroupQuery::X));
        f.assign(me.field(4), query(GroupQuery::Y));
    }
    f.push(StmtKind::Call {
        into: None,
        function: contribute,
        args: vec![Arg::Resource(tally), Arg::Value(bin(BinaryOp::BitAnd, query(GroupQuery::Index), u32_(1)))],
    });
    f.push(StmtKind::Assert(bin(BinaryOp::Ne, of(own).field(0).get(U64), forbidden.get(U64)), assert_site));
    let end = b.function(f);

    let mut k = Body::new("relax", 70, U64.into());
    let group = k.param("group", scratch());
    let stations = k.param("stations", ParamKind::Each(station, true));
    let before = k.param("before", ParamKind::Rows(post));
    let own_row = k.param("sum", ParamKind::Row(sum, true));
    let net = k.param("net", ParamKind::Params(net));
    let tally = k.param("tally", ParamKind::Tally(U64));
    let resource = |place: &Place| Arg::Resource(place.clone());
    let phase = |into, vote, function, args| StmtKind::Phase { into, vote, function, args };

    let whole = k.let_("start", own_row.get(Type::Struct(sum)));
    k.push(phase(None, None, begin, vec![resource(&group), resource(&stations), resource(&before)]));
    let rounds = k.local("rounds", U32.into());
    k.push(StmtKind::Let(rounds, Some(u32_(0))));
    let again = k.local("again", BOOL.into());
    let any = k.stmt(phase(
        Some(again),
        Some(Vote::Any),
        round,
        vec![
            resource(&group),
            resource(&stations),
            Arg::Value(net.field(0).get(U32)),
            Arg::Value(of(whole).field(0).get(U64)),
        ],
    ));
    let next = k.stmt(StmtKind::Assign(of(rounds), add(get(rounds, U32), u32_(1))));
    let noted = k.stmt(StmtKind::Call {
        into: None,
        function: contribute,
        args: vec![resource(&tally), Arg::Value(net.field(3).get(U32))],
    });
    let leave = k.stmt(StmtKind::Break);
    let enough = bin(BinaryOp::Ge, get(rounds, U32), net.field(1).get(U32));
    let done = bin(BinaryOp::Or, un(UnaryOp::Not, get(again, BOOL)), enough);
    let stop = k.stmt(StmtKind::If(done, vec![leave], vec![]));
    k.push(StmtKind::Loop(vec![any, next, noted, stop]));

    let above_count = k.local("above", U32.into());
    k.push(phase(Some(above_count), Some(Vote::Count), above, vec![resource(&group)]));
    let all_even = k.local("even", BOOL.into());
    k.push(phase(Some(all_even), Some(Vote::All), even, vec![resource(&group)]));
    k.push(phase(
        None,
        None,
        end,
        vec![resource(&group), resource(&stations), resource(&tally), Arg::Value(net.field(4).get(U64))],
    ));
    let last = k.local("last", bound_ty.clone());
    k.push(StmtKind::ScratchGet { into: last, scratch: group.base, index: net.field(2).get(U32), site: element_site });
    let time = of(last).field(0).get(U64);
    k.push(StmtKind::Assert(bin(BinaryOp::Ne, time.clone(), net.field(4).get(U64)), group_assert_site));
    k.assign(own_row.field(0), time.clone());
    k.assign(own_row.field(1), get(rounds, U32));
    k.assign(own_row.field(2), get(above_count, U32));
    k.assign(own_row.field(3), get(all_even, BOOL));
    k.assign(own_row.field(4), query(GroupQuery::Index));
    k.assign(own_row.field(5), query(GroupQuery::Len));
    k.assign(own_row.field(6), query(GroupQuery::Size));
    k.push(StmtKind::Return(Some(add(time, cast(get(above_count, U32), U64)))));
    let mut kernel = b.kernel(k, Some(Reduce::Sum));
    kernel.shape = shape;
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = shape;
    }
    Built { module: b.module, kernel }
}

/// Builds a group that shares nothing: a phase over rows, without a result.
pub fn apart(size: u32) -> Built {
    let mut b = Builder::new("apart");
    let row = b.structure("Cell", StructRole::Row, &[("value", value(U32))]);
    let mut f = Body::new("double::phase", 10, Type::Unit);
    f.param("lane", ParamKind::Scratch(U32.into(), true));
    let me = f.param("cell", ParamKind::Row(row, true));
    f.assign(me.field(0), add(bin(BinaryOp::Mul, me.field(0).get(U32), u32_(2)), query(GroupQuery::Lane)));
    let phase = b.function(f);
    let mut k = Body::new("double", 20, Type::Unit);
    let group = k.param("group", ParamKind::Scratch(U32.into(), true));
    let cells = k.param("cells", ParamKind::Each(row, true));
    k.push(StmtKind::Phase {
        into: None,
        vote: None,
        function: phase,
        args: vec![Arg::Resource(group), Arg::Resource(cells)],
    });
    let mut kernel = b.kernel(k, None);
    kernel.shape = Shape::Group(size);
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = kernel.shape;
    }
    Built { module: b.module, kernel }
}

/// Builds a group that does nothing unless its parameters say so. One struct is used by several stages, another by one.
/// In the kernel language:
///
/// ```text
/// fn spread(group: &mut Group<u64>, cells: &mut Each<Cell>, order: &Order) {
///     if order.due {
///         let first = Pair { a: order.start, b: order.start };
///         let kept = Pair { a: first.a, b: 5 };
///         let mut round = 0;
///         while round < 3 {
///             group.phase(cells, |lane, cell| { lane.set(kept.a); cell.value += lane.own() + kept.b });
///             round += 1;
///         }
///     }
/// }
/// ```
pub fn under_condition() -> Built {
    let mut b = Builder::new("under_condition");
    let pair = b.structure("Pair", StructRole::Value, &[("a", value(U64)), ("b", value(U64))]);
    let row = b.structure("Cell", StructRole::Row, &[("value", value(U64))]);
    let order = b.structure("Order", StructRole::Params, &[("due", value(BOOL)), ("start", value(U64))]);
    let pair_ty = Type::Struct(pair);
    let scratch = || ParamKind::Scratch(U64.into(), true);
    let make = |a: Expr, b: Expr| Expr { ty: pair_ty.clone(), kind: ExprKind::Struct(vec![a, b]) };

    let mut f = Body::new("spread::phase", 10, Type::Unit);
    let lane = f.param("lane", scratch());
    let me = f.param("cell", ParamKind::Row(row, true));
    let a = f.param("a", ParamKind::Value(U64.into()));
    let more = f.param("b", ParamKind::Value(U64.into()));
    f.push(StmtKind::ScratchSet { scratch: lane.base, value: a.get(U64) });
    let own = f.local("own", U64.into());
    f.push(StmtKind::ScratchOwn { into: own, scratch: lane.base });
    f.assign(me.field(0), add(me.field(0).get(U64), add(get(own, U64), more.get(U64))));
    let phase = b.function(f);

    let mut k = Body::new("spread", 20, Type::Unit);
    let group = k.param("group", scratch());
    let cells = k.param("cells", ParamKind::Each(row, true));
    let order = k.param("order", ParamKind::Params(order));
    let let_ = |k: &mut Body, name: &str, ty: Type, value: Expr| {
        let local = k.local(name, ty);
        (local, k.stmt(StmtKind::Let(local, Some(value))))
    };
    let start = || order.field(1).get(U64);
    let (first, makes_first) = let_(&mut k, "first", pair_ty.clone(), make(start(), start()));
    let (kept, keeps) = let_(&mut k, "kept", pair_ty.clone(), make(of(first).field(0).get(U64), u64_(5)));
    let (round, begins) = let_(&mut k, "round", U32.into(), u32_(0));
    let spreads = k.stmt(StmtKind::Phase {
        into: None,
        vote: None,
        function: phase,
        args: vec![
            Arg::Resource(group),
            Arg::Resource(cells),
            Arg::Value(of(kept).field(0).get(U64)),
            Arg::Value(of(kept).field(1).get(U64)),
        ],
    });
    let next = k.stmt(StmtKind::Assign(of(round), add(get(round, U32), u32_(1))));
    let again = bin(BinaryOp::Lt, get(round, U32), u32_(3));
    let rounds = k.stmt(StmtKind::While(again, vec![spreads, next]));
    k.push(StmtKind::If(order.field(0).get(BOOL), vec![makes_first, keeps, begins, rounds], vec![]));
    let mut kernel = b.kernel(k, None);
    kernel.shape = Shape::Group(33);
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = kernel.shape;
    }
    Built { module: b.module, kernel }
}

/// Builds a reversal within the group: it only reads elements that another phase set, tests whether any value is true,
/// and computes a float sum.
pub fn reverse(scalar: Scalar, shape: Shape) -> Built {
    let mut b = Builder::new("reverse");
    let row = b.structure("Item", StructRole::Row, &[("x", value(scalar))]);
    let mut f = Body::new("reverse::put", 10, Type::Unit);
    let lane = f.param("lane", ParamKind::Scratch(scalar.into(), true));
    let me = f.param("item", ParamKind::Row(row, false));
    f.push(StmtKind::ScratchSet { scratch: lane.base, value: me.field(0).get(scalar) });
    let put = b.function(f);
    let mut f = Body::new("reverse::take", 20, Type::Unit);
    let lane = f.param("lane", ParamKind::Scratch(scalar.into(), true));
    let me = f.param("item", ParamKind::Row(row, true));
    let site = b.site(FaultKind::ScratchOutOfRange, 21);
    let other = f.local("other", scalar.into());
    let last = bin(BinaryOp::Sub, query(GroupQuery::Len), u32_(1));
    f.push(StmtKind::ScratchGet {
        into: other,
        scratch: lane.base,
        index: bin(BinaryOp::Sub, last, query(GroupQuery::Lane)),
        site,
    });
    f.assign(me.field(0), get(other, scalar));
    let take = b.function(f);
    let mut k = Body::new("reverse", 30, scalar.into());
    let group = k.param("group", ParamKind::Scratch(scalar.into(), true));
    let items = k.param("items", ParamKind::Each(row, true));
    for function in [put, take] {
        k.push(StmtKind::Phase {
            into: None,
            vote: None,
            function,
            args: vec![Arg::Resource(group.clone()), Arg::Resource(items.clone())],
        });
    }
    let first = k.local("first", scalar.into());
    let site = b.site(FaultKind::ScratchOutOfRange, 31);
    k.push(StmtKind::ScratchGet { into: first, scratch: group.base, index: u32_(0), site });
    k.push(StmtKind::Return(Some(get(first, scalar))));
    let reduce = if scalar == BOOL { Reduce::Count } else { Reduce::Sum };
    let mut kernel = b.kernel(k, Some(reduce));
    kernel.shape = shape;
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = shape;
    }
    Built { module: b.module, kernel }
}

/// Builds an exchange of structs with `bool`, in arrays and nested: each row takes the next one's element, and the
/// group's own row the first one.
pub fn exchange() -> Built {
    let mut b = Builder::new("exchange");
    let inner = b.structure("Inner", StructRole::Value, &[("on", value(BOOL)), ("count", value(U64))]);
    let list = |ty: Type, count| FieldType::Value(Type::Array(Box::new(ty), count));
    let fields =
        [("list", list(BOOL.into(), 4)), ("inner", list(Type::Struct(inner), 2)), ("plain", list(U32.into(), 3))];
    let element = Type::Struct(b.structure("Element", StructRole::Value, &fields));
    let row = b.structure("Item", StructRole::Row, &[("element", FieldType::Value(element.clone()))]);
    let scratch = || ParamKind::Scratch(element.clone(), true);
    let mut f = Body::new("exchange::put", 10, Type::Unit);
    let lane = f.param("lane", scratch());
    let me = f.param("item", ParamKind::Row(row, true));
    f.push(StmtKind::ScratchSet { scratch: lane.base, value: me.field(0).get(element.clone()) });
    let put = b.function(f);
    let mut f = Body::new("exchange::take", 20, Type::Unit);
    let lane = f.param("lane", scratch());
    let me = f.param("item", ParamKind::Row(row, true));
    let site = b.site(FaultKind::ScratchOutOfRange, 21);
    let next = f.local("next", element.clone());
    let index = bin(BinaryOp::BitAnd, add(query(GroupQuery::Lane), u32_(1)), u32_(31));
    f.push(StmtKind::ScratchGet { into: next, scratch: lane.base, index, site });
    f.assign(me.field(0), get(next, element.clone()));
    let take = b.function(f);
    let mut k = Body::new("exchange", 30, Type::Unit);
    let group = k.param("group", scratch());
    let items = k.param("items", ParamKind::Each(row, true));
    let first = k.param("first", ParamKind::Row(row, true));
    for function in [put, take] {
        let args = vec![Arg::Resource(group.clone()), Arg::Resource(items.clone())];
        k.push(StmtKind::Phase { into: None, vote: None, function, args });
    }
    let site = b.site(FaultKind::ScratchOutOfRange, 31);
    let found = k.local("found", element.clone());
    k.push(StmtKind::ScratchGet { into: found, scratch: group.base, index: u32_(0), site });
    k.assign(first.field(0), get(found, element));
    let mut kernel = b.kernel(k, None);
    kernel.shape = Shape::Group(33);
    if let Some(last) = b.module.kernels.last_mut() {
        last.shape = kernel.shape;
    }
    Built { module: b.module, kernel }
}
