//! Loads and stores whose indices are checked.

use super::body::FunctionLowering;
use super::code::Code;
use super::dialect::Dialect;
use super::facts::constant_index;
use crate::LoweringError;
use imminent_ir::{Base, Expr, ExprKind, LocalId, Place, Scalar, SiteId, Step, Type};

/// Result of checking the indices of a place.
struct Guard {
    /// The variables that hold the computed indices.
    indices: Vec<String>,
    /// Condition that must hold; empty if no test is needed.
    condition: String,
    /// `true` if a constant index is out of range.
    never: bool,
}

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// An index into an array, in a variable. Compilers that evaluate constants refuse one past the end, even where a
    /// test stands before it: so none is one.
    pub(crate) fn index_variable(&mut self, index: &Expr, code: Code, wanted: &str) -> Result<String, LoweringError> {
        if !L::EVALUATES || (!code.constant && !self.is_known(index)) {
            return self.in_variable(index, code, wanted);
        }
        let code = self.low.opaque(Scalar::U32, Code { constant: true, ..code });
        Ok(self.new_word(wanted, &code.text))
    }

    /// Returns `true` for an expression of constants and of locals that are constants to a compiler.
    fn is_known(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Load(Place { base: Base::Local(local), path }) => path.is_empty() && self.known.contains(local),
            ExprKind::Unary(_, of) | ExprKind::Cast(of) => self.is_known(of),
            ExprKind::Binary(_, left, right) => self.is_known(left) && self.is_known(right),
            ExprKind::Builtin(_, of) => of.iter().all(|one| self.is_known(one)),
            ExprKind::Select(condition, one, other) => [condition, one, other].iter().all(|part| self.is_known(part)),
            _ => false,
        }
    }

    /// Checks the indices of a place, outermost first.
    fn guard(&mut self, place: &Place) -> Result<Guard, LoweringError> {
        let mut guard = Guard { indices: Vec::new(), condition: String::new(), never: false };
        for (at, step) in place.path.iter().enumerate() {
            let Step::Index(index) = step else { continue };
            let array = Place { base: place.base, path: place.path[..at].to_vec() };
            let Type::Array(_, count) = self.value_type(&array)? else {
                return Err(self.ill("an index into something that is no array"));
            };
            if let Some(constant) = constant_index(index) {
                guard.never |= constant >= count;
                continue;
            }
            let code = self.index_u32(index)?;
            let name = self.index_variable(index, code, "index")?;
            if !guard.condition.is_empty() {
                guard.condition.push_str(" && ");
            }
            guard.condition.push_str(&format!("{name} < {count}u"));
            guard.indices.push(name);
        }
        Ok(guard)
    }

    pub(crate) fn checked_load(&mut self, into: LocalId, place: &Place, site: SiteId) -> Result<(), LoweringError> {
        let ty = self.value_type(place)?;
        let guard = self.guard(place)?;
        if guard.never {
            self.declare_zero(into)?;
            self.raise(site);
            return Ok(());
        }
        let value = self.load(place, &ty, Some(&guard.indices))?;
        if guard.condition.is_empty() {
            return self.declare_as(into, &value);
        }
        let name = self.declare_zero(into)?;
        self.guarded(&guard.condition, &format!("{name} = {};", value.text), site);
        Ok(())
    }

    pub(crate) fn checked_store(&mut self, place: &Place, value: &Expr, site: SiteId) -> Result<(), LoweringError> {
        let guard = self.guard(place)?;
        if guard.never {
            self.raise(site);
            return Ok(());
        }
        let code = self.value_for(self.is_of_group(place), value)?;
        let text = self.store(place, &value.ty, &L::argument(&code), Some(&guard.indices))?;
        if guard.condition.is_empty() {
            self.emit(&text);
        } else {
            self.guarded(&guard.condition, &text, site);
        }
        Ok(())
    }
}
