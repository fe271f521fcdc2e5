//! Data of launches as Rust: rows that a person can paste into a test.

use super::given::{ArgumentData, Launched, Room};
use imminent_core::ir::interpret::{Field as Content, RowTree};
use imminent_core::ir::{FieldType, Module, StructId, Type, Value};

/// Returns a launch as statements of Rust, with the kernel named by its path.
pub(crate) fn launch(launched: &Launched, path: &str) -> String {
    let Some((_, function)) = launched.entry() else { return String::new() };
    let module = &launched.module;
    let (mut text, mut args) = (String::new(), Vec::new());
    for (param, given) in function.params.iter().zip(&launched.given) {
        let name = param.name.replace('.', "_");
        let mut say = |line: String| text += &(line + "\n");
        match given {
            ArgumentData::Table { of, rows, mutable, room } => {
                if matches!(room, Room::Own(own) if own.iter().any(|lanes| *lanes != own[0])) {
                    say("// Each row has room of its own: make the table ragged.".to_owned());
                }
                if launched.width > 0 {
                    say(format!("// The table is a grid, {} columns wide.", launched.width));
                }
                let rows: Vec<String> = rows.iter().map(|given| row(module, *of, given)).collect();
                let (mark, borrow) = if *mutable { ("mut ", "&mut ") } else { ("", "&") };
                say(format!("let {mark}{name} = Table::from_rows(&device, &[{}])?;", rows.join(", ")));
                args.push(format!("{borrow}{name}"));
            }
            ArgumentData::Params { of, value: block } => {
                say(format!("let {name} = {};", value(module, Some(&Type::Struct(*of)), block)));
                args.push(format!("&{name}"));
            }
            ArgumentData::Tally { scalar, slots } => {
                let (ty, slots) = (format!("{scalar:?}").to_lowercase(), list(module, None, slots));
                say(format!("let {name} = TallyTable::<{ty}>::new(&device, &{slots})?;"));
                args.push(format!("&{name}"));
            }
            ArgumentData::Nothing => {}
        }
    }
    if let Some(rows) = &launched.subset {
        text += &format!("// The launch is over a selection, of rows {rows:?}.\n");
    }
    let comma = if args.len() == 1 { "," } else { "" };
    text + &format!("device.queue().launch::<{path}>(({}{comma}))?;\n", args.join(", "))
}

/// Returns a row as an expression.
fn row(module: &Module, of: StructId, row: &RowTree) -> String {
    let Some(def) = module.structs.get(of.index()) else { return String::new() };
    let fields = def.fields.iter().zip(&row.fields);
    let fields = fields.map(|(def, content)| format!("{}: {}", def.name, field(module, &def.ty, content)));
    format!("{} {{ {} }}", def.name, fields.collect::<Vec<_>>().join(", "))
}

/// Returns the content of a field as an expression.
pub(crate) fn field(module: &Module, ty: &FieldType, content: &Content) -> String {
    match (ty, content) {
        (FieldType::Lanes(ty), Content::Lanes(lanes)) => format!("Lanes::from(vec!{})", list(module, Some(ty), lanes)),
        (FieldType::Value(ty), Content::Value(of)) => value(module, Some(ty), of),
        (_, other) => format!("{other:?}"),
    }
}

/// Returns values as an array.
pub(crate) fn list(module: &Module, ty: Option<&Type>, values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(|of| value(module, ty, of)).collect();
    match texts.as_slice() {
        [first, _, _, _, ..] if texts.iter().all(|text| text == first) => format!("[{first}; {}]", texts.len()),
        _ => format!("[{}]", texts.join(", ")),
    }
}

fn value(module: &Module, ty: Option<&Type>, of: &Value) -> String {
    match (of, ty) {
        (Value::Bool(of), _) => of.to_string(),
        (Value::U32(of), _) => of.to_string(),
        (Value::I32(of), _) => of.to_string(),
        (Value::U64(of), _) => of.to_string(),
        (Value::I64(of), _) => of.to_string(),
        (Value::F32(bits), _) => float("f32", f32::from_bits(*bits).into(), format!("{:?}", f32::from_bits(*bits))),
        (Value::F64(bits), _) => float("f64", f64::from_bits(*bits), format!("{:?}", f64::from_bits(*bits))),
        (Value::Enum(number), Some(Type::Enum(id))) => {
            let def = module.enums.get(id.0 as usize);
            let variant = def.and_then(|def| def.variants.iter().find(|(_, discriminant)| discriminant == number));
            match (def, variant) {
                (Some(def), Some((variant, _))) => format!("{}::{variant}", def.name),
                _ => number.to_string(),
            }
        }
        (Value::Struct(values), Some(Type::Struct(id))) => {
            let content = values.iter().cloned().map(Content::Value).collect();
            row(module, *id, &RowTree { fields: content })
        }
        (Value::Array(values), Some(Type::Array(element, _))) => list(module, Some(element), values),
        (other, _) => format!("{other:?}"),
    }
}

fn float(ty: &str, number: f64, text: String) -> String {
    match number {
        _ if number.is_nan() => format!("{ty}::NAN"),
        f64::INFINITY => format!("{ty}::INFINITY"),
        f64::NEG_INFINITY => format!("{ty}::NEG_INFINITY"),
        _ => text,
    }
}
