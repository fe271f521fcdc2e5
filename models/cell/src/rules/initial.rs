//! Initial values of cells, from a rule file and the files that it names.

use super::error::{Built, Notice, Problem, Span};
use super::lines::{lines, part, words};
use super::parse::{self, Names};
use super::sections::{Entry, Section};
use super::single;
use super::source::{Load, Sources, text_of};
use crate::space::CellSpace;

/// Reads a value; NaN if it is undefined.
pub(super) fn value(sources: &Sources, span: &Span) -> Built<f64> {
    let text = text_of(sources, span);
    if text == "?" {
        return Ok(f64::NAN);
    }
    let number = text.parse().map(single);
    number.map_err(|_| Problem::new(span.clone(), "a value has to be a number or `?`", "no number"))
}

/// Reads the initial values of all cells; NaN where undefined.
pub(super) fn initial(
    sources: &mut Sources,
    section: &Section,
    space: &CellSpace,
    names: &Names<'_>,
    load: Load<'_>,
    notices: &mut Vec<Notice>,
) -> Built<Vec<f64>> {
    let default = section.first("initialvalue").map_or(Ok(0.0), |entry| value(sources, &entry.value))?;
    let mut values = vec![default; space.cells()];
    for entry in section.all("initialrow").chain(section.all("initialrowvalue")) {
        row(sources, entry, space, &mut values)?;
    }
    for key in ["initialcellsvalue", "initialmapvalue"] {
        let Some(entry) = section.first(key) else { continue };
        let file = sources.named(&entry.value, load, notices)?;
        if key == "initialcellsvalue" {
            single_values(sources, &file, space, names, &mut values, notices)?;
        } else {
            map(sources, &file, &mut values, notices)?;
        }
    }
    Ok(values)
}

/// `initialrowvalue : 4 0100?1`: a digit or `?` for each cell of a row; `initialrow : 4 0 1 0.5 ? 2 1`: a value.
fn row(sources: &Sources, entry: &Entry, space: &CellSpace, values: &mut [f64]) -> Built<()> {
    let (text, key) = (text_of(sources, &entry.value), &entry.key);
    let whole = key == "initialrow";
    let what = if whole { "values" } else { "digits" };
    let wrong =
        |message: String| Problem::new(entry.value.clone(), message, format!("expected a row's number and its {what}"));
    let &[height, width] = space.dimensions() else {
        return Err(wrong(format!("`{key}` is for spaces of two dimensions")));
    };
    let mut words = text.split_whitespace();
    let row = words.next().and_then(|word| word.parse::<u32>().ok()).filter(|&row| row < height);
    let row = row.ok_or_else(|| wrong(format!("there is no such row; rows are 0 to {}", height - 1)))?;
    let found: Option<Vec<f64>> = if whole {
        words.map(|word| if word == "?" { Some(f64::NAN) } else { word.parse().ok().map(single) }).collect()
    } else {
        let digit = |digit: char| if digit == '?' { Some(f64::NAN) } else { digit.to_digit(10).map(f64::from) };
        words.flat_map(str::chars).map(digit).collect()
    };
    let found = found.ok_or_else(|| wrong(format!("a row has {what} and `?` only")))?;
    if found.len() != width as usize {
        return Err(wrong(format!("a row has {width} {what}, not {}", found.len())));
    }
    let start = (row * width) as usize;
    values.iter_mut().skip(start).zip(found).for_each(|(value, found)| *value = found);
    Ok(())
}

/// A `.val` file: `(row,column) = value` on each line. As in CD++, lines without `=` are passed over.
fn single_values(
    sources: &Sources,
    file: &Span,
    space: &CellSpace,
    names: &Names<'_>,
    values: &mut [f64],
    notices: &mut Vec<Notice>,
) -> Built<()> {
    let (mut skipped, mut first) = (0, None);
    let (mut outside, mut first_outside) = (0, None);
    let (mut more, mut first_more) = (0, None);
    for line in lines(sources, file) {
        if !text_of(sources, &line).contains('=') {
            skipped += 1;
            first.get_or_insert(line);
            continue;
        }
        let wrong = || Problem::new(line.clone(), "a line gives no cell its value", "expected `(row,column) = value`");
        let text = text_of(sources, &line);
        let equals = text.find('=').ok_or_else(wrong)?;
        let left = part(sources, &line, 0, equals);
        let (position, _) = parse::positions(sources.text(), &left, names)?.pop().ok_or_else(wrong)?;
        let position: Vec<u32> = position.into_iter().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        let found = words(sources, &part(sources, &line, equals + 1, text.len()));
        let value = value(sources, found.first().ok_or_else(wrong)?)?;
        if let Some(word) = found.into_iter().nth(1) {
            more += 1;
            first_more.get_or_insert(word);
        }
        match space.cell(&position).and_then(|cell| values.get_mut(cell as usize)) {
            Some(to) => *to = value,
            None => {
                outside += 1;
                first_outside.get_or_insert(left);
            }
        }
    }
    notices.extend(first_more.map(|span| {
        let message =
            format!("words after the value of a line are passed over, as in CD++: {more}, of which this is the first");
        Notice { span, message }
    }));
    notices.extend(first_outside.map(|span| {
        let cells = space.dimensions();
        let message = format!(
            "values of cells outside the space of {cells:?} cells are passed over, as in CD++: {outside}, of which this \
             is the first"
        );
        Notice { span, message }
    }));
    notices.extend(first.map(|span| {
        let message = format!("{skipped} lines without `=`, of which this is the first, are passed over, as in CD++");
        Notice { span, message }
    }));
    Ok(())
}

/// A map file: the values of all cells, in their order. As in CD++, lines after them are passed over.
fn map(sources: &Sources, file: &Span, values: &mut [f64], notices: &mut Vec<Notice>) -> Built<()> {
    let found = lines(sources, file);
    if let Some(span) = found.get(values.len()) {
        let more = found.len() - values.len();
        let message = format!("{more} values more than the space has cells are passed over, as in CD++");
        notices.push(Notice { span: span.clone(), message });
    }
    if found.len() < values.len() {
        let message = format!("the map has {} values for {} cells", found.len(), values.len());
        return Err(Problem::new(file.start..file.start, message, "one value on each line"));
    }
    for (to, line) in values.iter_mut().zip(found) {
        *to = value(sources, &line)?;
    }
    Ok(())
}
