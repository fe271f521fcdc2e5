//! Phases, votes, and the elements that a group shares. Where barriers stand and why: [`crate::phases`].
//!
//! WGSL takes only barriers of which it sees that every invocation reaches them. What it takes to be the same for a whole
//! workgroup are parameters and read-only buffers at such places, but no private variables; so the functions of the group
//! read the launch block where they need it, and are passed what they ask about the group. Everything else that the group
//! reads comes by `workgroupUniformLoad`, which is a barrier before and after a load.

use super::WgslError;
use super::expr::Code;
use super::function::FunctionLowering;
use super::lowering::Lowering;
use super::place::constant_index;
use crate::phases;
use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::flatten::{FlatKernel, Scope};
use imminent_ir::{
    Arg, Base, ConstId, Expr, ExprKind, FieldType, FunctionId, GroupQuery, LocalId, Place, Scalar, SiteId, Stmt,
    StmtKind, Type, Vote,
};

/// Names of a grouped shader's own variables.
pub(super) const OWN: &[&str] = &[
    "lane",
    "lane_active",
    "lane_fault",
    "lane_row",
    "lane_x",
    "lane_y",
    "own_element",
    "scratch",
    "groups",
    "group_index",
    "group_len",
    "group_slot",
    "group_turn",
    "group_votes",
    "grid_width",
    "grid_height",
    "tiles_across",
    "tile_x",
    "tile_y",
    "turn",
    "words",
];

/// For each function of the group what it, or one that it calls, asks about the group.
pub(super) fn asked(flat: &FlatKernel) -> Vec<Vec<&'static str>> {
    let mut asked: Vec<Vec<&'static str>> = Vec::with_capacity(flat.functions.len());
    for function in &flat.functions {
        let mut found = Asked { earlier: &asked, found: Vec::new() };
        if function.scope == Scope::Group && flat.shape.is_grouped() {
            visit::walk(&function.body, &mut found);
        }
        let mut found = found.found;
        found.sort_unstable();
        found.dedup();
        asked.push(found);
    }
    asked
}

struct Asked<'a> {
    earlier: &'a [Vec<&'static str>],
    found: Vec<&'static str>,
}

impl Visitor for Asked<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } = &stmt.kind {
            self.found.extend(self.earlier.get(function.index()).into_iter().flatten());
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Group(GroupQuery::Index) => self.found.push("group_index"),
            ExprKind::Group(GroupQuery::Len) => self.found.push("group_len"),
            _ => {}
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Something about the group: a private variable in phases, a parameter between them.
    pub(super) fn query(&mut self, query: GroupQuery) -> String {
        let name = match query {
            GroupQuery::Size => return format!("{}u", self.low.flat.shape.size()),
            GroupQuery::Lane => return "lane".to_owned(),
            GroupQuery::Row => return "lane_row".to_owned(),
            GroupQuery::X => "lane_x",
            GroupQuery::Y => "lane_y",
            GroupQuery::Index => "group_index",
            GroupQuery::Len => "group_len",
        };
        if self.function.scope == Scope::Row {
            self.low.queries.insert(name);
        }
        name.to_owned()
    }

    /// A value that one invocation uses for its group, if `for_group`: computed by all of them where that takes barriers.
    pub(super) fn value_for(&mut self, for_group: bool, value: &Expr) -> Result<Code, WgslError> {
        if for_group && phases::takes_barriers(self.low.flat, value) {
            let name = self.by_all(value)?;
            return Ok(Code::runtime(name));
        }
        self.expr(value)
    }

    /// Whether a place is in a row of the whole group, which one invocation stores to.
    pub(super) fn is_of_group(&self, place: &Place) -> bool {
        matches!(place.base, Base::Row { binding, .. } | Base::Binding(binding) if phases::is_per_group(self.low.flat, binding))
    }

    /// A store, by one invocation only if it is to a row of the whole group.
    pub(super) fn once(&self, binding: u32, store: String) -> String {
        if phases::is_per_group(self.low.flat, binding) { format!("if (lane == 0u) {{ {store} }}") } else { store }
    }

    /// A constant in a variable of the function.
    pub(super) fn constant_copy(&mut self, id: ConstId) -> Result<String, WgslError> {
        let flat = self.low.flat;
        let Some(def) = flat.consts.get(id.index()) else { return Err(self.ill("a constant out of range")) };
        let value = self.low.literal(&def.value, &def.ty)?;
        let ty = self.low.type_name(&def.ty);
        let name = self.temp("constant");
        self.emit(&format!("var {name}: {ty} = {};", value.text));
        Ok(name)
    }

    /// Runs a function for every row of the group; then what was set is seen by all.
    pub(super) fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: FunctionId,
        args: &[Arg],
    ) -> Result<(), WgslError> {
        let flat = self.low.flat;
        let (Some(name), Some(callee)) =
            (self.low.functions.get(function.index()).cloned(), flat.functions.get(function.index()))
        else {
            return Err(self.ill("a phase of a function out of range"));
        };
        let mut passed = Vec::with_capacity(args.len());
        for arg in args {
            let Arg::Value(value) = arg else { return Err(self.ill("a phase that changes a variable of the group")) };
            passed.push(self.by_all(value)?);
        }
        let call = format!("{name}({})", passed.join(", "));
        let agrees = vote.map(|vote| {
            let agrees = self.temp("agrees");
            self.emit(&format!("var {agrees} = {};", vote == Vote::All));
            agrees
        });
        let keeps_faults = self.low.phases.uniform_faults() && self.low.phases.faults(function);
        self.open("if (lane_active) {");
        if keeps_faults {
            let enter = self.low.helper("enter_phase");
            self.emit(&format!("{enter}();"));
        }
        match &agrees {
            Some(agrees) => self.emit(&format!("{agrees} = {call};")),
            None => self.emit(&format!("{call};")),
        }
        if keeps_faults {
            let leave = self.low.helper("leave_phase");
            self.emit(&format!("{leave}();"));
        }
        self.w.close("}");
        if let (Some(into), Some(vote), Some(agrees)) = (into, vote, &agrees) {
            self.vote(into, vote, agrees)?;
        }
        if callee.scratch.sets {
            // A vote is a barrier too.
            if vote.is_none() && self.low.phases.reads_before_store(flat, function) {
                self.emit("workgroupBarrier();");
            }
            let own = if self.low.shares_bool() { "u32(own_element)" } else { "own_element" };
            self.emit(&format!("scratch[lane] = {own};"));
        }
        if callee.scratch.sets || vote.is_some() {
            self.emit("workgroupBarrier();");
        }
        Ok(())
    }

    /// Counts. The counter is cleared for the next vote before the barrier at the end of the phase.
    fn vote(&mut self, into: LocalId, vote: Vote, agrees: &str) -> Result<(), WgslError> {
        let not = if vote == Vote::All { "!" } else { "" };
        self.open(&format!("if ({not}{agrees}) {{"));
        self.emit("atomicAdd(&group_votes, 1u);");
        self.w.close("}");
        let counted = "workgroupUniformLoad(&group_votes)";
        let value = match vote {
            Vote::Any => format!("{counted} != 0u"),
            Vote::All => format!("{counted} == 0u"),
            Vote::Count => counted.to_owned(),
        };
        self.declare(into, &value)?;
        self.open("if (lane == 0u) {");
        self.emit("atomicStore(&group_votes, 0u);");
        self.w.close("}");
        Ok(())
    }

    /// A value that the whole group computes, since that may take barriers, before the rows part.
    fn by_all(&mut self, value: &Expr) -> Result<String, WgslError> {
        let plain = match &value.kind {
            ExprKind::Literal(_) | ExprKind::Group(_) => true,
            ExprKind::Load(Place { base: Base::Local(_), path }) => path.is_empty(),
            _ => false,
        };
        let code = self.expr(value)?;
        if plain {
            return Ok(code.argument());
        }
        let name = self.temp("given");
        let ty = self.low.type_name(&value.ty);
        self.emit(&format!("let {name}: {ty} = {};", code.text));
        Ok(name)
    }

    pub(super) fn scratch_get(&mut self, into: LocalId, index: &Expr, site: SiteId) -> Result<(), WgslError> {
        let size = self.low.flat.shape.size();
        let test = if self.low.shares_bool() { " != 0u" } else { "" };
        let read = |at: &str, scope: Scope| match scope {
            Scope::Row => format!("scratch[{at}]{test}"),
            Scope::Group => format!("workgroupUniformLoad(&scratch[{at}]){test}"),
        };
        let scope = self.function.scope;
        if let Some(constant) = constant_index(index) {
            if constant < size {
                return self.declare(into, &read(&format!("{constant}u"), scope));
            }
            self.declare_zero(into)?;
            self.raise(site);
            return Ok(());
        }
        let code = self.expr(index)?;
        let index = self.index_variable(index, code, "other")?;
        let name = self.declare_zero(into)?;
        self.guarded(&format!("{index} < {size}u"), &format!("{name} = {};", read(&index, scope)), site);
        Ok(())
    }
}

impl Lowering<'_> {
    /// Whether elements are `bool`: a group shares them as words, since NVIDIA's Vulkan driver 580.159 reads workgroup memory of `bool` wrongly.
    pub(super) fn shares_bool(&self) -> bool {
        self.flat.scratch == Some(Type::Scalar(Scalar::Bool))
    }

    /// The type of the elements that a group shares.
    pub(super) fn shared_type(&self, element: &Type) -> String {
        if self.shares_bool() { "u32".to_owned() } else { self.type_name(element) }
    }

    /// What a function is passed about the group.
    pub(super) fn asked(&self, function: usize) -> &[&'static str] {
        self.asked.get(function).map_or(&[], Vec::as_slice)
    }

    /// Whether the first invocation reads a row for its group somewhere.
    pub(super) fn reads_for_all(&self) -> bool {
        (0..self.flat.bindings.len() as u32).any(|binding| phases::is_read_for_all(self.flat, binding))
    }

    /// The variables of a grouped shader beside those of any.
    pub(super) fn group_variables(&self) -> Vec<String> {
        let Some(scratch) = &self.flat.scratch else { return Vec::new() };
        let ty = self.type_name(scratch);
        let mut variables: Vec<String> =
            ["lane: u32", "lane_row: u32", "lane_active: bool"].map(|one| format!("var<private> {one};")).into();
        variables.extend(self.queries.iter().map(|name| format!("var<private> {name}: u32;")));
        let mut when = |condition: bool, text: String| {
            if condition {
                variables.push(text);
            }
        };
        when(self.phases.uniform_faults(), "var<private> lane_fault: u32;".to_owned());
        when(self.phases.own_elements(), format!("var<private> own_element: {ty};"));
        when(
            self.phases.uses_elements(),
            format!("var<workgroup> scratch: array<{}, {}>;", self.shared_type(scratch), self.workgroup_size),
        );
        when(self.phases.votes(), "var<workgroup> group_votes: atomic<u32>;".to_owned());
        when(self.reads_for_all(), "var<workgroup> group_slot: vec2<u32>;".to_owned());
        when(true, "var<workgroup> group_turn: u32;".to_owned());
        variables
    }

    /// Bytes that a group shares.
    pub(super) fn group_bytes(&self) -> u32 {
        let scratch = self.flat.scratch.as_ref().filter(|_| self.phases.uses_elements());
        let elements = scratch.map_or(0, |ty| {
            let (bytes, alignment) = self.bytes(ty);
            bytes.next_multiple_of(alignment).saturating_mul(self.workgroup_size)
        });
        // Votes, slot and turn, each as far apart as alignment may put them.
        elements.saturating_add(32)
    }

    /// Size and alignment that WGSL gives a type.
    fn bytes(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Unit => (0, 1),
            Type::Scalar(Scalar::Bool) | Type::Enum(_) => (4, 4),
            Type::Scalar(scalar) => (scalar.words() * 4, scalar.words() * 4),
            Type::Array(element, count) => {
                let (bytes, alignment) = self.bytes(element);
                (bytes.next_multiple_of(alignment).saturating_mul(*count), alignment)
            }
            Type::Struct(id) => {
                let fields = self.flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let (end, most) = fields.iter().fold((0_u32, 4), |(end, most), field| {
                    let (FieldType::Value(ty) | FieldType::Lanes(ty)) = &field.ty;
                    let (bytes, alignment) = self.bytes(ty);
                    (end.next_multiple_of(alignment).saturating_add(bytes), most.max(alignment))
                });
                (end.next_multiple_of(most), most)
            }
        }
    }
}
