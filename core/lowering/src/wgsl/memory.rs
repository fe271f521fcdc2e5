//! Functions that read and write tables and parameter blocks, one for each buffer and type used.

use super::options::Int64;
use super::state::Lowering;
use crate::LoweringError;
use crate::phases;
use crate::walk::{Memory, Part, Way, WordCode};
use imminent_ir::flatten::BindingKind;
use imminent_ir::{FieldType, Scalar, Type};

impl Memory for Lowering<'_> {
    fn access(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        ty: &Type,
        mut word: WordCode,
        row: Option<&str>,
    ) -> Result<(String, String), LoweringError> {
        if part == Part::Pool {
            // The words about a row's room lie between its own and the pool's.
            let layout = self.layout(binding)?;
            let more = layout.columns_before_pool() - layout.fixed_words;
            word =
                WordCode { text: format!("{} + {more}u", word.text), number: word.number.map(|number| number + more) };
        }
        let segments = self.buffers.get(binding as usize).map_or(0, Vec::len);
        let leaf = matches!(ty, Type::Scalar(_) | Type::Enum(_));
        let mut text = word.text;
        let mut segment = None;
        if let Some(number) = word.number
            && leaf
            && segments > 1
        {
            let starts = &self.buffers[binding as usize];
            let at = starts.iter().rposition(|(_, start)| *start <= number).unwrap_or_default();
            if starts[at].1 > 0 {
                text = format!("{text} - {}u", starts[at].1);
            }
            segment = Some(at);
        }
        let function = self.accessor(way, (binding, part), segment, ty)?;
        let args = match row {
            Some(row) => format!("{text}, {row}"),
            None => text,
        };
        Ok((function, args))
    }

    fn rows(&mut self, binding: u32) -> String {
        self.header(binding, "rows", 0)
    }

    fn capacity(&mut self, binding: u32) -> String {
        self.header(binding, "capacity", 2)
    }

    fn repeat_helper(&mut self, ty: &Type) -> String {
        let element = match ty {
            Type::Array(element, _) => self.type_text(element),
            _ => String::new(),
        };
        let count = if let Type::Array(_, count) = ty { *count } else { 0 };
        self.composite_helper("repeat", ty, |name, ty| {
            format!(
                "fn {name}(value: {element}) -> {ty} {{\n    var result: {ty};\n    for (var k = 0u; k < {count}u; k++) \
                 {{\n        result[k] = value;\n    }}\n    return result;\n}}"
            )
        })
    }

    fn pack(&mut self, scalar: Scalar, value: &str) -> Vec<String> {
        match scalar {
            Scalar::Bool => vec![format!("u32({value})")],
            Scalar::U32 => vec![value.to_owned()],
            Scalar::I32 | Scalar::F32 => vec![format!("bitcast<u32>({value})")],
            Scalar::U64 | Scalar::I64 if self.options.int64 == Int64::Emulated => {
                vec![format!("{value}.x"), format!("{value}.y")]
            }
            Scalar::U64 | Scalar::I64 | Scalar::F64 => {
                let bits = if scalar == Scalar::U64 { value.to_owned() } else { format!("bitcast<u64>({value})") };
                let (low, high) = (self.helper("low_u64"), self.helper("high_u64"));
                vec![format!("{low}({bits})"), format!("{high}({bits})")]
            }
        }
    }
}

impl Lowering<'_> {
    pub(super) fn accessor(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        segment: Option<usize>,
        ty: &Type,
    ) -> Result<String, LoweringError> {
        let ty = if matches!(ty, Type::Enum(_)) { Type::Scalar(Scalar::U32) } else { ty.clone() };
        let key = ((binding, part), segment, way, ty.clone(), self.scope);
        if let Some(name) = self.accessor_names.get(&key) {
            return Ok(name.clone());
        }
        let index = binding as usize;
        let (Some(bound), Some(base)) = (self.flat.bindings.get(index), self.binding_names.get(index).cloned()) else {
            return Err(self.ill("a binding out of range"));
        };
        let buffers = self.buffers[index].clone();
        let is_params = matches!(bound.kind, BindingKind::Params { .. });
        let verb = if way == Way::Load { "load" } else { "store" };
        let of = match segment {
            Some(k) => buffers.get(k).map_or_else(|| base.clone(), |(name, _)| name.clone()),
            None => base.clone(),
        };
        let pool = if part == Part::Pool { "pool_" } else { "" };
        let mangled = self.mangled(&ty);
        let name = self.names.global(&format!("{verb}_{of}_{pool}{mangled}"));
        self.accessor_names.insert(key, name.clone());
        let (row_param, row) = if is_params { ("", "") } else { (", row: u32", ", row") };
        let wgsl_type = self.type_text(&ty);
        let signature = match way {
            Way::Load => format!("fn {name}(word: u32{row_param}) -> {wgsl_type} {{\n"),
            Way::Store => format!("fn {name}(word: u32{row_param}, value: {wgsl_type}) {{\n"),
        };
        let body = match &ty {
            Type::Scalar(scalar) => match (segment, buffers.as_slice()) {
                (None, [_, _, ..]) => self.choose_segment(way, (binding, part), &ty, &buffers)?,
                (segment, _) => {
                    let buffer = if is_params {
                        "launch".to_owned()
                    } else {
                        buffers.get(segment.unwrap_or_default()).map_or(base, |(name, _)| name.clone())
                    };
                    let whole = segment.is_none();
                    self.scalar_body(way, (binding, part, whole), *scalar, &buffer, is_params)?
                }
            },
            _ => self.composite_body(way, (binding, part), &ty, row)?,
        };
        self.accessors.push(format!("{signature}{body}}}"));
        Ok(name)
    }

    /// `whole`: the buffer holds the whole table, so that words are numbered from its first column.
    fn scalar_body(
        &mut self,
        way: Way,
        (binding, part, whole): (u32, Part, bool),
        scalar: Scalar,
        buffer: &str,
        is_params: bool,
    ) -> Result<String, LoweringError> {
        let index = if is_params {
            let offset = self.launch.params.iter().find(|p| p.binding == binding).map_or(0, |p| p.offset);
            format!("{offset}u + word")
        } else {
            let row = if scalar.words() == 1 { "row" } else { "row * 2u" };
            match part {
                Part::Columns => format!("word * {} + {row}", self.header(binding, "stride", 1)),
                Part::Pool if whole => {
                    let before = self.layout(binding)?.columns_before_pool();
                    let (stride, pool) = (self.header(binding, "stride", 1), self.header(binding, "pool_stride", 3));
                    format!("{before}u * {stride} + (word - {before}u) * {pool} + {row}")
                }
                Part::Pool => format!("word * {} + {row}", self.header(binding, "pool_stride", 3)),
            }
        };
        let one = scalar.words() == 1;
        if way == Way::Load && phases::is_read_for_all(self.flat, binding) {
            return Ok(self.group_row_body(scalar, buffer, &index));
        }
        let places = if one {
            vec![format!("{buffer}[{index}]")]
        } else {
            vec![format!("{buffer}[i]"), format!("{buffer}[i + 1u]")]
        };
        let mut body = if one { String::new() } else { format!("    let i = {index};\n") };
        match way {
            Way::Load => body.push_str(&format!("    return {};\n", self.unpack(scalar, &places))),
            Way::Store => {
                for (place, word) in places.iter().zip(self.pack(scalar, "value")) {
                    body.push_str(&format!("    {place} = {word};\n"));
                }
            }
        }
        Ok(body)
    }

    /// The first invocation reads a group's own row, and hands what it read to the others.
    fn group_row_body(&mut self, scalar: Scalar, buffer: &str, index: &str) -> String {
        let read = match scalar.words() {
            1 => format!("vec2<u32>({buffer}[i], 0u)"),
            _ => format!("vec2<u32>({buffer}[i], {buffer}[i + 1u])"),
        };
        let value = self.unpack(scalar, &["words.x".to_owned(), "words.y".to_owned()]);
        format!(
            "    if (lane == 0u) {{\n        let i = {index};\n        group_slot = {read};\n    }}\n    let words = \
             workgroupUniformLoad(&group_slot);\n    return {value};\n"
        )
    }

    fn composite_body(&mut self, way: Way, of: (u32, Part), ty: &Type, row: &str) -> Result<String, LoweringError> {
        match ty {
            Type::Array(element, count) => {
                let function = self.accessor(way, of, None, element)?;
                let words = self.flat.words(element);
                let wgsl_type = self.type_text(ty);
                Ok(match way {
                    Way::Load => format!(
                        "    var value: {wgsl_type};\n    for (var k = 0u; k < {count}u; k++) {{\n        \
                         value[k] = {function}(word + k * {words}u{row});\n    }}\n    return value;\n"
                    ),
                    Way::Store => format!(
                        "    var copy = value;\n    for (var k = 0u; k < {count}u; k++) {{\n        \
                         {function}(word + k * {words}u{row}, copy[k]);\n    }}\n"
                    ),
                })
            }
            Type::Struct(id) => {
                let Some(def) = self.flat.structs.get(id.index()) else {
                    return Err(self.ill("a struct out of range"));
                };
                let (name, fields) = self.structs[id.index()].clone();
                let mut loads = Vec::new();
                let mut stores = String::new();
                for (number, (field, field_name)) in (0..).zip(def.fields.iter().zip(&fields)) {
                    let FieldType::Value(ty) = &field.ty else { return Err(self.ill("lanes inside a value")) };
                    let function = self.accessor(way, of, None, ty)?;
                    let word = match self.flat.field_word(*id, number) {
                        0 => "word".to_owned(),
                        w => format!("word + {w}u"),
                    };
                    loads.push(format!("{function}({word}{row})"));
                    stores.push_str(&format!("    {function}({word}{row}, value.{field_name});\n"));
                }
                Ok(match way {
                    Way::Load => format!("    return {name}({});\n", loads.join(", ")),
                    Way::Store => stores,
                })
            }
            _ => Err(self.ill("a value without a size")),
        }
    }

    /// A scalar from the words of a buffer.
    pub(super) fn unpack(&mut self, scalar: Scalar, words: &[String]) -> String {
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        match scalar {
            Scalar::Bool => format!("{low} != 0u"),
            Scalar::U32 => low.to_owned(),
            Scalar::I32 | Scalar::F32 => format!("bitcast<{}>({low})", scalar.name()),
            Scalar::U64 | Scalar::I64 if self.options.int64 == Int64::Emulated => {
                format!("vec2<u32>({low}, {high})")
            }
            Scalar::U64 | Scalar::I64 | Scalar::F64 => {
                let helper = self.helper(&format!("join_{}", scalar.name()));
                format!("{helper}({low}, {high})")
            }
        }
    }

    /// A function that chooses between two structs or arrays.
    pub(super) fn select_helper(&mut self, ty: &Type) -> String {
        self.composite_helper("choose", ty, |name, ty| {
            format!(
                "fn {name}(yes: {ty}, no: {ty}, condition: bool) -> {ty} {{\n    if (condition) {{\n        return \
                 yes;\n    }}\n    return no;\n}}"
            )
        })
    }

    fn composite_helper(&mut self, verb: &'static str, ty: &Type, text: impl Fn(&str, &str) -> String) -> String {
        if let Some(name) = self.composites.get(&(verb, ty.clone())) {
            return name.clone();
        }
        let mangled = self.mangled(ty);
        let name = self.names.global(&format!("{verb}_{mangled}"));
        let text = text(&name, &self.type_text(ty));
        self.accessors.push(text);
        self.composites.insert((verb, ty.clone()), name.clone());
        name
    }
}
