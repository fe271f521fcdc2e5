//! Phases, votes, and the elements that a group shares. Where barriers stand and why: [`phases`](crate::phases).

use super::CError;
use super::expr::{Code, Level};
use super::function::FunctionLowering;
use super::lowering::Lowering;
use super::place::constant_index;
use crate::phases;
use imminent_ir::{
    Arg, Base, Expr, ExprKind, FieldType, FunctionId, GroupQuery, LocalId, Place, Scalar, SiteId, Type, Vote,
};

impl FunctionLowering<'_, '_> {
    /// Something about the group.
    pub(super) fn query(&mut self, query: GroupQuery) -> String {
        let field = match query {
            GroupQuery::Size => return format!("{}u", self.low.flat.shape.size()),
            GroupQuery::Lane => return "ctx->lane".to_owned(),
            GroupQuery::Row => return "ctx->lane_row".to_owned(),
            GroupQuery::X => "lane_x",
            GroupQuery::Y => "lane_y",
            GroupQuery::Index => "group_index",
            GroupQuery::Len => "group_len",
        };
        self.low.queries.insert(field);
        format!("ctx->{field}")
    }

    /// A value that one invocation uses for its group, if `for_group`: computed by all of them where that takes barriers.
    pub(super) fn value_for(&mut self, for_group: bool, value: &Expr) -> Result<Code, CError> {
        if for_group && phases::takes_barriers(self.low.flat, value) {
            let name = self.by_all(value)?;
            return Ok(Code::at(Level::Atom, name));
        }
        self.expr(value)
    }

    /// Whether a place is in a row of the whole group, which one invocation stores to.
    pub(super) fn is_of_group(&self, place: &Place) -> bool {
        matches!(place.base, Base::Row { binding, .. } | Base::Binding(binding) if phases::is_per_group(self.low.flat, binding))
    }

    /// A store, by one invocation only if it is to a row of the whole group.
    pub(super) fn once(&self, binding: u32, store: String) -> String {
        if phases::is_per_group(self.low.flat, binding) { format!("if (ctx->lane == 0u) {{ {store} }}") } else { store }
    }

    /// Runs a function for every row of the group; then what was set is seen by all.
    pub(super) fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: FunctionId,
        args: &[Arg],
    ) -> Result<(), CError> {
        let flat = self.low.flat;
        let (Some(name), Some(callee)) =
            (self.low.functions.get(function.index()).cloned(), flat.functions.get(function.index()))
        else {
            return Err(self.ill("a phase of a function out of range"));
        };
        let mut passed = vec!["ctx".to_owned()];
        for arg in args {
            let Arg::Value(value) = arg else { return Err(self.ill("a phase that changes a variable of the group")) };
            passed.push(self.by_all(value)?);
        }
        let call = format!("{name}({})", passed.join(", "));
        let agrees = vote.map(|vote| {
            let agrees = self.temp("agrees");
            self.emit(&format!("bool {agrees} = {};", vote == Vote::All));
            agrees
        });
        let keeps_faults = self.low.phases.uniform_faults() && self.low.phases.faults(function);
        self.open("if (ctx->lane_active) {");
        if keeps_faults {
            let enter = self.low.helper("enter_phase");
            self.emit(&format!("{enter}(ctx);"));
        }
        match &agrees {
            Some(agrees) => self.emit(&format!("{agrees} = {call};")),
            None => self.emit(&format!("{call};")),
        }
        if keeps_faults {
            let leave = self.low.helper("leave_phase");
            self.emit(&format!("{leave}(ctx);"));
        }
        self.w.close("}");
        if let (Some(into), Some(vote), Some(agrees)) = (into, vote, &agrees) {
            let helper = self.low.helper(match vote {
                Vote::Any => "vote_any",
                Vote::All => "vote_all",
                Vote::Count => "vote_count",
            });
            self.declare(into, &format!("{helper}(ctx, {agrees})"))?;
        }
        if callee.scratch.sets {
            let barrier = self.low.options.dialect.barrier();
            // A vote is a barrier too.
            if vote.is_none() && self.low.phases.reads_before_store(flat, function) {
                self.emit(barrier);
            }
            self.emit("ctx->scratch[ctx->lane] = ctx->own_element;");
            self.emit(barrier);
        }
        Ok(())
    }

    /// A value that the whole group computes, since that may take barriers, before the rows part.
    fn by_all(&mut self, value: &Expr) -> Result<String, CError> {
        let plain = match &value.kind {
            ExprKind::Literal(_) | ExprKind::Group(_) => true,
            ExprKind::Load(Place { base: Base::Local(_), path }) => path.is_empty(),
            _ => false,
        };
        let code = self.expr(value)?;
        if plain {
            return Ok(code.text);
        }
        let name = self.temp("given");
        let ty = self.low.type_name(&value.ty);
        self.emit(&format!("const {ty} {name} = {};", code.text));
        Ok(name)
    }

    pub(super) fn scratch_get(&mut self, into: LocalId, index: &Expr, site: SiteId) -> Result<(), CError> {
        let size = self.low.flat.shape.size();
        if let Some(constant) = constant_index(index) {
            if constant < size {
                return self.declare(into, &format!("ctx->scratch[{constant}]"));
            }
            self.declare_zero(into)?;
            self.raise(site);
            return Ok(());
        }
        let index = self.variable(index, "other")?;
        let name = self.declare_zero(into)?;
        self.guarded(&format!("{index} < {size}u"), &format!("{name} = ctx->scratch[{index}];"), site);
        Ok(())
    }
}

impl Lowering<'_> {
    /// Whether the first invocation reads a row for its group somewhere.
    pub(super) fn reads_for_all(&self) -> bool {
        (0..self.flat.bindings.len()).any(|binding| phases::is_read_for_all(self.flat, binding as u32))
    }

    /// Bytes that a group shares.
    pub(super) fn group_bytes(&self) -> u32 {
        let scratch = self.flat.scratch.as_ref().filter(|_| self.phases.uses_elements());
        let elements = scratch.map_or(0, |ty| self.bytes(ty).0.saturating_mul(self.workgroup_size));
        elements.saturating_add(if self.counts_votes() { 12 } else { 0 }) + if self.reads_for_all() { 8 } else { 0 }
    }

    /// Size and alignment that C gives a type.
    fn bytes(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Unit => (0, 1),
            Type::Scalar(Scalar::Bool) => (1, 1),
            Type::Scalar(scalar) => (scalar.words() * 4, scalar.words() * 4),
            Type::Enum(_) => (4, 4),
            Type::Array(element, count) => {
                let (bytes, alignment) = self.bytes(element);
                (bytes.saturating_mul(*count), alignment)
            }
            Type::Struct(id) => {
                let fields = self.flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let (end, most) = fields.iter().fold((0_u32, 1), |(end, most), field| {
                    let (FieldType::Value(ty) | FieldType::Lanes(ty)) = &field.ty;
                    let (bytes, alignment) = self.bytes(ty);
                    (end.next_multiple_of(alignment).saturating_add(bytes), most.max(alignment))
                });
                (end.next_multiple_of(most), most)
            }
        }
    }

    /// Whether the votes need counters: where the hardware does not count.
    pub(super) fn counts_votes(&self) -> bool {
        self.phases.votes() && self.options.dialect == super::Dialect::OpenCl
    }

    /// The fields of the context that a grouped kernel has beside those of any.
    pub(super) fn group_fields(&mut self) -> String {
        let Some(scratch) = &self.flat.scratch else { return String::new() };
        let ty = self.type_name(scratch);
        let shared = self.options.dialect.shared_pointer();
        let mut text = "    u32 lane;\n    u32 lane_row;\n    bool lane_active;\n".to_owned();
        for field in &self.queries {
            text.push_str(&format!("    u32 {field};\n"));
        }
        if self.phases.uniform_faults() {
            text.push_str("    u32 lane_fault;\n");
        }
        if self.phases.uses_elements() {
            text.push_str(&format!("    {shared}{ty} *scratch;\n"));
        }
        if self.phases.own_elements() {
            text.push_str(&format!("    {ty} own_element;\n"));
        }
        if self.counts_votes() {
            text.push_str(&format!("    u32 group_turn;\n    volatile {shared}u32 *group_votes;\n"));
        }
        if self.reads_for_all() {
            text.push_str(&format!("    {shared}u32 *group_slot;\n"));
        }
        text
    }
}
