//! Places of scalars in tables and parameter blocks.

use super::options::Dialect;
use super::state::Lowering;
use crate::LoweringError;
use crate::walk::{Access, Accessor, Accessors, Direction, Memory, Signature, Storage, Types, WordCode, accessors};
use imminent_ir::{Scalar, Type};

impl Memory for Lowering<'_> {
    fn access(
        &mut self,
        direction: Direction,
        of: (u32, Storage),
        ty: &Type,
        word: WordCode,
        row: Option<&str>,
    ) -> Result<Access, LoweringError> {
        let function = accessors::accessor(self, direction, of, None, ty)?;
        Ok(Access { function, word: word.text, row: row.map(str::to_owned) })
    }

    /// A field of the context.
    fn header(&mut self, binding: u32, what: &str, word: u32) -> String {
        self.header_variable(binding, what, word)
    }

    fn repeat_helper(&mut self, ty: &Type) -> String {
        accessors::repeat(self, ty)
    }

    fn pack(&mut self, scalar: Scalar, value: &str) -> Vec<String> {
        let bits = match scalar {
            Scalar::Bool => return vec![format!("{value} ? 1u : 0u")],
            Scalar::U32 => return vec![value.to_owned()],
            Scalar::I32 => return vec![format!("(u32){value}")],
            Scalar::F32 => return vec![format!("{}({value})", self.helper("to_bits_f32"))],
            Scalar::U64 => value.to_owned(),
            Scalar::I64 => format!("(u64){value}"),
            Scalar::F64 => format!("{}({value})", self.helper("to_bits_f64")),
        };
        vec![format!("(u32){bits}"), format!("(u32)({bits} >> 32u)")]
    }

    fn unpack(&mut self, scalar: Scalar, words: &[String]) -> String {
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        let bits = match scalar.words() {
            1 => low.to_owned(),
            _ => format!("{}({low}, {high})", self.helper("join_u64")),
        };
        self.of_bits(scalar, bits)
    }
}

impl<'a> Accessors<'a> for Lowering<'a> {
    /// Words of tables are numbered in 64 bits: the words of a value then lie a stride behind one another, for all the
    /// compiler can tell, and it computes their addresses from one another.
    const WORD: &'static str = "u64";
    const SCOPED: bool = false;

    fn function(signature: &Signature<'_>) -> String {
        let context = signature.shares.then(|| "imminent_context *ctx".to_owned());
        let own = signature.params.iter().map(|(name, ty)| format!("{ty} {name}"));
        let params: Vec<String> = context.into_iter().chain(own).collect();
        format!("DEVICE {} {}({}) {{", signature.result.unwrap_or("void"), signature.name, params.join(", "))
    }

    fn unset(name: &str, ty: &str) -> String {
        format!("{ty} {name};")
    }

    fn mangled(&mut self, ty: &Type) -> String {
        self.type_name(ty)
    }

    fn buffer_name(&self, binding: u32, _: Option<usize>) -> String {
        self.binding_names.get(binding as usize).cloned().unwrap_or_default()
    }

    /// Words of a parameter block are next to each other in the launch block, which is aligned for one word.
    fn param_body(&mut self, scalar: Scalar, offset: u32) -> String {
        let words: Vec<String> =
            (0..scalar.words()).map(|k| format!("ctx->launch->w[{}u + word]", offset.saturating_add(k))).collect();
        format!("    return {};\n", self.unpack(scalar, &words))
    }

    fn scalar_body(&mut self, of: &Accessor, scalar: Scalar) -> Result<String, LoweringError> {
        let Accessor { direction, binding, part, .. } = *of;
        let base = self.buffer_name(binding, None);
        let index = self.index(binding, part, scalar)?;
        // A scalar of two words may begin at an odd word of a packed row, which is not aligned for it.
        if scalar.words() == 2 && matches!(part, Storage::Row | Storage::Lane) {
            return Ok(self.packed_body(of, scalar, &base, &index));
        }
        if direction == Direction::Load && self.is_kept_apart(binding) {
            let bits = match scalar.words() {
                1 => format!("ctx->{base}[{index}]"),
                _ => format!("*(GLOBAL const u64 *)(ctx->{base} + ({index}))"),
            };
            let bits = self.apart(&bits, scalar.words());
            return Ok(format!("    return {};\n", self.of_bits(scalar, bits)));
        }
        let constant = if direction == Direction::Load { "const " } else { "" };
        let place = match scalar {
            Scalar::Bool | Scalar::U32 => format!("ctx->{base}[{index}]"),
            Scalar::I32 | Scalar::F32 => format!("((GLOBAL {constant}{scalar} *)ctx->{base})[{index}]"),
            Scalar::U64 | Scalar::I64 | Scalar::F64 => {
                format!("*(GLOBAL {constant}{scalar} *)(ctx->{base} + ({index}))")
            }
        };
        Ok(match (direction, scalar) {
            (Direction::Load, Scalar::Bool) => format!("    return {place} != 0u;\n"),
            (Direction::Load, _) => format!("    return {place};\n"),
            (Direction::Store, Scalar::Bool) => format!("    {place} = value ? 1u : 0u;\n"),
            (Direction::Store, _) => format!("    {place} = value;\n"),
        })
    }

    fn return_struct(name: &str, fields: &[(&str, String)]) -> String {
        let loads: String = fields.iter().map(|(field, load)| format!("    value.{field} = {load};\n")).collect();
        format!("    {name} value;\n{loads}    return value;\n")
    }
}

impl Lowering<'_> {
    /// A scalar of its bits.
    fn of_bits(&mut self, scalar: Scalar, bits: String) -> String {
        match scalar {
            Scalar::Bool => format!("{bits} != 0u"),
            Scalar::U32 | Scalar::U64 => bits,
            Scalar::I32 | Scalar::I64 => format!("({scalar}){bits}"),
            Scalar::F32 | Scalar::F64 => format!("{}({bits})", self.helper(&format!("from_bits_{scalar}"))),
        }
    }

    /// `true` for a table that is not written in a kernel that [reads what it
    /// writes](imminent_ir::flatten::FlatKernel::reads_what_it_writes).
    fn is_kept_apart(&self, binding: u32) -> bool {
        self.options.dialect == Dialect::Cuda
            && self.flat.bindings.get(binding as usize).is_some_and(|bound| bound.access.written.is_empty())
            && self.flat.reads_what_it_writes()
    }

    /// A load of the bits of one or two words. Those that pass through a function cannot be merged with others.
    fn apart(&mut self, bits: &str, words: u32) -> String {
        format!("{}({bits})", self.helper(if words == 1 { "opaque_u32" } else { "opaque_u64" }))
    }

    /// The first word of a scalar in a table's buffer, from its word `word` and row `row`.
    fn index(&mut self, binding: u32, part: Storage, scalar: Scalar) -> Result<String, LoweringError> {
        let stride = self.stride(binding);
        let layout = self.layout(binding)?;
        let (fixed, lane) = (layout.fixed_words, layout.lane_words);
        let row = if scalar.words() == 1 { "row" } else { "(u64)row * 2u" };
        Ok(match part {
            Storage::Columns => format!("word * ctx->{stride} + {row}"),
            Storage::Pool => {
                let (before, pool) = (layout.columns_before_pool(), self.pool_stride(binding));
                format!("(u64){before}u * ctx->{stride} + (word - {fixed}u) * ctx->{pool} + {row}")
            }
            Storage::Row => format!("(u64)row * {fixed}u + word"),
            Storage::Lane => {
                let before = if self.is_ragged(binding) { layout.columns_before_pool() } else { fixed };
                format!("(u64){before}u * ctx->{stride} + (u64)row * {lane}u + (word - {fixed}u)")
            }
        })
    }

    /// Accesses a scalar of two words in a packed row: at once if its word is even, otherwise word by word. Where the
    /// function is inlined the compiler knows which, for a row with such a scalar has an even number of words.
    fn packed_body(&mut self, of: &Accessor, scalar: Scalar, base: &str, index: &str) -> String {
        let direction = of.direction;
        let place = format!(
            "*(GLOBAL {}{scalar} *)(ctx->{base} + at)",
            if direction == Direction::Load { "const " } else { "" }
        );
        let words = [format!("ctx->{base}[at]"), format!("ctx->{base}[at + 1u]")];
        let (whole, apart) = match direction {
            Direction::Load if self.is_kept_apart(of.binding) => {
                let whole = self.apart(&format!("*(GLOBAL const u64 *)(ctx->{base} + at)"), 2);
                let words = words.map(|word| self.apart(&word, 1));
                let value = self.unpack(scalar, &words);
                (format!("return {};", self.of_bits(scalar, whole)), format!("    return {value};\n"))
            }
            Direction::Load => (format!("return {place};"), format!("    return {};\n", self.unpack(scalar, &words))),
            Direction::Store => {
                let values = self.pack(scalar, "value");
                let stores = words.iter().zip(&values).map(|(word, value)| format!("    {word} = {value};\n"));
                (format!("{place} = value; return;"), stores.collect())
            }
        };
        format!("    const u64 at = {index};\n    if ((at & 1u) == 0u) {{ {whole} }}\n{apart}")
    }
}
