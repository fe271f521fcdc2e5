use super::*;
use crate::backend::Ragged;
use proptest::prelude::*;
use std::collections::HashSet;

fn layout() -> &'static Layout {
    imminent_testkit::layouts::row(&[Scalar::U32, Scalar::U64], &[Scalar::U64, Scalar::U32])
}

fn span(lane: Option<u32>, word: u32, scalar: Scalar, rows: Range<u32>) -> Span {
    Span::column(lane, word, scalar, rows)
}

#[test]
fn columns_lie_where_the_canonical_layout_says() {
    let table = Shape::Table { layout: layout(), rows: 64, capacity: 2 };
    assert_eq!(table.column_words(), 128);
    assert_eq!(table.words(), 128 * 9);
    assert_eq!(table.words_of(&span(None, 1, Scalar::U64, 3..5)).unwrap(), 128 + 6..128 + 10);
    assert_eq!(table.words_of(&span(Some(1), 2, Scalar::U32, 0..64)).unwrap(), 128 * 8..128 * 8 + 64);
    assert_eq!(Shape::Table { layout: layout(), rows: 63, capacity: 0 }.column_words(), 64);
    assert_eq!(Shape::Table { layout: layout(), rows: 0, capacity: 0 }.column_words(), 64);
}

#[test]
fn sizes_past_all_bounds_do_not_wrap_around() {
    let table = Shape::Table { layout: layout(), rows: u32::MAX - 64, capacity: u32::MAX };
    assert_eq!(table.bytes(), u64::MAX);
}

#[test]
fn spans_outside_are_refused() {
    let table = Shape::Table { layout: layout(), rows: 64, capacity: 2 };
    for outside in [
        span(None, 3, Scalar::U32, 0..1),
        span(None, 2, Scalar::U64, 0..1),
        span(Some(2), 0, Scalar::U64, 0..1),
        span(Some(0), 3, Scalar::U32, 0..1),
        span(None, 0, Scalar::U32, 0..65),
        span(None, u32::MAX, Scalar::U64, 0..1),
    ] {
        let text = table.words_of(&outside).unwrap_err().to_string();
        assert!(text.contains("no column") && text.contains("`Row`"), "{outside:?}: {text}");
    }
    let tally = Shape::Tally { scalar: Scalar::U64, slots: 3 };
    assert_eq!(tally.words_of(&span(None, 0, Scalar::U64, 1..3)).unwrap(), 2..6);
    assert!(tally.words_of(&span(None, 0, Scalar::U32, 1..3)).is_err());
    let result = Shape::Result { scalars: Scalars::new(&[Scalar::U64, Scalar::U32]) };
    assert_eq!(result.words_of(&span(None, 2, Scalar::U32, 0..1)).unwrap(), 2..3);
    assert!(result.words_of(&span(None, 2, Scalar::U64, 0..1)).is_err());
}

#[test]
fn copies_need_equal_shapes() {
    let table = |rows, capacity| Shape::Table { layout: layout(), rows, capacity };
    let tally = |slots| Shape::Tally { scalar: Scalar::U64, slots };
    let result = Shape::Result { scalars: Scalars::new(&[Scalar::U64]) };
    assert!(table(64, 2).check_copy(&table(64, 2)).is_ok() && tally(3).check_copy(&tally(3)).is_ok());
    for (from, to) in [
        (table(64, 2), table(65, 2)),
        (table(64, 2), table(64, 1)),
        (tally(3), tally(4)),
        (tally(1), result),
        (result, result),
    ] {
        let text = from.check_copy(&to).unwrap_err().to_string();
        assert!(text.contains(&to.name()) && text.contains(&from.name()), "{text}");
    }
}

#[test]
fn lanes_grow_and_do_not_shrink() {
    let table = Shape::Table { layout: layout(), rows: 64, capacity: 2 };
    assert_eq!(table.grown(3).unwrap().words(), 128 * 12);
    assert!(table.grown(2).is_ok() && table.grown(1).is_err());
    assert!(Shape::Tally { scalar: Scalar::U64, slots: 3 }.grown(1).is_err());
}

#[test]
fn values_and_lists_need_their_first_column() {
    let table = |rows| Shape::Table { layout: layout(), rows, capacity: 0 };
    assert!(table(1).takes_value(1) && !table(1).takes_value(2) && !table(2).takes_value(1));
    assert!(table(5).begins_with_u32(5) && !table(5).begins_with_u32(6));
    let result = Shape::Result { scalars: Scalars::new(&[Scalar::U64, Scalar::U32]) };
    assert!(result.takes_value(3) && !result.takes_value(2) && !result.begins_with_u32(1));
}

fn ragged(capacities: &[u32]) -> (Ragged, Shape) {
    let room = Ragged::new("table", capacities.iter().copied()).unwrap();
    let shape = Shape::Ragged { layout: layout(), rows: room.rows(), places: room.places() };
    (room, shape)
}

#[test]
fn a_pool_follows_the_rows_and_what_they_know_of_it() {
    let (_, shape) = ragged(&[3, 0, 70]);
    assert_eq!((shape.column_words(), shape.pool_words()), (64, 128));
    assert_eq!(shape.words(), 5 * 64 + 3 * 128);
    assert_eq!(shape.words_of(&span(None, 4, Scalar::U32, 0..3)).unwrap(), 4 * 64..4 * 64 + 3);
    assert_eq!(
        shape.words_of(&span(Some(0), 2, Scalar::U32, 3..73)).unwrap(),
        5 * 64 + 2 * 128 + 3..5 * 64 + 2 * 128 + 73
    );
    for outside in [
        span(None, 5, Scalar::U32, 0..3),
        span(None, 0, Scalar::U32, 0..4),
        span(Some(0), 0, Scalar::U64, 0..74),
        span(Some(0), 3, Scalar::U32, 0..1),
        span(Some(1), 0, Scalar::U64, 0..1),
    ] {
        assert!(shape.words_of(&outside).is_err(), "{outside:?}");
    }
    let (_, other) = ragged(&[3, 1, 69]);
    assert!(shape.check_copy(&other).is_ok() && shape.check_copy(&ragged(&[3, 0, 71]).1).is_err());
    assert!(shape.check_copy(&Shape::Table { layout: layout(), rows: 3, capacity: 1 }).is_err());
    assert!(shape.grown(9).is_err());
    let huge = Shape::Ragged { layout: layout(), rows: u32::MAX - 64, places: u32::MAX - 1024 };
    assert!(huge.words() > u64::from(u32::MAX) * 7);
}

proptest! {
    #[test]
    fn no_two_scalars_of_a_ragged_table_share_a_word(capacities in proptest::collection::vec(0_u32..7, 0..70)) {
        let (room, shape) = ragged(&capacities);
        let mut taken = HashSet::new();
        let mut take = |span: Span| {
            let words = shape.words_of(&span).unwrap();
            prop_assert!(words.end <= shape.words() && words.end - words.start == u64::from(span.scalar.words()));
            for word in words {
                prop_assert!(taken.insert(word), "word {} of {:?}", word, span);
            }
            Ok(())
        };
        for row in 0..room.rows() {
            for (word, scalar) in [(0, Scalar::U32), (1, Scalar::U64), (3, Scalar::U32), (4, Scalar::U32)] {
                take(span(None, word, scalar, row..row + 1))?;
            }
            for place in room.of(row) {
                take(span(Some(0), 0, Scalar::U64, place..place + 1))?;
                take(span(Some(0), 2, Scalar::U32, place..place + 1))?;
            }
        }
    }
}

fn packed_layout() -> &'static Layout {
    // Three fixed words and three of a lane, each rounded up to four.
    Box::leak(Box::new(Layout { packed: true, fixed_words: 4, lane_words: 4, ..layout().clone() }))
}

#[test]
fn packed_rows_lie_in_one_piece() {
    let table = Shape::Table { layout: packed_layout(), rows: 64, capacity: 2 };
    assert_eq!(table.words(), 128 * 12);
    assert_eq!(table.words_of(&Span::packed(None, 4, 3..5)).unwrap(), 12..20);
    assert_eq!(table.words_of(&Span::packed(Some(1), 4, 0..64)).unwrap(), 128 * 8..128 * 8 + 256);
    assert_eq!(table.words_of(&span(None, 1, Scalar::U64, 3..4)).unwrap(), 13..15);
    assert_eq!(table.words_of(&span(Some(0), 2, Scalar::U32, 5..6)).unwrap(), 512 + 22..512 + 23);
    for outside in [
        span(None, 1, Scalar::U64, 3..5),
        span(None, 3, Scalar::U64, 0..1),
        Span::packed(None, 8, 0..2),
        Span::packed(None, 4, 0..65),
        Span::packed(Some(2), 4, 0..1),
    ] {
        assert!(table.words_of(&outside).is_err(), "{outside:?}");
    }
    assert!(!table.begins_with_u32(1));
    let room = Ragged::new("table", [3, 0, 70]).unwrap();
    let ragged = Shape::Ragged { layout: packed_layout(), rows: 3, places: room.places() };
    assert_eq!(ragged.words_of(&span(None, 5, Scalar::U32, 0..3)).unwrap(), 5 * 64..5 * 64 + 3);
    assert_eq!(ragged.words_of(&Span::packed(Some(0), 4, 3..73)).unwrap(), 6 * 64 + 12..6 * 64 + 292);
}
