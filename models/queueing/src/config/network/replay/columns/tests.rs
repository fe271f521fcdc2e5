#![allow(clippy::unwrap_used)]

use super::super::super::behaviour_shape::ReplayShape;
use super::*;
use crate::network::Replay;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::path::Path;
use std::sync::Arc;

/// A table of four calls: times, languages, numbers of callers, and lengths of which one is left out.
fn calls() -> Vec<u8> {
    let schema = "message calls {
        required double time;
        required binary language (UTF8);
        required int32 callers;
        optional double talk;
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let mut contents = vec![];
    let mut writer = SerializedFileWriter::new(&mut contents, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[0.25, 1.0, 1.5, 8.0], None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let names = ["east", "west", "east", "east"].map(ByteArray::from);
    column.typed::<ByteArrayType>().write_batch(&names, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int32Type>().write_batch(&[1, 2, 1, 3], None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[4.5, 0.1, 2.0], Some(&[1, 0, 1, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    contents
}

/// Reads contents as the table of a source.
fn read(name: &str, contents: Vec<u8>) -> Result<Replay, ReplayFileError> {
    imminent_common::input::give(Path::new(name), contents);
    let text = |text: &str| Some(text.to_owned());
    let shape = ReplayShape {
        file: name.into(),
        time: None,
        class: text("language"),
        number: text("callers"),
        services: [("desk".to_owned(), "talk".to_owned())].into(),
    };
    shape.read(0, &|class| ["east", "west"].iter().position(|known| *known == class).map(|class| class as u32))
}

#[test]
fn a_parquet_file_is_the_table_of_a_csv_file() {
    let csv = "time,language,callers,talk\n0.25,east,1,4.5\n1,west,2,\n1.5,east,1,0.1\n8,east,3,2\n";
    let expected = read("calls.csv", csv.into()).unwrap();
    assert_eq!(expected.services, [Some(4.5), None, Some(0.1), Some(2.0)]);
    assert_eq!(read("calls.parquet", calls()).unwrap(), expected);
}

#[test]
fn mistakes_name_row_and_column() {
    let contents = calls();
    imminent_common::input::give(Path::new("wrong.parquet"), contents);
    let shape = ReplayShape {
        file: "wrong.parquet".into(),
        time: Some("language".to_owned()),
        class: None,
        number: None,
        services: [].into(),
    };
    let error = shape.read(0, &|_| None).unwrap_err().to_string();
    assert!(error.starts_with("wrong.parquet, row 1, column 'language': no time"), "{error}");
    let error = ReplayShape { time: None, class: Some("language".to_owned()), ..shape.clone() };
    let error = error.read(0, &|name| (name == "east").then_some(0)).unwrap_err().to_string();
    assert!(error.starts_with("wrong.parquet, row 2, column 'language': no class of the network"), "{error}");
    let error = ReplayShape { time: Some("at".to_owned()), ..shape }.read(0, &|_| None).unwrap_err().to_string();
    assert_eq!(error, "wrong.parquet: none of the 4 headings is 'at': name one of them");
}

/// Files that end too early or have a wrong byte are tables or errors, whatever the reader does.
#[test]
fn damaged_files_are_errors() {
    let whole = calls();
    for length in 4..whole.len() {
        let error = read("short.parquet", whole[..length].to_vec()).unwrap_err();
        assert_eq!(error, ReplayFileError::Damaged { file: "short.parquet".to_owned() }, "{length}");
    }
    let (mut tables, mut errors) = (0, 0);
    for place in 4..whole.len() {
        for flip in [0x01, 0x10, 0x80, 0xff] {
            let mut contents = whole.clone();
            contents[place] ^= flip;
            match read("flipped.parquet", contents) {
                Ok(_) => tables += 1,
                Err(_) => errors += 1,
            }
        }
    }
    assert!(tables > 0 && errors > 100, "{tables} {errors}");
}
