//! Accessors of tables in several segments, which find the one that a computed word is in.

use super::state::Lowering;
use crate::LoweringError;
use crate::walk::{Part, Way};
use imminent_ir::Type;

impl Lowering<'_> {
    /// The body of an accessor of any word of a table: the accessor of the word's segment.
    pub(super) fn choose_segment(
        &mut self,
        way: Way,
        (binding, part): (u32, Part),
        ty: &Type,
        buffers: &[(String, u32)],
    ) -> Result<String, LoweringError> {
        let mut body = String::new();
        // Of a ragged table some segments have columns of the rows, the others such of the pool.
        let before = if self.is_ragged(binding) { self.layout(binding)?.columns_before_pool() } else { u32::MAX };
        let of_part = |(_, (_, start)): &(usize, &(String, u32))| (*start >= before) == (part == Part::Pool);
        let buffers: Vec<(usize, u32)> =
            buffers.iter().enumerate().filter(of_part).map(|(k, (_, start))| (k, *start)).collect();
        for (at, (k, start)) in buffers.iter().enumerate() {
            let function = self.accessor(way, (binding, part), Some(*k), ty)?;
            let word = if *start == 0 { "word".to_owned() } else { format!("word - {start}u") };
            let call = match way {
                Way::Load => format!("return {function}({word}, row);"),
                Way::Store => format!("{function}({word}, row, value);"),
            };
            let after = if way == Way::Store && at + 1 < buffers.len() { " return;" } else { "" };
            match buffers.get(at + 1) {
                Some((_, next)) => body.push_str(&format!("    if (word < {next}u) {{ {call}{after} }}\n")),
                None => body.push_str(&format!("    {call}\n")),
            }
        }
        Ok(body)
    }
}
