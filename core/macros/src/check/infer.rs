//! Unification: the known facts about types that the user did not write.

use crate::ty::Ty;
use imminent_ir::Scalar;

/// Possible values of a type variable.
#[derive(Clone, Debug)]
enum Var {
    /// Any type.
    Any,
    /// An integer type: the type of an integer literal.
    Integer,
    /// A float type: the type of a float literal.
    Float,
    /// A known type.
    Known(Ty),
}

/// A class of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Known to be exactly this.
    Exactly(Scalar),
    /// Some integer, not known which.
    SomeInteger,
    /// Some float, not known which.
    SomeFloat,
    /// Nothing is known.
    Unknown,
    /// Not a scalar.
    Other,
}

/// The table of type variables.
#[derive(Debug, Default)]
pub(crate) struct Infer {
    vars: Vec<Var>,
}

impl Infer {
    fn fresh_var(&mut self, var: Var) -> Ty {
        self.vars.push(var);
        Ty::Var(self.vars.len() as u32 - 1)
    }

    /// Returns a type of which nothing is known.
    pub(crate) fn fresh(&mut self) -> Ty {
        self.fresh_var(Var::Any)
    }

    /// Returns the type of an integer literal without a suffix.
    pub(crate) fn fresh_integer(&mut self) -> Ty {
        self.fresh_var(Var::Integer)
    }

    /// Returns the type of a float literal without a suffix.
    pub(crate) fn fresh_float(&mut self) -> Ty {
        self.fresh_var(Var::Float)
    }

    /// Returns the type as far as it is known, outermost constructor first.
    pub(crate) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(var) = ty {
            match &self.vars[var as usize] {
                Var::Known(known) => ty = known.clone(),
                _ => break,
            }
        }
        ty
    }

    /// Returns the type with everything known filled in.
    pub(crate) fn deep(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Array(element, count) => Ty::Array(Box::new(self.deep(&element)), count),
            Ty::Ref(inner, mutable) => Ty::Ref(Box::new(self.deep(&inner)), mutable),
            Ty::Lanes(inner) => Ty::Lanes(Box::new(self.deep(&inner))),
            Ty::History(inner) => Ty::History(Box::new(self.deep(&inner))),
            other => other,
        }
    }

    /// Returns the kind of scalar of the type.
    pub(crate) fn class(&self, ty: &Ty) -> Class {
        match self.shallow(ty) {
            Ty::Scalar(scalar) => Class::Exactly(scalar),
            Ty::Var(var) => match self.vars[var as usize] {
                Var::Integer => Class::SomeInteger,
                Var::Float => Class::SomeFloat,
                _ => Class::Unknown,
            },
            _ => Class::Other,
        }
    }

    /// Makes two types equal; `false` if they cannot be.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Error | Ty::Never, _) | (_, Ty::Error | Ty::Never) => true,
            (Ty::Var(x), Ty::Var(y)) => {
                if x != y {
                    match (&self.vars[*x as usize], &self.vars[*y as usize]) {
                        (Var::Integer, Var::Float) | (Var::Float, Var::Integer) => return false,
                        (Var::Any, _) => self.vars[*x as usize] = Var::Known(b.clone()),
                        _ => self.vars[*y as usize] = Var::Known(a.clone()),
                    }
                }
                true
            }
            (Ty::Var(x), other) | (other, Ty::Var(x)) => {
                let fits = match self.vars[*x as usize] {
                    Var::Integer => match other {
                        Ty::Scalar(scalar) => scalar.is_integer(),
                        Ty::Usize => true,
                        _ => false,
                    },
                    Var::Float => matches!(other, Ty::Scalar(scalar) if scalar.is_float()),
                    _ => true,
                };
                if fits {
                    self.vars[*x as usize] = Var::Known((*other).clone());
                }
                fits
            }
            (Ty::Array(x, n), Ty::Array(y, m)) => n == m && self.unify(&x.clone(), &y.clone()),
            (Ty::Ref(x, m), Ty::Ref(y, n)) => m == n && self.unify(&x.clone(), &y.clone()),
            (Ty::Lanes(x), Ty::Lanes(y)) | (Ty::History(x), Ty::History(y)) => self.unify(&x.clone(), &y.clone()),
            _ => a == b,
        }
    }

    /// Records that an error was reported about an open type.
    pub(crate) fn poison(&mut self, ty: &Ty) {
        if let Ty::Var(var) = self.shallow(ty) {
            self.vars[var as usize] = Var::Known(Ty::Error);
        }
    }

    /// Gives every integer variable that is still open the type `i32`, as Rust does.
    pub(crate) fn default_integers(&mut self) {
        for var in &mut self.vars {
            if matches!(var, Var::Integer) {
                *var = Var::Known(Ty::Scalar(Scalar::I32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_take_the_type_of_what_they_meet() {
        let mut infer = Infer::default();
        let (a, b) = (infer.fresh_integer(), infer.fresh());
        assert!(infer.unify(&a, &b));
        assert!(infer.unify(&b, &Ty::Scalar(Scalar::U64)));
        assert_eq!(infer.deep(&a), Ty::Scalar(Scalar::U64));
        let f = infer.fresh_float();
        assert!(!infer.unify(&f, &a));
        assert!(!infer.unify(&f, &Ty::U32));
    }

    #[test]
    fn open_integers_become_i32_and_open_floats_stay_open() {
        let mut infer = Infer::default();
        let (i, f) = (infer.fresh_integer(), infer.fresh_float());
        infer.default_integers();
        assert_eq!(infer.deep(&i), Ty::Scalar(Scalar::I32));
        assert_eq!(infer.class(&f), Class::SomeFloat);
    }
}
