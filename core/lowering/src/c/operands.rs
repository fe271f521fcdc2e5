//! The operands of faults: kept in the context before each check, and written to the launch's slots at the end.
//!
//! A statement that can fault is preceded by a note of its values, which has no effect once there is a fault. So the
//! checks themselves, and the helpers that make them, are the same with and without operands. The slots are those that
//! the runtime counts.

use super::CError;
use super::function::FunctionLowering;
use super::lowering::Lowering;
use super::place::constant_index;
use super::stmt::is_safe_divisor;
use super::writer::Writer;
use imminent_ir::launch::{keeps_operands, third_word};
use imminent_ir::{Expr, Place, Scalar, SiteId, Step, StmtKind, Type};

impl Lowering<'_> {
    /// Whether invocations keep operands.
    pub(super) fn keeps_operands(&self) -> bool {
        keeps_operands(self.flat, self.options.faults)
    }

    /// Reports the fault of a row, which there is, to the slots of the launch.
    pub(super) fn report_fault(&self, out: &mut Writer, row: &str) {
        let (first, least) = (self.launch_word(1), self.options.dialect.atomic_min());
        out.line(&format!("{least}(&state[{first} + ctx.fault - 1u], {row});"));
        if self.keeps_operands() {
            out.open("for (u32 fault_bit = 0u; fault_bit < 32u; ++fault_bit) {");
            for word in 0..3 {
                let slot = self.flat.sites.len() + 32 * word;
                out.open(&format!("if (((ctx.fault_words[{word}] >> fault_bit) & 1u) != 0u) {{"));
                out.line(&format!("{least}(&state[{first} + {slot}u + fault_bit], {row});"));
                out.close("}");
            }
            out.close("}");
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Notes the values that a statement can fault with.
    pub(super) fn note(&mut self, statement: &StmtKind) -> Result<(), CError> {
        if !self.low.keeps_operands() {
            return Ok(());
        }
        match statement {
            StmtKind::Divide(_, a, b, _) | StmtKind::Remainder(_, a, b, _) if !is_safe_divisor(b) => {
                let words = self.value_words(a, 0)?;
                self.note_words(&words);
                Ok(())
            }
            StmtKind::Load(_, place, _) | StmtKind::Store(place, _, _) => self.note_indices(place),
            StmtKind::BindRow { rows, index, .. } => {
                let binding = self.binding(*rows)?;
                let length = format!("ctx->{}", self.low.rows(binding));
                self.note_index(index, length)
            }
            StmtKind::LaneGet { lanes, index, site, .. } | StmtKind::LaneSet { lanes, index, site, .. } => {
                if self.note_step(*site)? {
                    return Ok(());
                }
                let capacity = self.lanes_capacity(lanes)?;
                self.note_index(index, capacity)
            }
            StmtKind::Assert(_, site) => self.note_step(*site).map(|_| ()),
            StmtKind::Tally { tally, slot, .. } => {
                let binding = self.binding(*tally)?;
                let length = format!("ctx->{}", self.low.rows(binding));
                self.note_index(slot, length)
            }
            StmtKind::ScratchGet { index, .. } => {
                let length = format!("{}u", self.low.flat.shape.size());
                self.note_index(index, length)
            }
            _ => Ok(()),
        }
    }

    fn note_words(&mut self, words: &[String; 3]) {
        let note = self.low.helper("note_operands");
        self.emit(&format!("{note}(ctx, {});", words.join(", ")));
    }

    fn note_index(&mut self, index: &Expr, length: String) -> Result<(), CError> {
        let index = self.expr(index)?.text;
        self.note_words(&[index, "0u".to_owned(), length]);
        Ok(())
    }

    /// Notes the step that a site of an access to a history reports; false of any other site.
    fn note_step(&mut self, site: SiteId) -> Result<bool, CError> {
        let function = self.function;
        let Some(step) = function.steps.iter().find(|step| step.site == site) else { return Ok(false) };
        let words = [self.name(step.step)?, self.name(step.from)?, self.expr(&step.count)?.text];
        self.note_words(&words);
        Ok(true)
    }

    /// Notes the outermost index of a place that is out of range: the innermost is noted first.
    fn note_indices(&mut self, place: &Place) -> Result<(), CError> {
        let mut innermost = true;
        for (at, step) in place.path.iter().enumerate().rev() {
            let Step::Index(index) = step else { continue };
            let array = Place { base: place.base, path: place.path[..at].to_vec() };
            let Type::Array(_, count) = self.value_type(&array)? else {
                return Err(self.ill("an index into something that is no array"));
            };
            if constant_index(index).is_some_and(|constant| constant < count) {
                continue;
            }
            let test = if innermost { None } else { Some(self.index_u32(index)?) };
            let words = self.value_words(index, count)?;
            if let Some(index) = &test {
                self.open(&format!("if ({} >= {count}u) {{", index.operand()));
            }
            self.note_words(&words);
            if test.is_some() {
                self.w.close("}");
            }
            innermost = false;
        }
        Ok(())
    }

    /// The words of an integer and of the length of an array, if it is an index.
    fn value_words(&mut self, value: &Expr, length: u32) -> Result<[String; 3], CError> {
        let scalar = self.scalar(&value.ty)?;
        let code = self.expr(value)?;
        // Extends the sign, of a signed integer.
        let code = self.low.cast(scalar, Scalar::U64, code);
        let wide = self.temp("noted");
        self.emit(&format!("const u64 {wide} = {};", code.text));
        let third = third_word(scalar, length);
        Ok([format!("(u32){wide}"), format!("(u32)({wide} >> 32u)"), format!("{third:#x}u")])
    }
}
