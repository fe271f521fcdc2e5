//! The report of the faults of rows.

use super::words::Entry;
use crate::walk::writer::Writer;

/// Reports the fault of a row, which there is, to the slots of the launch.
pub(super) fn report<'a, L: Entry<'a>>(low: &L, out: &mut Writer, row: &str) {
    let (first, least, own) = (low.launch_word(1), low.atomic_min(), L::OWN);
    out.line(&format!("{least}(&state[{first} + {own}fault - 1u], {row});"));
    if low.keeps_operands() {
        out.open(L::FAULT_BITS);
        for (word, name) in L::FAULT_WORDS.into_iter().enumerate() {
            let slot = low.flat.sites.len() + 32 * word;
            out.open(&format!("if ((({name} >> fault_bit) & 1u) != 0u) {{"));
            out.line(&format!("{least}(&state[{first} + {slot}u + fault_bit], {row});"));
            out.close("}");
        }
        out.close("}");
    }
}
