//! The entry point of a grouped kernel: the group's rows, its memory, and what its first invocation does for all.

use super::faults;
use super::rows::{call_entry, returned};
use super::slots::slots;
use super::tree;
use super::words::{Entry, Interface};
use crate::LoweringError;
use crate::walk::code::Level;
use crate::walk::keeping::keeping;
use crate::walk::writer::Writer;
use imminent_ir::launch::EXTENT_WORD;
use imminent_ir::{Reductions, Scalar, Shape};

/// Writes the entry point.
pub(crate) fn write<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer) -> Result<Option<Reductions>, LoweringError> {
    let flat = low.flat;
    let Some(body) = flat.entry() else { return Err(low.ill("there is no function")) };
    let results = flat.results();
    let (loads, stores) = keeping(low, L::OWN, L::PASSED, "group")?;
    low.open_entry(out, Interface::Kernel { reduces: results.is_some() });
    low.declare_group(out);
    out.line(&L::named(Scalar::U32, "rows", &low.launch_word(0)));
    out.line(&L::named(Scalar::U32, "group", low.group()));
    groups(low, out);
    low.enter_group(out);
    let is_block = low.enter_again(out);
    place(low, out);
    loads.iter().for_each(|line| out.line(line));
    if is_block {
        out.close("}");
    }
    low.prepare_group(out)?;
    let mut args = vec!["group"];
    args.extend(low.asked(flat.functions.len() - 1).iter().map(|query| match *query {
        "group_index" => "group",
        _ => "present",
    }));
    let call = call_entry(low, &args);
    match &results {
        Some(of) => {
            let values = returned(low, out, of, &body.result, call);
            for (slot, value) in slots(of).iter().zip(values) {
                out.line(&L::named(slot.reduction.scalar, &slot.value, &value));
            }
            low.enter_again(out);
            out.open(&format!("if ({}lane == 0u) {{", L::OWN));
            tree::write_values(low, out, of, "partials");
            out.close("}");
        }
        None => {
            out.line(&format!("{call};"));
            low.enter_again(out);
        }
    }
    if !stores.is_empty() {
        out.open(&format!("if ({}lane == 0u) {{", L::OWN));
        stores.iter().for_each(|line| out.line(line));
        out.close("}");
    }
    first_faults(low, out);
    if !L::RETURNS {
        out.close("}");
    }
    out.close("}");
    Ok(results)
}

/// Declares `groups`: how many there are.
fn groups<'a, L: Entry<'a>>(low: &L, out: &mut Writer) {
    let parts = |whole: &str, part: u32| match part {
        1 => whole.to_owned(),
        _ => format!("({whole} / {part}u + {})", L::word_of(&format!("{whole} % {part}u != 0u"))),
    };
    let mut named = |name: &str, value: &str| out.line(&L::named(Scalar::U32, name, value));
    match low.flat.shape {
        Shape::Tile(width, height) => {
            named("grid_width", &low.launch_word(EXTENT_WORD));
            named("grid_height", L::GRID_HEIGHT);
            named("tiles_across", &parts("grid_width", width));
            named("groups", &format!("tiles_across * {}", parts("grid_height", height)));
        }
        shape => named("groups", &parts("rows", shape.size())),
    }
}

/// Sets the invocation's place in the group, and whether there is a row for it; answers the queries about the group.
/// Where functions are passed answers, it declares `present`, the number of rows of the group.
fn place<'a, L: Entry<'a>>(low: &L, out: &mut Writer) {
    let own = L::OWN;
    let mut answers = Vec::new();
    match low.flat.shape {
        Shape::Tile(width, height) => {
            let within = |whole: &str, start: &str, most: u32| {
                L::least(&format!("{whole} - {start}"), &format!("{most}u")).within(Level::Product)
            };
            let [x, y] = L::PLACE;
            let mut named = |name: &str, value: &str| out.line(&L::named(Scalar::U32, name, value));
            named("tile_x", &format!("group % tiles_across * {width}u"));
            named("tile_y", &format!("group / tiles_across * {height}u"));
            let (across, down) = (within("grid_width", "tile_x", width), within("grid_height", "tile_y", height));
            let length = format!("{across} * {down}");
            if L::PASSES_ANSWERS {
                named("present", &length);
            }
            named(x, &format!("tile_x + {own}lane % {width}u"));
            named(y, &format!("tile_y + {own}lane / {width}u"));
            out.line(&format!("{own}lane_row = {y} * grid_width + {x};"));
            out.line(&format!("{own}lane_active = {}{x} < grid_width && {y} < grid_height;", low.placed()));
            answers.extend([("lane_x", x.to_owned()), ("lane_y", y.to_owned())]);
            answers.push(("group_len", if L::PASSES_ANSWERS { "present".to_owned() } else { length }));
        }
        shape => {
            let size = shape.size();
            out.line(&L::named(Scalar::U32, "first", &format!("group * {size}u")));
            out.line(&L::named(Scalar::U32, "present", &L::least("rows - first", &format!("{size}u")).text));
            out.line(&format!("{own}lane_row = first + {own}lane;"));
            out.line(&format!("{own}lane_active = {own}lane < present;"));
            answers.push(("group_len", "present".to_owned()));
        }
    }
    answers.push(("group_index", "group".to_owned()));
    for (query, answer) in answers {
        if low.queries.contains(query) {
            out.line(&format!("{own}{query} = {answer};"));
        }
    }
}

/// Reports the first fault of each row.
fn first_faults<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer) {
    if !low.flat.facts.faults {
        return;
    }
    let own = L::OWN;
    if low.phases.uniform_faults() {
        out.open(&format!("if ({own}lane != 0u) {{"));
        out.line(&format!("{own}fault = {own}lane_fault;"));
        out.close("}");
    }
    low.watch_loops(out);
    out.open(&format!("if ({own}lane_active && {own}fault != 0u) {{"));
    faults::report(low, out, &format!("{own}lane_row"));
    out.close("}");
}
