//! The flat form of a kernel.

use super::access::{Access, Facts};
use super::visit::{self, Visitor};
use crate::{
    Block, Const, ConstId, Enum, EnumId, Expr, FaultKind, Layout, LocalId, Reduce, Reductions, Scalar, Shape, Site,
    SiteId, Stmt, StmtKind, Struct, StructId, TallyOp, Type,
};

/// A self-contained kernel: its bindings, and its functions specialised over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatKernel {
    /// Name in Rust.
    pub name: String,
    /// Module in Rust.
    pub module: String,
    /// The source file of the module, as the compiler names it.
    pub file: String,
    /// Reductions of the returned values, as in [`Kernel::reduce`](crate::Kernel::reduce).
    pub reduce: Vec<Reduce>,
    /// Grouping of rows: row by row, or in groups.
    pub shape: Shape,
    /// Type of the scratch elements of a group; `Some` exactly when the kernel is grouped.
    pub scratch: Option<Type>,
    /// Bindings of a launch: one for each resource parameter of the kernel, in order.
    pub bindings: Vec<Binding>,
    /// Functions, callees before callers. The last one is the kernel's body; its only parameter is the row number, or
    /// the number of the group if the kernel is grouped. [`StmtKind::Call`](crate::StmtKind::Call) and
    /// [`StmtKind::Phase`](crate::StmtKind::Phase) name them by position in this list.
    pub functions: Vec<FlatFunction>,
    /// All structs of the module, so that every [`StructId`] keeps its meaning.
    pub structs: Vec<Struct>,
    /// All enums of the module.
    pub enums: Vec<Enum>,
    /// All constants of the module.
    pub consts: Vec<Const>,
    /// The structs whose values occur, in dependency order.
    pub used_structs: Vec<StructId>,
    /// The enums whose values occur.
    pub used_enums: Vec<EnumId>,
    /// The constants read.
    pub used_consts: Vec<ConstId>,
    /// The fault sites that can be reached. A [`SiteId`] inside [`FlatKernel::functions`] is a position in this list.
    pub sites: Vec<FlatSite>,
    /// Facts that help a backend to lower the kernel.
    pub facts: Facts,
}

/// A resource that a launch binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Name of the kernel parameter in Rust.
    pub name: String,
    /// Kind of resource.
    pub kind: BindingKind,
    /// Words that the kernel reads and writes.
    pub access: Access,
}

/// Kinds of binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A table.
    Table {
        /// Struct of the rows.
        row: StructId,
        /// Division of rows into columns.
        layout: Layout,
        /// `true` if the kernel may write its own row.
        mutable: bool,
        /// `true` if the kernel sees only its own row (`&T`, `&mut T`, `&Each<T>`, `&mut Each<T>`) and not the whole
        /// table (`&Rows<T>`).
        own_row: bool,
        /// `true` if the own row is that of the group: the table has one row for each group, which only the body of the
        /// kernel names, at its parameter.
        per_group: bool,
    },
    /// A tally.
    Tally {
        /// Type of a slot, an integer.
        scalar: Scalar,
        /// Single operation used; `None` if the kernel contributes nothing.
        op: Option<TallyOp>,
    },
    /// A parameter block, stored as a table of one row.
    Params {
        /// Struct of the block.
        block: StructId,
        /// Division of the block into words.
        layout: Layout,
    },
}

/// Executor of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// An invocation for its row: all functions of a kernel without groups, and phases with their callees.
    Row,
    /// The group as a whole, with the same values for every invocation: the body of a grouped kernel and its callees
    /// between phases. Its contribution to a tally counts once, and its fault is that of the group's first row.
    Group,
}

/// Use of the group's scratch by a function, itself or through the functions that it calls. The uses of phases count
/// for the phases alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScratchUse {
    /// `true` if the function reads elements of any invocation.
    pub gets: bool,
    /// `true` if the function reads its own element.
    pub owns: bool,
    /// `true` if the function sets its own element.
    pub sets: bool,
}

/// A function specialised over the resources it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatFunction {
    /// Name unique within the kernel: the Rust name with `::` as `_`.
    pub name: String,
    /// The source file.
    pub file: String,
    /// Line of its name.
    pub line: u32,
    /// Executor of the function.
    pub scope: Scope,
    /// Use of the scratch.
    pub scratch: ScratchUse,
    /// The parameters, all of them locals.
    pub params: Vec<FlatParam>,
    /// The locals: those of the function at their old positions, parameters after them.
    pub locals: Vec<FlatLocal>,
    /// Type of the result.
    pub result: Type,
    /// The statements.
    pub body: Block,
    /// Fault sites at which a step of a history can be out of range.
    pub steps: Vec<StepSite>,
}

/// A fault site of an access to a history, with the values that its fault reports.
///
/// The statement at the site is an assertion, or an access to a lane whose number is computed from the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSite {
    /// The site.
    pub site: SiteId,
    /// Step that was requested.
    pub step: LocalId,
    /// The first possible step.
    pub from: LocalId,
    /// Number of possible steps, a `u32` expression over locals.
    pub count: Expr,
}

/// A parameter of a flat function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatParam {
    /// Local that holds the parameter.
    pub local: LocalId,
    /// `true` if the value is copied back to the caller's place.
    pub inout: bool,
}

/// A local of a flat function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatLocal {
    /// Name in Rust, or a generated one, which starts with `_`. Not unique.
    pub name: String,
    /// The type. A bound row is the `u32` number of that row.
    pub ty: Type,
}

/// A fault site of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatSite {
    /// The site in the module.
    pub id: SiteId,
    /// Kind of the fault, and its place in the source.
    pub site: Site,
}

impl FlatKernel {
    /// Creates a kernel that binds nothing and does nothing, for generated kernels.
    #[must_use]
    pub fn empty(name: String) -> FlatKernel {
        FlatKernel {
            name,
            module: String::new(),
            file: String::new(),
            reduce: Vec::new(),
            shape: Shape::Rows,
            scratch: None,
            bindings: Vec::new(),
            functions: Vec::new(),
            structs: Vec::new(),
            enums: Vec::new(),
            consts: Vec::new(),
            used_structs: Vec::new(),
            used_enums: Vec::new(),
            used_consts: Vec::new(),
            sites: Vec::new(),
            facts: Facts::default(),
        }
    }

    /// Returns `true` if a fault of the kernel can have operands.
    #[must_use]
    pub fn has_operands(&self) -> bool {
        self.sites.iter().any(|site| site.site.kind.has_operands())
    }

    /// Returns `true` if the kernel reads a table that it writes. Compilers of NVIDIA merge two loads between which a
    /// condition chooses into one. If one of them is from memory that the kernel does not write, they take the merged
    /// load for one from memory that nobody writes, and do it before a store to the written table.
    #[must_use]
    pub fn reads_what_it_writes(&self) -> bool {
        self.bindings.iter().any(|bound| !bound.access.written.is_empty() && !bound.access.read.is_empty())
    }

    /// Returns the kernel's body.
    #[must_use]
    pub fn entry(&self) -> Option<&FlatFunction> {
        self.functions.last()
    }

    /// Returns the results. `None` if nothing is returned.
    #[must_use]
    pub fn results(&self) -> Option<Reductions> {
        crate::module::results_of(&self.reduce, &self.entry()?.result, &self.structs)
    }

    /// Makes invocations check at their end whether the device has cut a loop. Adds the site for that fault, if there
    /// is a loop. For devices that have been seen to cut loops.
    pub fn watch_loops(&mut self) {
        let mut loops = Loops(false);
        self.functions.iter().for_each(|function| visit::walk(&function.body, &mut loops));
        if let (true, Some(entry)) = (loops.0, self.entry()) {
            let site = Site {
                kind: FaultKind::LoopCut,
                file: entry.file.clone(),
                line: entry.line,
                column: 1,
                text: String::new(),
            };
            // The number of no site of the module.
            self.sites.push(FlatSite { id: SiteId(u32::MAX), site });
            self.facts.faults = true;
        }
    }

    /// Returns the site of loops that are [watched](FlatKernel::watch_loops).
    #[must_use]
    pub fn watched_loops(&self) -> Option<SiteId> {
        let position = self.sites.iter().position(|site| site.site.kind == FaultKind::LoopCut)?;
        u32::try_from(position).ok().map(SiteId)
    }

    /// Returns the number of words of a value of a type.
    #[must_use]
    pub fn words(&self, ty: &Type) -> u32 {
        super::sizes::words(&self.structs, ty)
    }

    /// Returns the first word of a struct's field: from the start of the struct, or for a lane field from the start of
    /// the lane.
    #[must_use]
    pub fn field_word(&self, id: StructId, field: u32) -> u32 {
        super::sizes::field_word(&self.structs, id, field)
    }
}

/// Visitor that searches for a loop; `true` if there is one.
struct Loops(bool);

impl Visitor for Loops {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::While(..) | StmtKind::For { .. });
    }
}
