//! Places: paths into locals, constants, rows and parameter blocks.

use super::WgslError;
use super::expr::{Code, Level};
use super::function::{FunctionLowering, Mode};
use super::lowering::ConstForm;
use super::memory::{Part, Way, WordCode};
use imminent_ir::flatten::Scope;
use imminent_ir::{Base, Expr, ExprKind, Place, Scalar, Step, Type, Value};

impl FunctionLowering<'_, '_> {
    /// The value of a place. `indices` replaces the indices of its path by variables already known to be in range.
    pub(super) fn load(&mut self, place: &Place, ty: &Type, indices: Option<&[String]>) -> Result<Code, WgslError> {
        match place.base {
            Base::Row { .. } | Base::Binding(_) => {
                if let Some(kept) = self.kept(place) {
                    return Ok(Code::runtime(kept));
                }
                let word = self.word(place, indices)?;
                let (binding, row) = self.stored(place.base)?;
                let (function, args) = self.low.access(Way::Load, binding, ty, &word, row.as_deref())?;
                Ok(Code::runtime(format!("{function}({args})")))
            }
            _ => self.path(place, indices),
        }
    }

    /// The statement that assigns a place.
    pub(super) fn store(
        &mut self,
        place: &Place,
        ty: &Type,
        value: &str,
        indices: Option<&[String]>,
    ) -> Result<String, WgslError> {
        match place.base {
            Base::Row { .. } | Base::Binding(_) => {
                if let Some(kept) = self.kept(place) {
                    return Ok(format!("{kept} = {value};"));
                }
                let word = self.word(place, indices)?;
                let (binding, row) = self.stored(place.base)?;
                let (function, args) = self.low.access(Way::Store, binding, ty, &word, row.as_deref())?;
                Ok(self.once(binding, format!("{function}({args}, {value});")))
            }
            _ => Ok(format!("{} = {value};", self.path(place, indices)?.text)),
        }
    }

    /// The variable that a field of the own row is kept in, if it is.
    fn kept(&self, place: &Place) -> Option<String> {
        match (place.base, place.path.as_slice()) {
            (Base::Row { binding, .. }, [Step::Field(field)]) => {
                self.low.kept.get(&(binding, *field)).map(|kept| kept.name.clone())
            }
            _ => None,
        }
    }

    /// The binding of a stored place, and the variable that holds its row number.
    pub(super) fn stored(&self, base: Base) -> Result<(u32, Option<String>), WgslError> {
        match base {
            Base::Row { binding, index } => Ok((binding, Some(self.name(index)?))),
            Base::Binding(binding) => Ok((binding, None)),
            _ => Err(self.ill("a stored place is expected")),
        }
    }

    /// A path into a local or a constant.
    fn path(&mut self, place: &Place, indices: Option<&[String]>) -> Result<Code, WgslError> {
        let (mut text, mut constant) = match place.base {
            Base::Local(local) => {
                let name = self.name(local)?;
                match self.mode(local) {
                    Mode::Pointer if place.path.is_empty() => (format!("*{name}"), false),
                    Mode::Pointer => (format!("(*{name})"), false),
                    _ => (name, false),
                }
            }
            Base::Const(id) => match self.low.consts.get(&id) {
                // What a private variable holds is the invocation's own matter, as far as WGSL knows.
                Some((_, ConstForm::Private | ConstForm::Computed)) if self.function.scope == Scope::Group => {
                    (self.constant_copy(id)?, false)
                }
                Some((name, form)) => (name.clone(), *form == ConstForm::Const),
                None => return Err(self.ill("a constant that is not among those used")),
            },
            _ => return Err(self.ill("a local or a constant is expected")),
        };
        let level = if text.starts_with('*') { Level::Unary } else { Level::Atom };
        let mut ty = self.base_type(place.base)?;
        let mut dynamic = 0;
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Field(field), Type::Struct(id)) => {
                    let names = self.low.structs.get(id.index()).map(|(_, fields)| fields);
                    let Some(name) = names.and_then(|fields| fields.get(*field as usize)) else {
                        return Err(self.ill("a field out of range"));
                    };
                    text.push('.');
                    text.push_str(name);
                    self.field_type(id, *field)?
                }
                (Step::Index(index), Type::Array(element, count)) => {
                    let at = match constant_index(index) {
                        Some(at) => format!("{at}u"),
                        None => {
                            constant = false;
                            self.index(index, count, indices, &mut dynamic)?
                        }
                    };
                    text.push_str(&format!("[{at}]"));
                    *element
                }
                _ => return Err(self.ill("a step into something that has no parts")),
            };
        }
        Ok(Code { text, level, constant })
    }

    /// The word column of a stored place.
    fn word(&mut self, place: &Place, indices: Option<&[String]>) -> Result<WordCode, WgslError> {
        let mut ty = self.base_type(place.base)?;
        let mut name: Option<(String, u32)> = None;
        let mut offset: u32 = 0;
        let mut terms: Vec<String> = Vec::new();
        let mut dynamic = 0;
        for (at, step) in place.path.iter().enumerate() {
            ty = match (step, ty) {
                (Step::Field(field), Type::Struct(id)) => {
                    if at == 0 {
                        name = Some(self.low.field_constant(id, *field));
                    } else {
                        offset = offset.saturating_add(self.low.flat.field_word(id, *field));
                    }
                    self.field_type(id, *field)?
                }
                (Step::Index(index), Type::Array(element, count)) => {
                    let words = self.low.flat.words(&element);
                    match constant_index(index) {
                        Some(at) => offset = offset.saturating_add(at.saturating_mul(words)),
                        None => {
                            let text = self.index(index, count, indices, &mut dynamic)?;
                            terms.push(if words == 1 { text } else { format!("{text} * {words}u") });
                        }
                    }
                    *element
                }
                _ => return Err(self.ill("a step into something that has no parts")),
            };
        }
        let number = terms.is_empty().then(|| offset.saturating_add(name.as_ref().map_or(0, |(_, word)| *word)));
        let mut parts: Vec<String> = name.into_iter().map(|(name, _)| name).collect();
        if offset > 0 || (parts.is_empty() && terms.is_empty()) {
            parts.push(format!("{offset}u"));
        }
        parts.extend(terms);
        Ok(WordCode { text: parts.join(" + "), number })
    }

    /// The accessor of a lane's element, and its arguments; of `store`, without the value. `lane` is a variable known to be below the
    /// capacity.
    pub(super) fn lane_access(
        &mut self,
        way: Way,
        lanes: &Place,
        lane: &str,
        ty: &Type,
    ) -> Result<(String, String), WgslError> {
        let (Type::Struct(id), [Step::Field(field)]) = (self.base_type(lanes.base)?, lanes.path.as_slice()) else {
            return Err(self.ill("a lane field is expected"));
        };
        let (name, number) = self.low.field_constant(id, *field);
        let (binding, row) = self.stored(lanes.base)?;
        if self.low.is_ragged(binding) {
            let start = self.room_word(binding, row.as_deref(), 0)?;
            let layout = self.low.layout(binding)?;
            // The words about a row's room lie between its own and the pool's.
            let more = layout.columns_before_pool() - layout.fixed_words;
            let word = WordCode { text: format!("{name} + {more}u"), number: Some(number + more) };
            let place = format!("{start} + {lane}");
            return self.low.access_part(way, (binding, Part::Pool), ty, &word, Some(&place));
        }
        let words = self.lane_words(lanes.base)?;
        let lane = if words == 1 { lane.to_owned() } else { format!("{lane} * {words}u") };
        self.low.access(way, binding, ty, &WordCode { text: format!("{name} + {lane}"), number: None }, row.as_deref())
    }

    /// How many lanes a row has.
    pub(super) fn lanes_capacity(&mut self, lanes: &Place) -> Result<String, WgslError> {
        let (binding, row) = self.stored(lanes.base)?;
        if self.low.is_ragged(binding) {
            return self.room_word(binding, row.as_deref(), 1);
        }
        Ok(self.low.capacity(binding))
    }

    /// A word that a ragged table keeps about the room of a row, after its fixed words: where its places begin, and how many they are.
    fn room_word(&mut self, binding: u32, row: Option<&str>, which: u32) -> Result<String, WgslError> {
        let word = self.low.layout(binding)?.fixed_words + which;
        let word = WordCode { text: format!("{word}u"), number: Some(word) };
        let (function, args) = self.low.access(Way::Load, binding, &Type::Scalar(Scalar::U32), &word, row)?;
        Ok(format!("{function}({args})"))
    }

    /// A computed index: a variable that has been checked, or the index clamped to the array.
    fn index(
        &mut self,
        index: &Expr,
        count: u32,
        indices: Option<&[String]>,
        dynamic: &mut usize,
    ) -> Result<String, WgslError> {
        let number = *dynamic;
        *dynamic += 1;
        match indices {
            Some(names) => match names.get(number) {
                Some(name) => Ok(name.clone()),
                None => Err(self.ill("an index that was not checked")),
            },
            None => {
                let code = self.index_u32(index)?;
                Ok(format!("min({}, {}u)", code.text, count.saturating_sub(1)))
            }
        }
    }

    /// An index as a `u32` that is past the end where the index is negative or too large.
    pub(super) fn index_u32(&mut self, index: &Expr) -> Result<Code, WgslError> {
        let scalar = self.scalar(&index.ty)?;
        let code = self.expr(index)?;
        Ok(match scalar {
            Scalar::U64 => self.low.call("index_u64", &[&code]),
            Scalar::I64 => {
                let bits = self.low.cast(Scalar::I64, Scalar::U64, code);
                self.low.call("index_u64", &[&bits])
            }
            _ => self.low.cast(scalar, Scalar::U32, code),
        })
    }
}

/// The value of a literal index; `u32::MAX` stands for one that no array has.
pub(super) fn constant_index(index: &Expr) -> Option<u32> {
    match &index.kind {
        ExprKind::Literal(Value::U32(i)) => Some(*i),
        ExprKind::Literal(Value::I32(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        ExprKind::Literal(Value::U64(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        ExprKind::Literal(Value::I64(i)) => Some(u32::try_from(*i).unwrap_or(u32::MAX)),
        _ => None,
    }
}
