//! Every kernel of the tests, lowered.

use super::validate::{lowered, options, validate};
use imminent_core::Faults;
use imminent_ir::{Reduce, Reductions, Scalar, Shape, StmtKind, TallyOp, Type};
use imminent_lowering::wgsl::{Int64, WgslOptions, WgslSource, lower_reduce};
use imminent_testkit::modules::build::{Body, Builder, bin, bool_, f32_, get, number, u32_};
use imminent_testkit::modules::kernels::{self, Built};
use imminent_testkit::modules::operations;
use imminent_testkit::modules::{SHAPES, calls, groups, histories};

const INTEGERS: [Scalar; 4] = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64];

/// Every kernel of the tests that standard WGSL can express; with native 64-bit types, every kernel.
fn all(int64: Int64) -> Vec<(String, Built)> {
    let mut out = vec![
        ("serve".to_owned(), kernels::serve()),
        ("calls".to_owned(), calls::calls()),
        ("relay".to_owned(), histories::relay()),
        ("several".to_owned(), kernels::several()),
    ];
    for scalar in INTEGERS {
        out.push((format!("loops_{scalar}"), kernels::loops(scalar)));
        out.push((format!("indices_{scalar}"), kernels::indices(scalar)));
        for op in [TallyOp::Add, TallyOp::Min, TallyOp::Max, TallyOp::Or, TallyOp::And] {
            if int64 == Int64::Native || scalar.words() == 1 || !matches!(op, TallyOp::Min | TallyOp::Max) {
                out.push((format!("tally_{scalar}_{}", op.name()), kernels::tally(scalar, op)));
            }
        }
    }
    for scalar in Scalar::ALL.into_iter().filter(|s| int64 == Int64::Native || *s != Scalar::F64) {
        let mut operations = operations::operations(scalar);
        if int64 == Int64::Emulated {
            operations.retain(|o| o.result != Scalar::F64);
        }
        out.push((format!("operations_{scalar}"), operations::kernel(scalar, &operations)));
        if scalar == Scalar::Bool {
            out.push(("count".to_owned(), kernels::reduction(Reduce::Count, scalar)));
            out.push(("any".to_owned(), kernels::reduction(Reduce::Any, scalar)));
        } else {
            for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin] {
                out.push((format!("{reduce:?}_{scalar}"), kernels::reduction(reduce, scalar)));
            }
        }
    }
    out.push(("odd".to_owned(), odd()));
    out.extend(SHAPES.map(|shape| (format!("relax_{shape:?}"), groups::relax(shape))));
    out.push(("apart".to_owned(), groups::apart(100)));
    out.push(("exchange".to_owned(), groups::exchange()));
    for scalar in Scalar::ALL.into_iter().filter(|s| int64 == Int64::Native || *s != Scalar::F64) {
        out.push((format!("reverse_{scalar}"), groups::reverse(scalar, Shape::Group(33))));
    }
    out
}

/// Cases that are legal in the IR and on which validators differ: names that WGSL reserves, code after a `return`, a
/// loop that nothing leaves, a function that ends in a loop, a value parameter that is assigned.
pub fn odd() -> Built {
    let mut b = Builder::new("odd");
    let mut forever = Body::new("override", 5, Scalar::U32.into());
    let target = forever.param("target", imminent_ir::ParamKind::Value(Scalar::U32.into()));
    let ret = forever.stmt(StmtKind::Return(Some(target.get_u32())));
    let more =
        forever.stmt(StmtKind::Assign(target.clone(), bin(imminent_ir::BinaryOp::Mul, target.get_u32(), u32_(3))));
    forever.push(StmtKind::Loop(vec![
        more,
        imminent_ir::Stmt {
            line: 7,
            kind: StmtKind::If(bin(imminent_ir::BinaryOp::Gt, target.get_u32(), u32_(1000)), vec![ret], vec![]),
        },
    ]));
    let forever = b.function(forever);
    let mut both = Body::new("fn", 20, Scalar::F32.into());
    let yes = both.stmt(StmtKind::Return(Some(f32_(-1.5))));
    let no = both.stmt(StmtKind::Return(Some(bin(imminent_ir::BinaryOp::Div, f32_(1.0), f32_(0.0)))));
    let dead = both.stmt(StmtKind::Return(Some(f32_(2.0))));
    both.push(StmtKind::If(bool_(true), vec![yes, dead], vec![no]));
    let both = b.function(both);
    let mut k = Body::new("workgroup", 30, Type::Unit);
    let id = k.param("array", imminent_ir::ParamKind::Value(Scalar::U32.into()));
    let x = k.local("min", Scalar::U32.into());
    k.push(StmtKind::Call { into: Some(x), function: forever, args: vec![imminent_ir::Arg::Value(id.get_u32())] });
    let y = k.local("f32", Scalar::F32.into());
    k.push(StmtKind::Call { into: Some(y), function: both, args: vec![] });
    // Comparisons as arguments: `pick(a < b, c > d)` looks like a template to WGSL.
    let mut pick = Body::new("pick", 25, Scalar::Bool.into());
    let flags: Vec<imminent_ir::Expr> = ["p", "q"]
        .into_iter()
        .map(|name| pick.param(name, imminent_ir::ParamKind::Value(Scalar::Bool.into())).get_bool())
        .collect();
    pick.push(StmtKind::Return(Some(bin(imminent_ir::BinaryOp::And, flags[0].clone(), flags[1].clone()))));
    let pick = b.function(pick);
    let z = k.local("picked", Scalar::Bool.into());
    let compare = |op| imminent_ir::Arg::Value(bin(op, get(x, Scalar::U32), id.get_u32()));
    let args = vec![compare(imminent_ir::BinaryOp::Lt), compare(imminent_ir::BinaryOp::Gt)];
    k.push(StmtKind::Call { into: Some(z), function: pick, args });
    let again = k.stmt(StmtKind::Continue);
    let endless = k.stmt(StmtKind::Loop(vec![again]));
    k.push(StmtKind::If(bin(imminent_ir::BinaryOp::Eq, get(x, Scalar::U32), u32_(1)), vec![endless], vec![]));
    k.push(StmtKind::Return(None));
    k.push(StmtKind::Let(
        k.function.locals.len().try_into().map(imminent_ir::LocalId).unwrap(),
        Some(number(Scalar::U32, 1)),
    ));
    k.local("dead", Scalar::U32.into());
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

trait Read {
    fn get_u32(&self) -> imminent_ir::Expr;
    fn get_bool(&self) -> imminent_ir::Expr;
}

impl Read for imminent_ir::Place {
    fn get_u32(&self) -> imminent_ir::Expr {
        use imminent_testkit::modules::build::Extend;
        self.get(Scalar::U32)
    }

    fn get_bool(&self) -> imminent_ir::Expr {
        use imminent_testkit::modules::build::Extend;
        self.get(Scalar::Bool)
    }
}

/// Lowers every kernel of the tests, in workgroups of two sizes, with operands of faults and with tables that share a
/// buffer, and every second level of a reduction.
pub fn each(int64: Int64, mut look: impl FnMut(&str, &WgslSource)) {
    for (name, built) in all(int64) {
        let (places, operands) = (Faults::Places, Faults::Operands);
        for (workgroup_size, subset, faults, shared) in [
            (256, false, places, None),
            (64, true, places, None),
            (256, false, operands, None),
            (64, true, places, Some(Vec::new())),
        ] {
            let subset = subset && !built.kernel.shape.is_grouped();
            let int64_atomics = int64 == Int64::Native;
            let constants_apart = workgroup_size == 64;
            let options = WgslOptions {
                workgroup_size,
                int64_atomics,
                constants_apart,
                subset,
                faults,
                shared,
                ..options(int64)
            };
            look(&name, &lowered(&built.module, &built.kernel, &options));
        }
    }
    let several = Reductions::new(&kernels::SEVERAL).unwrap();
    look("second_level_of_several", &lower_reduce(&several, &options(int64)).unwrap());
    for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin, Reduce::Count, Reduce::Any] {
        for scalar in Scalar::ALL {
            let counts = matches!(reduce, Reduce::Count | Reduce::Any);
            if counts != (scalar == Scalar::Bool) || (scalar == Scalar::F64 && int64 == Int64::Emulated) {
                continue;
            }
            let results = Reductions::new(&[(reduce, scalar)]).unwrap();
            for subset in [false, true] {
                let source = lower_reduce(&results, &WgslOptions { subset, ..options(int64) }).unwrap();
                validate(&source);
                look(&format!("second_level_{reduce:?}_{scalar}"), &source);
            }
        }
    }
}
