//! A small builder of IR modules.

use imminent_ir::*;

/// A module under construction.
pub struct Builder {
    pub module: Module,
}

/// A function under construction.
pub struct Body {
    pub function: Function,
    pub line: u32,
}

pub const F: &str = "src/queue.rs";

impl Builder {
    pub fn new(name: &str) -> Builder {
        Builder {
            module: Module {
                version: VERSION,
                name: name.to_owned(),
                file: F.to_owned(),
                structs: vec![],
                enums: vec![],
                consts: vec![],
                functions: vec![],
                kernels: vec![],
                sites: vec![],
            },
        }
    }

    pub fn structure(&mut self, name: &str, role: StructRole, fields: &[(&str, FieldType)]) -> StructId {
        let fields = fields.iter().map(|(n, ty)| Field { name: (*n).to_owned(), ty: ty.clone() }).collect();
        self.module.structs.push(Struct {
            name: name.to_owned(),
            origin: "test".to_owned(),
            role,
            packed: false,
            fields,
        });
        StructId(self.module.structs.len() as u32 - 1)
    }

    pub fn enumeration(&mut self, name: &str, variants: &[&str]) -> EnumId {
        let variants = variants.iter().zip(0..).map(|(v, d)| ((*v).to_owned(), d)).collect();
        self.module.enums.push(Enum { name: name.to_owned(), origin: "test".to_owned(), variants });
        EnumId(self.module.enums.len() as u32 - 1)
    }

    pub fn constant(&mut self, name: &str, ty: Type, value: Value) -> ConstId {
        self.module.consts.push(Const { name: name.to_owned(), origin: "test".to_owned(), ty, value });
        ConstId(self.module.consts.len() as u32 - 1)
    }

    pub fn site(&mut self, kind: FaultKind, line: u32) -> SiteId {
        self.module.sites.push(Site { kind, file: F.to_owned(), line, column: 9, text: String::new() });
        SiteId(self.module.sites.len() as u32 - 1)
    }

    pub fn function(&mut self, body: Body) -> FunctionId {
        self.module.functions.push(body.function);
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    pub fn kernel(&mut self, body: Body, reduce: Option<Reduce>) -> Kernel {
        let name = body.function.name.clone();
        let function = self.function(body);
        let kernel = Kernel { name, function, reduce: reduce.into_iter().collect(), shape: Shape::Rows };
        self.module.kernels.push(kernel.clone());
        kernel
    }
}

impl Body {
    pub fn new(name: &str, line: u32, result: Type) -> Body {
        Body {
            function: Function {
                name: name.to_owned(),
                origin: "test".to_owned(),
                file: F.to_owned(),
                line,
                params: vec![],
                result,
                locals: vec![],
                body: vec![],
            },
            line,
        }
    }

    pub fn param(&mut self, name: &str, kind: ParamKind) -> Place {
        self.function.params.push(Param { name: name.to_owned(), kind });
        place(Base::Param(ParamId(self.function.params.len() as u32 - 1)))
    }

    pub fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.function.locals.push(Local { name: name.to_owned(), kind: LocalKind::Value(ty) });
        LocalId(self.function.locals.len() as u32 - 1)
    }

    pub fn row_local(&mut self, name: &str, row: StructId) -> LocalId {
        self.function.locals.push(Local { name: name.to_owned(), kind: LocalKind::RowRef(row) });
        LocalId(self.function.locals.len() as u32 - 1)
    }

    /// Adds a statement on the next line.
    pub fn push(&mut self, kind: StmtKind) {
        self.line += 1;
        self.function.body.push(Stmt { line: self.line, kind });
    }

    /// Creates a statement for a nested block, on the next line.
    pub fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.line += 1;
        Stmt { line: self.line, kind }
    }

    /// Adds `let name = value;`.
    pub fn let_(&mut self, name: &str, value: Expr) -> LocalId {
        let local = self.local(name, value.ty.clone());
        self.push(StmtKind::Let(local, Some(value)));
        local
    }

    pub fn assign(&mut self, to: Place, value: Expr) {
        self.push(StmtKind::Assign(to, value));
    }
}

pub fn place(base: Base) -> Place {
    Place { base, path: vec![] }
}

pub fn of(local: LocalId) -> Place {
    Place::local(local)
}

/// Extends a place.
pub trait Extend {
    fn field(&self, field: u32) -> Place;
    fn at(&self, index: Expr) -> Place;
    fn get(&self, ty: impl Into<Type>) -> Expr;
}

impl Extend for Place {
    fn field(&self, field: u32) -> Place {
        let mut place = self.clone();
        place.path.push(Step::Field(field));
        place
    }

    fn at(&self, index: Expr) -> Place {
        let mut place = self.clone();
        place.path.push(Step::Index(Box::new(index)));
        place
    }

    fn get(&self, ty: impl Into<Type>) -> Expr {
        Expr { ty: ty.into(), kind: ExprKind::Load(self.clone()) }
    }
}

/// Returns the value of a local of a scalar type.
pub fn get(local: LocalId, ty: impl Into<Type>) -> Expr {
    of(local).get(ty)
}

pub fn value(ty: impl Into<Type>) -> FieldType {
    FieldType::Value(ty.into())
}

pub fn array(element: impl Into<Type>, count: u32) -> Type {
    Type::Array(Box::new(element.into()), count)
}

pub fn u32_(x: u32) -> Expr {
    Expr::literal(Value::U32(x), Scalar::U32)
}

pub fn i32_(x: i32) -> Expr {
    Expr::literal(Value::I32(x), Scalar::I32)
}

pub fn u64_(x: u64) -> Expr {
    Expr::literal(Value::U64(x), Scalar::U64)
}

pub fn i64_(x: i64) -> Expr {
    Expr::literal(Value::I64(x), Scalar::I64)
}

pub fn f32_(x: f32) -> Expr {
    Expr::literal(Value::F32(x.to_bits()), Scalar::F32)
}

pub fn bool_(x: bool) -> Expr {
    Expr::literal(Value::Bool(x), Scalar::Bool)
}

/// Returns a literal with the low bits of `x`.
pub fn number(scalar: Scalar, x: i32) -> Expr {
    let value = match scalar {
        Scalar::Bool => Value::Bool(x != 0),
        Scalar::U32 => Value::U32(x as u32),
        Scalar::I32 => Value::I32(x),
        Scalar::U64 => Value::U64(x as i64 as u64),
        Scalar::I64 => Value::I64(i64::from(x)),
        Scalar::F32 => Value::F32((x as f32).to_bits()),
        Scalar::F64 => Value::F64(f64::from(x).to_bits()),
    };
    Expr::literal(value, scalar)
}

pub fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let ty = if op.is_comparison() { Scalar::Bool.into() } else { a.ty.clone() };
    Expr { ty, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
}

pub fn un(op: UnaryOp, a: Expr) -> Expr {
    Expr { ty: a.ty.clone(), kind: ExprKind::Unary(op, Box::new(a)) }
}

pub fn cast(a: Expr, to: Scalar) -> Expr {
    Expr { ty: to.into(), kind: ExprKind::Cast(Box::new(a)) }
}

pub fn builtin(builtin: Builtin, ty: Scalar, args: Vec<Expr>) -> Expr {
    Expr { ty: ty.into(), kind: ExprKind::Builtin(builtin, args) }
}

pub fn select(c: Expr, a: Expr, b: Expr) -> Expr {
    Expr { ty: a.ty.clone(), kind: ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)) }
}
