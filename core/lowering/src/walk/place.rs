//! Places: paths into locals, constants, rows and parameter blocks.

use super::accesses::{Access, Direction, Storage, WordCode};
use super::body::{FunctionLowering, Mode};
use super::code::{Code, Level};
use super::dialect::Dialect;
use super::facts::constant_index;
use crate::LoweringError;
use crate::kept::row_struct;
use imminent_ir::{Base, Expr, FieldType, Place, Scalar, Step, Type};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// The value of a place. `indices` replaces the indices of its path by variables already known to be in range.
    pub(crate) fn load(&mut self, place: &Place, ty: &Type, indices: Option<&[String]>) -> Result<Code, LoweringError> {
        match place.base {
            Base::Row { .. } | Base::Binding(_) => {
                if let Some(kept) = self.kept(place, indices)? {
                    return Ok(Code::atom(kept));
                }
                if let Some(fields) = self.kept_apart(place) {
                    let parts = fields.iter().map(|(field, ty, _)| self.load(field, ty, None));
                    let parts: Vec<Code> = parts.collect::<Result<_, _>>()?;
                    return Ok(self.low.composite(ty, &parts));
                }
                let word = self.word(place, indices)?;
                let (binding, row) = self.stored(place.base)?;
                let load = self.low.access(
                    Direction::Load,
                    (binding, self.low.fixed_part(binding)),
                    ty,
                    word,
                    row.as_deref(),
                )?;
                Ok(Code::atom(load.call(L::CONTEXT, None)))
            }
            _ => self.path(place, indices),
        }
    }

    /// The statement that assigns a place.
    pub(crate) fn store(
        &mut self,
        place: &Place,
        ty: &Type,
        value: &str,
        indices: Option<&[String]>,
    ) -> Result<String, LoweringError> {
        match place.base {
            Base::Row { .. } | Base::Binding(_) => {
                if let Some(kept) = self.kept(place, indices)? {
                    return Ok(format!("{kept} = {value};"));
                }
                if let Some(fields) = self.kept_apart(place) {
                    let whole = self.temp("whole");
                    self.declare_new(Mode::Const, &whole, ty, value);
                    let stores = fields.iter().map(|(field, ty, name)| {
                        let mut part = whole.clone();
                        L::member(&mut part, name);
                        self.store(field, ty, &part, None)
                    });
                    return Ok(stores.collect::<Result<Vec<_>, _>>()?.join(" "));
                }
                let word = self.word(place, indices)?;
                let (binding, row) = self.stored(place.base)?;
                let part = self.low.fixed_part(binding);
                let store = self.low.access(Direction::Store, (binding, part), ty, word, row.as_deref())?;
                Ok(self.once(binding, format!("{};", store.call(L::CONTEXT, Some(value)))))
            }
            _ => Ok(format!("{} = {value};", self.path(place, indices)?.text)),
        }
    }

    /// The place in a variable that a field of the own row is kept in, if it is.
    fn kept(&mut self, place: &Place, indices: Option<&[String]>) -> Result<Option<String>, LoweringError> {
        let (Base::Row { binding, .. }, [Step::Field(field), path @ ..]) = (place.base, place.path.as_slice()) else {
            return Ok(None);
        };
        let Some(kept) = self.low.kept.get(&(binding, *field)) else { return Ok(None) };
        let (variable, ty) = (Code::atom(format!("{}{}", L::SHARED, kept.name)), kept.ty.clone());
        Ok(Some(self.steps(variable, ty, path, indices)?.text))
    }

    /// The fields of a whole row of which some are kept in variables: their places, types and names.
    fn kept_apart(&self, place: &Place) -> Option<Vec<(Place, Type, String)>> {
        let (Base::Row { binding, .. }, []) = (place.base, place.path.as_slice()) else { return None };
        if !self.low.kept.keys().any(|(of, _)| *of == binding) {
            return None;
        }
        let (row, def) = row_struct(self.low.flat, binding)?;
        let names = self.low.structs.get(row.index()).map(|(_, names)| names.clone())?;
        let fields = (0..).zip(def.fields.iter().zip(names));
        let parts = fields.filter_map(|(number, (field, name))| match &field.ty {
            FieldType::Value(ty) => {
                Some((Place { base: place.base, path: vec![Step::Field(number)] }, ty.clone(), name))
            }
            FieldType::Lanes(_) => None,
        });
        Some(parts.collect())
    }

    /// The binding of a stored place, and the variable that holds its row number.
    pub(crate) fn stored(&self, base: Base) -> Result<(u32, Option<String>), LoweringError> {
        match base {
            Base::Row { binding, index } => Ok((binding, Some(self.name(index)?))),
            Base::Binding(binding) => Ok((binding, None)),
            _ => Err(self.ill("a stored place is expected")),
        }
    }

    /// A path into a local or a constant.
    fn path(&mut self, place: &Place, indices: Option<&[String]>) -> Result<Code, LoweringError> {
        let start = match place.base {
            Base::Local(local) => {
                let name = self.name(local)?;
                match self.mode(local) {
                    Mode::Pointer if place.path.is_empty() => return Ok(Code::at(Level::Unary, format!("*{name}"))),
                    Mode::Pointer => Code::atom(L::pointee(&name)),
                    _ => Code::atom(name),
                }
            }
            Base::Const(id) => {
                let (text, constant) = L::constant(self, id)?;
                Code { constant, ..Code::atom(text) }
            }
            _ => return Err(self.ill("a local or a constant is expected")),
        };
        let ty = self.base_type(place.base)?;
        self.steps(start, ty, &place.path, indices)
    }

    /// A part of a variable or a constant of this type.
    fn steps(
        &mut self,
        of: Code,
        mut ty: Type,
        path: &[Step],
        indices: Option<&[String]>,
    ) -> Result<Code, LoweringError> {
        let Code { mut text, mut constant, .. } = of;
        let mut dynamic = 0;
        for step in path {
            ty = match (step, ty) {
                (Step::Field(field), Type::Struct(id)) => {
                    let names = self.low.structs.get(id.index()).map(|(_, fields)| fields);
                    let Some(name) = names.and_then(|fields| fields.get(*field as usize)) else {
                        return Err(self.ill("a field out of range"));
                    };
                    L::member(&mut text, name);
                    self.field_type(id, *field)?
                }
                (Step::Index(index), Type::Array(element, count)) => {
                    let at = match constant_index(index) {
                        Some(at) => Ok(at),
                        None => Err(self.index(index, count, indices, &mut dynamic)?),
                    };
                    constant &= at.is_ok();
                    L::element(&mut text, at, count);
                    *element
                }
                _ => return Err(self.ill("a step into something that has no parts")),
            };
        }
        Ok(Code { constant, ..Code::atom(text) })
    }

    /// The word column of a stored place.
    fn word(&mut self, place: &Place, indices: Option<&[String]>) -> Result<WordCode, LoweringError> {
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

    /// An access to a lane's element. `lane` is a variable known to be below the capacity.
    pub(crate) fn lane_access(
        &mut self,
        direction: Direction,
        lanes: &Place,
        lane: &str,
        ty: &Type,
    ) -> Result<Access, LoweringError> {
        let (Type::Struct(id), [Step::Field(field)]) = (self.base_type(lanes.base)?, lanes.path.as_slice()) else {
            return Err(self.ill("a lane field is expected"));
        };
        let (text, number) = self.low.field_constant(id, *field);
        let (binding, row) = self.stored(lanes.base)?;
        let packed = self.low.is_packed(binding);
        if self.low.is_ragged(binding) {
            let start = self.room_word(binding, row.as_deref(), 0)?;
            let word = WordCode { text, number: Some(number) };
            let part = if packed { Storage::Lane } else { Storage::Pool };
            return self.low.access(direction, (binding, part), ty, word, Some(&format!("{start} + {lane}")));
        }
        if packed {
            let stride = format!("{}{}", L::SHARED, self.low.stride(binding));
            let place = format!("{lane} * {stride} + {}", row.as_deref().unwrap_or("0u"));
            let word = WordCode { text, number: None };
            return self.low.access(direction, (binding, Storage::Lane), ty, word, Some(&place));
        }
        let words = self.lane_words(lanes.base)?;
        let lane = if words == 1 { lane.to_owned() } else { format!("{lane} * {words}u") };
        let word = WordCode { text: format!("{text} + {lane}"), number: None };
        self.low.access(direction, (binding, Storage::Columns), ty, word, row.as_deref())
    }

    /// Returns the expression for the number of lanes of a row.
    pub(crate) fn lanes_capacity(&mut self, lanes: &Place) -> Result<String, LoweringError> {
        let (binding, row) = self.stored(lanes.base)?;
        if self.low.is_ragged(binding) {
            return self.room_word(binding, row.as_deref(), 1);
        }
        Ok(format!("{}{}", L::SHARED, self.low.capacity(binding)))
    }

    /// A word that a ragged table keeps about the room of a row, after its fixed words: where its places begin, and how
    /// many they are.
    fn room_word(&mut self, binding: u32, row: Option<&str>, which: u32) -> Result<String, LoweringError> {
        let word = self.low.layout(binding)?.fixed_words + which;
        let word = WordCode { text: format!("{word}u"), number: Some(word) };
        let ty = Type::Scalar(Scalar::U32);
        let load = self.low.access(Direction::Load, (binding, Storage::Columns), &ty, word, row)?;
        Ok(load.call(L::CONTEXT, None))
    }

    /// A computed index: a variable that has been checked, or the index clamped to the array.
    fn index(
        &mut self,
        index: &Expr,
        count: u32,
        indices: Option<&[String]>,
        dynamic: &mut usize,
    ) -> Result<String, LoweringError> {
        let number = *dynamic;
        *dynamic += 1;
        match indices {
            Some(names) => match names.get(number) {
                Some(name) => Ok(name.clone()),
                None => Err(self.ill("an index that was not checked")),
            },
            None => {
                let code = self.index_u32(index)?;
                Ok(self.low.clamp(&code, count.saturating_sub(1)))
            }
        }
    }

    /// An index as a `u32` that is past the end where the index is negative or too large.
    pub(crate) fn index_u32(&mut self, index: &Expr) -> Result<Code, LoweringError> {
        let scalar = self.scalar(&index.ty)?;
        let code = self.expr(index)?;
        Ok(match scalar {
            Scalar::U64 | Scalar::I64 => {
                let bits = self.low.cast(scalar, Scalar::U64, code);
                self.low.call("index_u64", &[&bits])
            }
            _ => self.low.cast(scalar, Scalar::U32, code),
        })
    }
}
