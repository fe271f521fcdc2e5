//! Which rows the workgroups and invocations of an entry point have.

use super::words::Entry;
use crate::walk::code::{Code, Level};
use crate::walk::writer::Writer;
use imminent_ir::launch::{EXTENT_WORD, ROWS_PER_GROUP};
use imminent_ir::{Scalar, Type};

const SHIFT: u32 = ROWS_PER_GROUP.trailing_zeros();

/// Kind of elements that make up the groups of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// Rows.
    Rows,
    /// Results of the level below.
    Results,
}

/// Declares `rows`, `group`, `first` and `present`: how many rows this group has, 0 for a group past the last one or
/// when it is not the launch's turn. Groups are counted before their number is multiplied, so that nothing wraps.
///
/// Over a subset it opens a loop, which [`close_groups`](super::tree::close_groups) closes: few workgroups are
/// launched, and each goes from group to group as far as the list reaches, which only the device knows. Where a barrier
/// inside needs a loop that is uniform, the count is read-only, and the turn is loaded for the whole workgroup.
pub(super) fn open_groups<'a, L: Entry<'a>>(low: &mut L, out: &mut Writer, of: Elements) {
    let (groups, turn, invocation) = (all_groups::<L>(), low.in_turn(), low.invocation());
    let first = L::named(Scalar::U32, "first", &format!("group << {SHIFT}u"));
    let present = L::least("rows - first", &format!("{ROWS_PER_GROUP}u")).text;
    let name_invocation = |out: &mut Writer| {
        if invocation != "invocation" {
            out.line(&L::named(Scalar::U32, "invocation", invocation));
        }
    };
    if low.runs_subset() {
        low.await_turn(out);
        rows(low, out, of);
        name_invocation(out);
        let groups = if L::RETURNS {
            groups
        } else {
            let (turn, groups) = (Code::atom(turn), Code::at(Level::Sum, groups));
            low.select(&Type::Scalar(Scalar::U32), turn, groups, Code::constant("0u")).text
        };
        out.line(&L::named(Scalar::U32, "groups", &groups));
        let (own, value) = low.first_group();
        if own != value {
            out.line(&L::named(Scalar::U32, own, value));
        }
        let step = format!("group += {}", low.workgroups());
        out.open(&L::counting("group", own, "group < groups", &step));
        out.line(&first);
        out.line(&L::named(Scalar::U32, "present", &present));
        return;
    }
    rows(low, out, of);
    out.line(&L::named(Scalar::U32, "group", low.group()));
    name_invocation(out);
    out.line(&first);
    out.line(&L::variable("present", "0u"));
    out.open(&format!("if (group < {groups} && {turn}) {{"));
    out.line(&format!("present = {present};"));
    out.close("}");
}

/// The number of groups that `rows` make.
fn all_groups<'a, L: Entry<'a>>() -> String {
    let rest = L::word_of(&format!("(rows & {}u) != 0u", ROWS_PER_GROUP - 1));
    format!("(rows >> {SHIFT}u) + {rest}")
}

/// Declares `rows`: how many elements there are.
fn rows<'a, L: Entry<'a>>(low: &L, out: &mut Writer, of: Elements) {
    let most = low.launch_word(0);
    if !low.runs_subset() {
        out.line(&L::named(Scalar::U32, "rows", &most));
        return;
    }
    let listed = L::least(&low.listed_count(), &most).text;
    if of == Elements::Rows {
        out.line(&L::named(Scalar::U32, "rows", &listed));
        return;
    }
    out.line(&L::variable("rows", &listed));
    let levels = format!("level < {}", low.launch_word(EXTENT_WORD));
    out.open(&L::counting("level", "0u", &levels, &L::next("level")));
    out.line(&format!("rows = {};", all_groups::<L>()));
    out.close("}");
}

/// Opens the block in which an invocation handles those elements `item` of its group for which a condition holds.
pub(super) fn open_items<'a, L: Entry<'a>>(low: &L, out: &mut Writer, condition: &str) {
    let size = low.workgroup_size;
    if size == ROWS_PER_GROUP {
        out.line(&L::named(Scalar::U32, "item", "invocation"));
        out.open(&format!("if ({condition}) {{"));
    } else {
        out.open(&L::counting("item", "invocation", condition, &format!("item += {size}u")));
    }
}
