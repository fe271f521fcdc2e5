//! Tables and tallies in shared buffers. Each piece begins at a word of its buffer that the launch block gives.

use super::options::WgslOptions;
use super::source::{BufferRole, SharedPiece};
use super::state::Lowering;
use crate::LoweringError;
use crate::names::to_u32;
use imminent_ir::flatten::{BindingKind, Scope};

impl Lowering<'_> {
    /// Assigns the pieces of all tables, the list of rows, and the tallies to buffers and to words after the launch
    /// block.
    pub(super) fn share_buffers(&mut self, options: &WgslOptions) -> Result<(), LoweringError> {
        let Some(numbers) = &options.shared else { return Ok(()) };
        let (mut tables, mut tallies) = (Vec::new(), Vec::new());
        for (binding, bound) in (0..).zip(&self.flat.bindings) {
            match bound.kind {
                BindingKind::Table { .. } => {
                    let segments = 0..to_u32(self.segments[binding as usize].len());
                    tables.extend(segments.map(|segment| BufferRole::Table { binding, segment }));
                }
                BindingKind::Tally { .. } if self.shares_tallies() => tallies.push(BufferRole::Tally { binding }),
                _ => {}
            }
        }
        if options.subset {
            tables.extend([BufferRole::SubsetRows, BufferRole::SubsetCount]);
        }
        self.assign(&tables, numbers, ("tables", "u32"))?;
        self.assign(&tallies, numbers, ("tallies", "atomic<u32>"))
    }

    /// Assigns pieces to buffers of these names and elements. `numbers` has the number of each piece's buffer among
    /// them; without numbers there is one.
    fn assign(
        &mut self,
        pieces: &[BufferRole],
        numbers: &[Vec<u32>],
        (wanted, element): (&str, &'static str),
    ) -> Result<(), LoweringError> {
        let before = to_u32(self.shared_buffers.len());
        let count = self.flat.bindings.len();
        for &of in pieces {
            let (list, piece) = match of {
                BufferRole::Table { binding, segment } => (binding as usize, segment as usize),
                BufferRole::Tally { binding } => (binding as usize, 0),
                BufferRole::SubsetRows => (count, 0),
                _ => (count + 1, 0),
            };
            let number = match numbers {
                [] => Some(0),
                lists => lists.get(list).and_then(|list| list.get(piece)).copied(),
            };
            let next = to_u32(self.shared_buffers.len());
            let Some(number) = number.filter(|number| *number <= next - before) else {
                let what = "a table or tally has no shared buffer, or the buffers are not numbered in their order";
                let (kernel, language) = (self.flat.name.clone(), super::segments::LANGUAGE);
                return Err(LoweringError::Options { kernel, language, what });
            };
            if before + number == next {
                let name = self.names.global(&format!("{wanted}{number}"));
                self.shared_buffers.push((name, element));
            }
            self.shared_pieces.push(SharedPiece { of, buffer: before + number, word: self.launch.words });
            self.launch.words = self.launch.words.saturating_add(1);
        }
        Ok(())
    }

    pub(super) fn shared_piece(&self, role: BufferRole) -> Option<(String, u32)> {
        let piece = self.shared_pieces.iter().find(|piece| piece.of == role)?;
        Some((self.shared_buffers.get(piece.buffer as usize)?.0.clone(), piece.word))
    }

    /// The buffer of a table's segment, and the index there of an index in the segment.
    pub(super) fn stored_at(&mut self, binding: u32, segment: usize, index: String) -> (String, String) {
        let name = self.segments.get(binding as usize).and_then(|of| of.get(segment)).map(|(name, _)| name.clone());
        let name = name.unwrap_or_default();
        self.placed(BufferRole::Table { binding, segment: to_u32(segment) }, name, index)
    }

    /// The buffer of a tally, and the index there of an index of its words.
    pub(super) fn tally_at(&mut self, binding: u32, index: String) -> (String, String) {
        let name = self.binding_names.get(binding as usize).cloned().unwrap_or_default();
        self.placed(BufferRole::Tally { binding }, name, index)
    }

    fn placed(&mut self, role: BufferRole, name: String, index: String) -> (String, String) {
        let Some((buffer, word)) = self.shared_piece(role) else { return (name, index) };
        // Functions of a group read the launch block itself, as for other words of it.
        if self.scope == Scope::Group {
            return (buffer, format!("launch[{word}] + {index}"));
        }
        let known = self.headers.iter().find(|(_, at)| **at == word).map(|(name, _)| name.clone());
        let start = known.unwrap_or_else(|| {
            let start = self.names.resource(&format!("{name}_start"));
            self.headers.insert(start.clone(), word);
            start
        });
        (buffer, format!("{start} + {index}"))
    }

    /// The number of listed rows, where it is a word of a shared buffer.
    pub(super) fn shared_count(&self) -> Option<String> {
        let (buffer, word) = self.shared_piece(BufferRole::SubsetCount)?;
        Some(format!("{buffer}[launch[{word}]]"))
    }
}
