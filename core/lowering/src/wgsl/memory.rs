//! Places of scalars in tables and parameter blocks, of which a table may be in several segments.

use super::options::Int64;
use super::state::Lowering;
use crate::LoweringError;
use crate::walk::{Access, Accessor, Accessors, Direction, Memory, Signature, Storage, WordCode, accessors};
use imminent_ir::flatten::Scope;
use imminent_ir::launch::ZERO_WORD;
use imminent_ir::{Scalar, Type};

impl Memory for Lowering<'_> {
    fn access(
        &mut self,
        direction: Direction,
        (binding, part): (u32, Storage),
        ty: &Type,
        mut word: WordCode,
        row: Option<&str>,
    ) -> Result<Access, LoweringError> {
        if part == Storage::Pool {
            // The words about a row's room lie between its own and the pool's.
            let layout = self.layout(binding)?;
            let more = layout.columns_before_pool() - layout.fixed_words;
            word =
                WordCode { text: format!("{} + {more}u", word.text), number: word.number.map(|number| number + more) };
        }
        let segments = self.segments.get(binding as usize).map_or(0, Vec::len);
        let leaf = matches!(ty, Type::Scalar(_) | Type::Enum(_));
        let mut text = word.text;
        let mut segment = None;
        if matches!(part, Storage::Row | Storage::Lane) {
            let function = accessors::accessor(self, direction, (binding, part), None, ty)?;
            return Ok(Access { function, word: text, row: row.map(str::to_owned) });
        }
        if let Some(number) = word.number
            && leaf
            && segments > 1
        {
            let starts = &self.segments[binding as usize];
            let at = starts.iter().rposition(|(_, start)| *start <= number).unwrap_or_default();
            if starts[at].1 > 0 {
                text = format!("{text} - {}u", starts[at].1);
            }
            segment = Some(at);
        }
        let function = accessors::accessor(self, direction, (binding, part), segment, ty)?;
        Ok(Access { function, word: text, row: row.map(str::to_owned) })
    }

    /// A private variable. Functions of a group read the launch block where they use it: what a private variable holds
    /// counts as the invocation's own matter.
    fn header(&mut self, binding: u32, what: &str, word: u32) -> String {
        if self.scope == Scope::Group {
            let at = self.launch.headers.get(binding as usize).copied().unwrap_or_default() + word;
            return format!("launch[{at}]");
        }
        self.header_variable(binding, what, word)
    }

    fn repeat_helper(&mut self, ty: &Type) -> String {
        accessors::repeat(self, ty)
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

    fn unpack(&mut self, scalar: Scalar, words: &[String]) -> String {
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
}

impl<'a> Accessors<'a> for Lowering<'a> {
    const WORD: &'static str = "u32";
    const SCOPED: bool = true;

    fn function(signature: &Signature<'_>) -> String {
        let params: Vec<String> = signature.params.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let result = signature.result.map_or_else(String::new, |ty| format!(" -> {ty}"));
        format!("fn {}({}){result} {{", signature.name, params.join(", "))
    }

    fn unset(name: &str, ty: &str) -> String {
        format!("var {name}: {ty};")
    }

    fn mangled(&mut self, ty: &Type) -> String {
        self.mangled_text(ty)
    }

    fn buffer_name(&self, binding: u32, segment: Option<usize>) -> String {
        let of_segment = segment.and_then(|k| self.segments.get(binding as usize)?.get(k)).map(|(name, _)| name);
        of_segment.or(self.binding_names.get(binding as usize)).cloned().unwrap_or_default()
    }

    fn param_body(&mut self, scalar: Scalar, offset: u32) -> String {
        self.place_body(Direction::Load, scalar, "launch", &format!("{offset}u + word"), true)
    }

    fn scalar_body(&mut self, of: &Accessor, scalar: Scalar) -> Result<String, LoweringError> {
        let Accessor { direction, binding, part, segment, .. } = *of;
        let segments = self.segments.get(binding as usize).cloned().unwrap_or_default();
        // The buffer holds the whole table, so that words are numbered from its first column.
        let whole = segment.is_none();
        if whole && segments.len() > 1 && part != Storage::Row {
            return if part == Storage::Lane {
                self.choose_lanes(of, &segments)
            } else {
                self.choose_segment(of, &segments)
            };
        }
        let row = if scalar.words() == 1 { "row" } else { "row * 2u" };
        let index = match part {
            Storage::Columns => format!("word * {} + {row}", self.stride(binding)),
            Storage::Pool if whole => {
                let before = self.layout(binding)?.columns_before_pool();
                let (stride, pool) = (self.stride(binding), self.pool_stride(binding));
                format!("{before}u * {stride} + (word - {before}u) * {pool} + {row}")
            }
            Storage::Pool => format!("word * {} + {row}", self.pool_stride(binding)),
            // The first segment has all fixed words.
            Storage::Row => format!("row * {}u + word", self.layout(binding)?.fixed_words),
            Storage::Lane => {
                let layout = self.layout(binding)?;
                let (fixed, lane) = (layout.fixed_words, layout.lane_words);
                let before = if self.is_ragged(binding) { layout.columns_before_pool() } else { fixed };
                let first = segments.get(segment.unwrap_or_default()).map_or(0, |(_, start)| *start);
                let start = if first == 0 { format!("{before}u * {} + ", self.stride(binding)) } else { String::new() };
                format!("{start}row * {lane}u + (word - {fixed}u)")
            }
        };
        let (buffer, index) = self.stored_at(binding, segment.unwrap_or_default(), index);
        if direction == Direction::Load && self.is_read_for_all(binding) {
            return Ok(self.group_row_body(scalar, &buffer, &index));
        }
        let constant = self.flat.bindings.get(binding as usize).is_some_and(|bound| bound.access.written.is_empty());
        Ok(self.place_body(direction, scalar, &buffer, &index, constant && self.shared_buffers.is_empty()))
    }

    fn return_struct(name: &str, fields: &[(&str, String)]) -> String {
        let loads: Vec<&str> = fields.iter().map(|(_, load)| load.as_str()).collect();
        format!("    return {name}({});\n", loads.join(", "))
    }
}

impl Lowering<'_> {
    /// Loads or stores a scalar at an index of a buffer, which is `constant` if the kernel does not write it.
    fn place_body(
        &mut self,
        direction: Direction,
        scalar: Scalar,
        buffer: &str,
        index: &str,
        constant: bool,
    ) -> String {
        let one = scalar.words() == 1;
        let mut places = if one {
            vec![format!("{buffer}[{index}]")]
        } else {
            vec![format!("{buffer}[i]"), format!("{buffer}[i + 1u]")]
        };
        if direction == Direction::Load && constant && self.keeps_constants_apart() {
            // A word that comes of two loads is not loaded by one that was merged.
            places = places.into_iter().map(|place| format!("({place} ^ launch[{ZERO_WORD}])")).collect();
        }
        let mut body = if one { String::new() } else { format!("    let i = {index};\n") };
        match direction {
            Direction::Load => body.push_str(&format!("    return {};\n", self.unpack(scalar, &places))),
            Direction::Store => {
                for (place, word) in places.iter().zip(self.pack(scalar, "value")) {
                    body.push_str(&format!("    {place} = {word};\n"));
                }
            }
        }
        body
    }

    fn keeps_constants_apart(&self) -> bool {
        self.options.constants_apart && self.flat.reads_what_it_writes()
    }

    /// The body of an accessor of any word of a table in several segments: the accessor of the word's segment.
    fn choose_segment(&mut self, of: &Accessor, segments: &[(String, u32)]) -> Result<String, LoweringError> {
        let Accessor { direction, binding, part, .. } = *of;
        let mut body = String::new();
        // Of a ragged table some segments have columns of the rows, the others such of the pool.
        let before = if self.is_ragged(binding) { self.layout(binding)?.columns_before_pool() } else { u32::MAX };
        let of_part = |(_, (_, start)): &(usize, &(String, u32))| (*start >= before) == (part == Storage::Pool);
        let segments: Vec<(usize, u32)> =
            segments.iter().enumerate().filter(of_part).map(|(k, (_, start))| (k, *start)).collect();
        for (at, (k, start)) in segments.iter().enumerate() {
            let function = accessors::accessor(self, direction, (binding, part), Some(*k), &of.ty)?;
            let word = if *start == 0 { "word".to_owned() } else { format!("word - {start}u") };
            let call = match direction {
                Direction::Load => format!("return {function}({word}, row);"),
                Direction::Store => format!("{function}({word}, row, value);"),
            };
            let after = if direction == Direction::Store && at + 1 < segments.len() { " return;" } else { "" };
            match segments.get(at + 1) {
                Some((_, next)) => body.push_str(&format!("    if (word < {next}u) {{ {call}{after} }}\n")),
                None => body.push_str(&format!("    {call}\n")),
            }
        }
        Ok(body)
    }

    /// The body of an accessor of a packed lane of a table in several segments: the accessor of the place's segment.
    /// Each segment has whole lanes; a pool is in one.
    fn choose_lanes(&mut self, of: &Accessor, segments: &[(String, u32)]) -> Result<String, LoweringError> {
        let Accessor { direction, binding, part, .. } = *of;
        let layout = self.layout(binding)?;
        let (fixed, lane) = (layout.fixed_words, layout.lane_words.max(1));
        let pool = self.is_ragged(binding).then(|| layout.columns_before_pool());
        let mut body = String::new();
        let of_lanes = |(k, (_, start)): (usize, &(String, u32))| match pool {
            Some(before) => (*start == before).then_some((k, 0)),
            None => Some((k, start.saturating_sub(fixed) / lane)),
        };
        let starts: Vec<(usize, u32)> = segments.iter().enumerate().filter_map(of_lanes).collect();
        let stride = self.stride(binding);
        for (k, first) in starts.into_iter().rev() {
            let function = accessors::accessor(self, direction, (binding, part), Some(k), &of.ty)?;
            let row = if first == 0 { "row".to_owned() } else { format!("row - {first}u * {stride}") };
            let call = match direction {
                Direction::Load => format!("return {function}(word, {row});"),
                Direction::Store => format!("{function}(word, {row}, value);"),
            };
            let after = if direction == Direction::Store { " return;" } else { "" };
            if first == 0 {
                // Going down, this is the segment of lane 0: one before it would have no lanes.
                return Ok(format!("{body}    {call}\n"));
            }
            body.push_str(&format!("    if (row >= {first}u * {stride}) {{ {call}{after} }}\n"));
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
}
