//! Functions that read and write tables and parameter blocks, one for each binding and type used.

use super::state::Lowering;
use crate::LoweringError;
use crate::phases;
use crate::walk::{Memory, Part, Types, Way, WordCode};
use imminent_ir::flatten::BindingKind;
use imminent_ir::{FieldType, Scalar, Type};

impl Memory for Lowering<'_> {
    fn access(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        ty: &Type,
        word: WordCode,
        row: Option<&str>,
    ) -> Result<(String, String), LoweringError> {
        let function = self.accessor(way, binding, part, ty)?;
        let args = match row {
            Some(row) => format!("ctx, {}, {row}", word.text),
            None => format!("ctx, {}", word.text),
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
        if let Some(name) = self.repeats.get(ty) {
            return name.clone();
        }
        let (element, count) = match ty {
            Type::Array(element, count) => (self.type_name(element), *count),
            _ => (String::new(), 0),
        };
        let c_type = self.type_name(ty);
        let name = self.names.global(&format!("repeat_{c_type}"));
        self.accessors.push(format!(
            "DEVICE {c_type} {name}({element} value) {{\n    {c_type} result;\n    for (u32 k = 0u; k < {count}u; ++k) \
             {{\n        result.at[k] = value;\n    }}\n    return result;\n}}"
        ));
        self.repeats.insert(ty.clone(), name.clone());
        name
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
}

impl Lowering<'_> {
    fn accessor(&mut self, way: Way, binding: u32, part: Part, ty: &Type) -> Result<String, LoweringError> {
        let ty = if matches!(ty, Type::Enum(_)) { Type::Scalar(Scalar::U32) } else { ty.clone() };
        let key = (binding, way, part, ty.clone());
        if let Some(name) = self.accessor_names.get(&key) {
            return Ok(name.clone());
        }
        let index = binding as usize;
        let (Some(bound), Some(base)) = (self.flat.bindings.get(index), self.binding_names.get(index).cloned()) else {
            return Err(self.ill("a binding out of range"));
        };
        let is_params = matches!(bound.kind, BindingKind::Params { .. });
        let verb = if way == Way::Load { "load" } else { "store" };
        let c_type = self.type_name(&ty);
        let of = if part == Part::Pool { "pool_" } else { "" };
        let name = self.names.global(&format!("{verb}_{base}_{of}{c_type}"));
        self.accessor_names.insert(key, name.clone());
        // Words of tables are numbered in 64 bits: the words of a value then lie a stride behind one another, for all
        // the compiler can tell, and it computes their addresses from one another.
        let (params, row) = if is_params { ("u32 word", "") } else { ("u64 word, u32 row", ", row") };
        let signature = match way {
            Way::Load => format!("DEVICE {c_type} {name}(imminent_context *ctx, {params}) {{\n"),
            Way::Store => format!("DEVICE void {name}(imminent_context *ctx, {params}, {c_type} value) {{\n"),
        };
        let body = match &ty {
            Type::Scalar(scalar) if is_params => self.param_body(binding, *scalar),
            Type::Scalar(scalar) if way == Way::Load && phases::is_read_for_all(self.flat, binding) => {
                self.group_row_body(binding, *scalar, &base)
            }
            Type::Scalar(scalar) => self.scalar_body(way, (binding, part), *scalar, &base)?,
            _ => self.composite_body(way, (binding, part), &ty, row)?,
        };
        self.accessors.push(format!("{signature}{body}}}"));
        Ok(name)
    }

    /// Words of a parameter block are next to each other in the launch block, which is aligned for one word.
    fn param_body(&mut self, binding: u32, scalar: Scalar) -> String {
        let offset = self.launch.params.iter().find(|p| p.binding == binding).map_or(0, |p| p.offset);
        let words: Vec<String> =
            (0..scalar.words()).map(|k| format!("ctx->launch->w[{}u + word]", offset.saturating_add(k))).collect();
        let value = self.unpack(scalar, &words);
        format!("    return {value};\n")
    }

    fn scalar_body(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        scalar: Scalar,
        base: &str,
    ) -> Result<String, LoweringError> {
        let stride = self.stride(binding);
        let row = if scalar.words() == 1 { "row" } else { "(u64)row * 2u" };
        let index = match part {
            Part::Columns => format!("word * ctx->{stride} + {row}"),
            Part::Pool => {
                let layout = self.layout(binding)?;
                let (before, fixed) = (layout.columns_before_pool(), layout.fixed_words);
                let pool = self.pool_stride(binding);
                format!("(u64){before}u * ctx->{stride} + (word - {fixed}u) * ctx->{pool} + {row}")
            }
        };
        let constant = if way == Way::Load { "const " } else { "" };
        let place = match scalar {
            Scalar::Bool | Scalar::U32 => format!("ctx->{base}[{index}]"),
            Scalar::I32 | Scalar::F32 => format!("((GLOBAL {constant}{scalar} *)ctx->{base})[{index}]"),
            Scalar::U64 | Scalar::I64 | Scalar::F64 => {
                format!("*(GLOBAL {constant}{scalar} *)(ctx->{base} + ({index}))")
            }
        };
        Ok(match (way, scalar) {
            (Way::Load, Scalar::Bool) => format!("    return {place} != 0u;\n"),
            (Way::Load, _) => format!("    return {place};\n"),
            (Way::Store, Scalar::Bool) => format!("    {place} = value ? 1u : 0u;\n"),
            (Way::Store, _) => format!("    {place} = value;\n"),
        })
    }

    /// The first invocation reads a group's own row, and hands what it read to the others.
    fn group_row_body(&mut self, binding: u32, scalar: Scalar, base: &str) -> String {
        let stride = self.stride(binding);
        let dialect = self.options.dialect;
        let words = scalar.words();
        let row = if words == 1 { "row".to_owned() } else { format!("(u64)row * {words}u") };
        let reads: String = (0..words)
            .map(|k| format!("        ctx->group_slot[{k}] = ctx->{base}[word * ctx->{stride} + {row} + {k}u];\n"))
            .collect();
        let taken: String = (0..words).map(|k| format!("    const u32 word_{k} = ctx->group_slot[{k}];\n")).collect();
        let names: Vec<String> = (0..words).map(|k| format!("word_{k}")).collect();
        let value = self.unpack(scalar, &names);
        // The second barrier keeps the words until all have them.
        format!(
            "    if (ctx->lane == 0u) {{\n{reads}    }}\n    {0}\n{taken}    {0}\n    return {value};\n",
            dialect.barrier()
        )
    }

    fn composite_body(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        ty: &Type,
        row: &str,
    ) -> Result<String, LoweringError> {
        match ty {
            Type::Array(element, count) => {
                let function = self.accessor(way, binding, part, element)?;
                let words = self.flat.words(element);
                let c_type = self.type_name(ty);
                Ok(match way {
                    Way::Load => format!(
                        "    {c_type} value;\n    for (u32 k = 0u; k < {count}u; ++k) {{\n        \
                         value.at[k] = {function}(ctx, word + k * {words}u{row});\n    }}\n    return value;\n"
                    ),
                    Way::Store => format!(
                        "    for (u32 k = 0u; k < {count}u; ++k) {{\n        \
                         {function}(ctx, word + k * {words}u{row}, value.at[k]);\n    }}\n"
                    ),
                })
            }
            Type::Struct(id) => {
                let flat = self.flat;
                let Some(def) = flat.structs.get(id.index()) else {
                    return Err(self.ill("a struct out of range"));
                };
                let (name, fields) = self.structs.get(id.index()).cloned().unwrap_or_default();
                let mut loads = String::new();
                let mut stores = String::new();
                for (number, (field, field_name)) in (0..).zip(def.fields.iter().zip(&fields)) {
                    let FieldType::Value(ty) = &field.ty else { return Err(self.ill("lanes inside a value")) };
                    let function = self.accessor(way, binding, part, ty)?;
                    let word = match flat.field_word(*id, number) {
                        0 => "word".to_owned(),
                        w => format!("word + {w}u"),
                    };
                    loads.push_str(&format!("    value.{field_name} = {function}(ctx, {word}{row});\n"));
                    stores.push_str(&format!("    {function}(ctx, {word}{row}, value.{field_name});\n"));
                }
                Ok(match way {
                    Way::Load => format!("    {name} value;\n{loads}    return value;\n"),
                    Way::Store => stores,
                })
            }
            _ => Err(self.ill("a value without a size")),
        }
    }

    /// A scalar from words.
    pub(super) fn unpack(&mut self, scalar: Scalar, words: &[String]) -> String {
        let (low, high) = (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str));
        if scalar.words() == 2 {
            let join = self.helper("join_u64");
            let bits = format!("{join}({low}, {high})");
            return match scalar {
                Scalar::I64 => format!("(i64){bits}"),
                Scalar::F64 => format!("{}({bits})", self.helper("from_bits_f64")),
                _ => bits,
            };
        }
        match scalar {
            Scalar::Bool => format!("{low} != 0u"),
            Scalar::I32 => format!("(i32){low}"),
            Scalar::F32 => format!("{}({low})", self.helper("from_bits_f32")),
            _ => low.to_owned(),
        }
    }
}
