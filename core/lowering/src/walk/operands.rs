//! The operands of faults: kept before each check, and written to the launch's slots at the end.
//!
//! A statement that can fault is preceded by a note of its values, which has no effect once there is a fault. So the
//! checks themselves, and the helpers that make them, are the same with and without operands. The slots are those that
//! the runtime counts.

use super::body::{FunctionLowering, Mode};
use super::dialect::Dialect;
use super::facts::{constant_index, is_safe_divisor};
use crate::LoweringError;
use imminent_ir::launch::third_word;
use imminent_ir::{Expr, Place, Scalar, SiteId, Step, StmtKind, Type};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// Notes the values that a statement can fault with.
    pub(crate) fn note(&mut self, statement: &StmtKind) -> Result<(), LoweringError> {
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
                let length = self.rows(binding);
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
            StmtKind::Tally { tally, slot, .. } | StmtKind::Word { tally, slot, .. } => {
                let binding = self.binding(*tally)?;
                let length = self.rows(binding);
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
        let note = self.invoke("note_operands", &words.each_ref().map(String::as_str));
        self.emit(&format!("{note};"));
    }

    fn note_index(&mut self, index: &Expr, length: String) -> Result<(), LoweringError> {
        let index = self.expr(index)?.text;
        self.note_words(&[index, "0u".to_owned(), length]);
        Ok(())
    }

    /// Notes the step that a site of an access to a history reports; false of any other site.
    fn note_step(&mut self, site: SiteId) -> Result<bool, LoweringError> {
        let function = self.function;
        let Some(step) = function.steps.iter().find(|step| step.site == site) else { return Ok(false) };
        let words = [self.name(step.step)?, self.name(step.from)?, self.expr(&step.count)?.text];
        self.note_words(&words);
        Ok(true)
    }

    /// Notes the outermost index of a place that is out of range: the innermost is noted first.
    fn note_indices(&mut self, place: &Place) -> Result<(), LoweringError> {
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
                self.open(&format!("if ({} >= {count}u) {{", index.within(L::INDEX_TEST)));
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
    fn value_words(&mut self, value: &Expr, length: u32) -> Result<[String; 3], LoweringError> {
        let scalar = self.scalar(&value.ty)?;
        let code = self.expr(value)?;
        // Extends the sign, of a signed integer.
        let code = self.low.cast(scalar, Scalar::U64, code);
        let wide = self.temp("noted");
        self.declare_new(Mode::Const, &wide, &Type::Scalar(Scalar::U64), &code.text);
        let mut words = self.low.pack(Scalar::U64, &wide);
        words.push(format!("{:#x}u", third_word(scalar, length)));
        words.try_into().map_err(|_| self.ill("an integer that has not two words"))
    }
}
