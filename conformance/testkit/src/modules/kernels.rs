//! Kernels built by hand that several tests use.

use super::build::*;
use imminent_ir::*;

const U32: Scalar = Scalar::U32;
const U64: Scalar = Scalar::U64;

/// A kernel with its module.
pub struct Built {
    pub module: Module,
    pub kernel: Kernel,
}

impl Built {
    /// Packs the rows of all tables.
    pub fn packed(mut self) -> Built {
        let rows = self.module.structs.iter_mut().filter(|def| def.role == StructRole::Row);
        rows.for_each(|def| def.packed = true);
        self
    }
}

/// Builds a facility that serves its earliest token and posts it. It uses own rows, another table, parameters, and
/// functions with a local struct and with a row. It also uses checked arrays, lanes, a tally and a reduced result.
pub fn serve() -> Built {
    let mut b = Builder::new("queue");
    let rng = b.structure("Rng", StructRole::Value, &[("state", value(U64)), ("inc", value(U64))]);
    let facility = b.structure(
        "Facility",
        StructRole::Row,
        &[
            ("free_at", value(U64)),
            ("rng", value(Type::Struct(rng))),
            ("waiting", value(U32)),
            ("arrival", value(array(U64, 24))),
            ("line", FieldType::Lanes(U64.into())),
        ],
    );
    let post = b.structure("Outbox", StructRole::Row, &[("earliest", value(U64)), ("to", value(U32))]);
    let network = b.structure("Network", StructRole::Params, &[("mean", value(U64)), ("width", value(U32))]);
    let multiplier = b.constant("Rng::MULTIPLIER", U64.into(), Value::U64(6364136223846793005));
    let steps = b.constant("STEPS", array(U32, 4), Value::Array((1..=4).map(Value::U32).collect()));

    // fn Rng::next(self: &mut Rng) -> u32
    let mut next = Body::new("Rng::next", 10, U32.into());
    let this = next.param("self", ParamKind::InOut(Type::Struct(rng)));
    let old = next.let_("old", this.field(0).get(U64));
    next.assign(
        this.field(0),
        bin(
            BinaryOp::Add,
            bin(BinaryOp::Mul, get(old, U64), place(Base::Const(multiplier)).get(U64)),
            this.field(1).get(U64),
        ),
    );
    let shifted =
        bin(BinaryOp::Shr, bin(BinaryOp::BitXor, bin(BinaryOp::Shr, get(old, U64), u32_(18)), get(old, U64)), u32_(27));
    next.push(StmtKind::Return(Some(builtin(
        Builtin::RotateRight,
        U32,
        vec![cast(shifted, U32), cast(bin(BinaryOp::Shr, get(old, U64), u32_(59)), U32)],
    ))));
    let next = b.function(next);

    // fn bound(post: &Outbox, floor: u64) -> u64
    let mut bound = Body::new("bound", 20, U64.into());
    let row = bound.param("post", ParamKind::Row(post, false));
    let floor = bound.param("floor", ParamKind::Value(U64.into()));
    bound.push(StmtKind::Return(Some(builtin(Builtin::Max, U64, vec![row.field(0).get(U64), floor.get(U64)]))));
    let bound = b.function(bound);

    let mut k = Body::new("serve", 30, U64.into());
    let me = k.param("me", ParamKind::Row(facility, true));
    let out = k.param("out", ParamKind::Row(post, true));
    let all = k.param("all", ParamKind::Rows(post));
    let net = k.param("net", ParamKind::Params(network));
    let served = k.param("served", ParamKind::Tally(U64));
    let id = k.param("id", ParamKind::Value(U32.into()));
    let row_site = b.site(FaultKind::RowOutOfRange, 33);
    let index_site = b.site(FaultKind::IndexOutOfRange, 36);
    let lane_site = b.site(FaultKind::LaneOutOfRange, 40);
    let tally_site = b.site(FaultKind::TallyOutOfRange, 42);
    let division_site = b.site(FaultKind::DivisionByZero, 44);

    let least = k.local("least", U64.into());
    k.push(StmtKind::Let(least, Some(u64_(u64::MAX))));
    let step = k.local("step", U32.into());
    let neighbour = k.row_local("neighbour", post);
    let eot = k.local("eot", U64.into());
    let bind = k.stmt(StmtKind::BindRow {
        local: neighbour,
        rows: all.base,
        index: bin(
            BinaryOp::BitAnd,
            bin(BinaryOp::Add, id.get(U32), place(Base::Const(steps)).at(get(step, U32)).get(U32)),
            bin(BinaryOp::Sub, Expr { ty: U32.into(), kind: ExprKind::RowsLen(all.base) }, u32_(1)),
        ),
        site: row_site,
    });
    let call = k.stmt(StmtKind::Call {
        into: Some(eot),
        function: bound,
        args: vec![Arg::Resource(of(neighbour)), Arg::Value(me.field(0).get(U64))],
    });
    let lower = k.stmt(StmtKind::Assign(of(least), builtin(Builtin::Min, U64, vec![get(least, U64), get(eot, U64)])));
    k.push(StmtKind::For {
        var: step,
        start: u32_(0),
        end: u32_(4),
        inclusive: false,
        reverse: false,
        body: vec![bind, call, lower],
    });
    let arrival = k.local("arrival", U64.into());
    k.push(StmtKind::Load(arrival, me.field(3).at(me.field(2).get(U32)), index_site));
    let draw = k.local("draw", U32.into());
    k.push(StmtKind::Call { into: Some(draw), function: next, args: vec![Arg::InOut(me.field(1))] });
    let service = k.local("service", U64.into());
    k.push(StmtKind::Divide(service, cast(get(draw, U32), U64), net.field(0).get(U64), division_site));
    let take = k.stmt(StmtKind::Assign(
        me.field(0),
        bin(
            BinaryOp::Add,
            builtin(Builtin::Max, U64, vec![me.field(0).get(U64), get(arrival, U64)]),
            get(service, U64),
        ),
    ));
    let lane = k.stmt(StmtKind::LaneSet {
        lanes: me.field(4),
        index: me.field(2).get(U32),
        value: get(arrival, U64),
        site: lane_site,
    });
    let count = k.stmt(StmtKind::Tally {
        tally: served.base,
        op: TallyOp::Add,
        slot: bin(BinaryOp::BitAnd, id.get(U32), u32_(3)),
        value: get(service, U64),
        site: tally_site,
    });
    let store = k.stmt(StmtKind::Store(me.field(3).at(me.field(2).get(U32)), me.field(0).get(U64), index_site));
    k.push(StmtKind::If(bin(BinaryOp::Lt, get(arrival, U64), get(least, U64)), vec![take, lane, count, store], vec![]));
    k.assign(out.field(0), get(service, U64));
    k.assign(out.field(1), bin(BinaryOp::Add, id.get(U32), net.field(1).get(U32)));
    k.push(StmtKind::Return(Some(me.field(0).get(U64))));
    let kernel = b.kernel(k, Some(Reduce::Min));
    Built { module: b.module, kernel }
}

/// Returns a kernel that works on its row with lanes in one branch alone: a loop adds to a field while another row is
/// above it.
pub fn branch_with_loop() -> Built {
    let mut b = Builder::new("branch");
    let lanes = FieldType::Lanes(U32.into());
    let counter = b.structure("Counter", StructRole::Row, &[("count", value(U32)), ("line", lanes)]);
    let due = b.structure("Due", StructRole::Row, &[("until", value(U32))]);

    let mut k = Body::new("count_up", 1, Type::Unit);
    let me = k.param("me", ParamKind::Row(counter, true));
    let due = k.param("due", ParamKind::Row(due, false));
    let is_below = bin(BinaryOp::Lt, me.field(0).get(U32), due.field(0).get(U32));
    let more = k.stmt(StmtKind::Assign(me.field(0), bin(BinaryOp::Add, me.field(0).get(U32), u32_(1))));
    let count = k.stmt(StmtKind::While(is_below, vec![more]));
    k.push(StmtKind::If(bin(BinaryOp::Gt, due.field(0).get(U32), u32_(0)), vec![count], vec![]));
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

/// Builds the four kinds of `for` over ranges of one type, each of which folds the visited numbers into a hash. Numbers
/// that are 3 modulo 8 are skipped with `continue`; a hash that is 77 modulo 256 breaks.
pub fn loops(scalar: Scalar) -> Built {
    let mut b = Builder::new("loops");
    let row = b.structure(
        "Range",
        StructRole::Row,
        &[("start", value(scalar)), ("end", value(scalar)), ("hash", value(array(U32, 6)))],
    );
    let mut k = Body::new("walk", 5, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let small = |x: Expr| if scalar == U32 { x } else { cast(x, U32) };
    for (kind, (inclusive, reverse, literal)) in [
        (false, false, false),
        (true, false, false),
        (false, true, false),
        (true, true, false),
        (true, false, true),
        (false, true, true),
    ]
    .into_iter()
    .enumerate()
    {
        let hash = k.let_("hash", u32_(1));
        let var = k.local("i", scalar.into());
        // A copy that is assigned, so that the bound must be kept.
        let last = k.local("last", scalar.into());
        k.push(StmtKind::Let(last, Some(me.field(1).get(scalar))));
        let skip = k.stmt(StmtKind::Continue);
        let skip = k.stmt(StmtKind::If(
            bin(BinaryOp::Eq, bin(BinaryOp::BitAnd, small(get(var, scalar)), u32_(7)), u32_(3)),
            vec![skip],
            vec![],
        ));
        let change = k.stmt(StmtKind::Assign(of(last), get(var, scalar)));
        let fold = k.stmt(StmtKind::Assign(
            of(hash),
            bin(BinaryOp::Add, bin(BinaryOp::Mul, get(hash, U32), u32_(31)), small(get(var, scalar))),
        ));
        let leave = k.stmt(StmtKind::Break);
        let leave = k.stmt(StmtKind::If(
            bin(BinaryOp::Eq, bin(BinaryOp::BitAnd, get(hash, U32), u32_(255)), u32_(77)),
            vec![leave],
            vec![],
        ));
        let (start, end) = if literal {
            (number(scalar, 3), number(scalar, 20))
        } else {
            (me.field(0).get(scalar), get(last, scalar))
        };
        k.push(StmtKind::For { var, start, end, inclusive, reverse, body: vec![skip, change, fold, leave] });
        k.assign(me.field(2).at(u32_(kind as u32)), get(hash, U32));
    }
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

/// Builds every kind of checked index, into the row and into a local: `a[i]` and `nested[i].pair[j]` are read and
/// written.
pub fn indices(index: Scalar) -> Built {
    let mut b = Builder::new("indices");
    let item = b.structure("Item", StructRole::Value, &[("tag", value(U32)), ("pair", value(array(U64, 2)))]);
    let row = b.structure(
        "Case",
        StructRole::Row,
        &[
            ("i", value(index)),
            ("j", value(index)),
            ("a", value(array(Scalar::I32, 5))),
            ("nested", value(array(Type::Struct(item), 3))),
            ("read", value(array(U64, 4))),
        ],
    );
    let sites: Vec<SiteId> = (0..7).map(|i| b.site(FaultKind::IndexOutOfRange, 10 + i)).collect();
    let mut k = Body::new("index", 5, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let i = || me.field(0).get(index);
    let j = || me.field(1).get(index);
    let one = k.local("one", Scalar::I32.into());
    k.push(StmtKind::Load(one, me.field(2).at(i()), sites[0]));
    k.assign(me.field(4).at(u32_(0)), cast(cast(get(one, Scalar::I32), Scalar::I64), U64));
    let two = k.local("two", U64.into());
    k.push(StmtKind::Load(two, me.field(3).at(i()).field(1).at(j()), sites[1]));
    k.assign(me.field(4).at(number(index, 1)), get(two, U64));
    k.push(StmtKind::Store(me.field(3).at(j()).field(1).at(i()), u64_(u64::MAX - 5), sites[2]));
    k.push(StmtKind::Store(me.field(2).at(j()), i32_(-7), sites[3]));
    let local = k.let_("copy", me.field(3).get(array(Type::Struct(item), 3)));
    k.push(StmtKind::Store(of(local).at(i()).field(0), u32_(99), sites[4]));
    let tag = k.local("tag", U32.into());
    k.push(StmtKind::Load(tag, of(local).at(j()).field(0), sites[5]));
    k.assign(me.field(4).at(u32_(2)), cast(get(tag, U32), U64));
    // An index that is not checked here, as after a check: for any value, nothing past the end is touched.
    k.assign(me.field(4).at(u32_(3)), me.field(3).at(i()).field(1).at(j()).get(U64));
    let never = k.local("never", Scalar::I32.into());
    k.push(StmtKind::Load(never, me.field(2).at(number(index, 5)), sites[6]));
    k.push(StmtKind::Store(me.field(2).at(number(index, 9)), get(never, Scalar::I32), sites[6]));
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

/// Builds a tally of a type and operation, with a slot that may be out of range.
pub fn tally(scalar: Scalar, op: TallyOp) -> Built {
    let mut b = Builder::new("tallies");
    let row =
        b.structure("Item", StructRole::Row, &[("slot", value(U32)), ("amount", value(scalar)), ("slots", value(U32))]);
    let site = b.site(FaultKind::TallyOutOfRange, 9);
    let mut k = Body::new("count", 5, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let tally = k.param("tally", ParamKind::Tally(scalar));
    k.push(StmtKind::Tally { tally: tally.base, op, slot: me.field(0).get(U32), value: me.field(1).get(scalar), site });
    k.assign(me.field(2), Expr { ty: U32.into(), kind: ExprKind::TallyLen(tally.base) });
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

/// Builds a kernel that returns a field, to be reduced.
pub fn reduction(reduce: Reduce, scalar: Scalar) -> Built {
    let mut b = Builder::new("reductions");
    let row = b.structure("Item", StructRole::Row, &[("x", value(scalar))]);
    let mut k = Body::new("give", 5, scalar.into());
    let me = k.param("me", ParamKind::Row(row, false));
    k.push(StmtKind::Return(Some(me.field(0).get(scalar))));
    let kernel = b.kernel(k, Some(reduce));
    Built { module: b.module, kernel }
}

/// The results of [`several`].
pub const SEVERAL: [(Reduce, Scalar); 4] =
    [(Reduce::Sum, Scalar::U64), (Reduce::Max, Scalar::I32), (Reduce::Any, Scalar::Bool), (Reduce::Min, Scalar::F32)];

/// Builds a kernel that returns a struct, each of whose fields is reduced on its own.
pub fn several() -> Built {
    let mut b = Builder::new("reductions");
    let names = ["total", "most", "any", "least"];
    let fields: Vec<_> = names.into_iter().zip(SEVERAL).map(|(name, (_, scalar))| (name, value(scalar))).collect();
    let row = b.structure("Item", StructRole::Row, &fields);
    let returned = b.structure("Totals", StructRole::Value, &fields);
    let mut k = Body::new("totals", 5, Type::Struct(returned));
    let me = k.param("me", ParamKind::Row(row, false));
    let read = SEVERAL.iter().zip(0..).map(|((_, scalar), at)| me.field(at).get(*scalar)).collect();
    let totals = k.let_("totals", Expr { ty: Type::Struct(returned), kind: ExprKind::Struct(read) });
    k.push(StmtKind::Return(Some(get(totals, Type::Struct(returned)))));
    let mut kernel = b.kernel(k, None);
    kernel.reduce = SEVERAL.iter().map(|(reduce, _)| *reduce).collect();
    if let Some(last) = b.module.kernels.last_mut() {
        last.reduce.clone_from(&kernel.reduce);
    }
    Built { module: b.module, kernel }
}
