//! What is bound to a kernel, as words in the canonical layout.

use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{Layout, Scalar};

/// What is bound for one binding of the kernel.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Rows or slots.
    pub rows: u32,
    pub stride: u32,
    pub capacity: u32,
    /// The table's, tally's or parameter block's words.
    pub words: Vec<u32>,
}

impl Data {
    /// An empty table of a layout.
    pub fn table(layout: &Layout, rows: u32, capacity: u32) -> Data {
        let stride = (rows + 1).next_multiple_of(64);
        let words = layout.row_words(capacity) as usize * stride as usize;
        Data { rows, stride, capacity, words: vec![0; words] }
    }

    /// The slots of a tally.
    pub fn tally(scalar: Scalar, slots: u32, fill: u64) -> Data {
        let words =
            (0..slots).flat_map(|_| [fill as u32, (fill >> 32) as u32].into_iter().take(scalar.words() as usize));
        Data { rows: slots, stride: 0, capacity: 0, words: words.collect() }
    }

    /// The position of a value: its column by name, its lane if it has lanes.
    fn position(&self, layout: &Layout, name: &str, lane: Option<u32>, row: u32) -> (usize, Scalar) {
        let column = layout.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no column {name}"));
        let word = match lane {
            Some(lane) => layout.fixed_words + lane * layout.lane_words + column.word,
            None => column.word,
        };
        ((word * self.stride + row * column.scalar.words()) as usize, column.scalar)
    }

    pub fn set(&mut self, layout: &Layout, name: &str, row: u32, bits: u64) {
        self.set_lane(layout, name, None, row, bits);
    }

    pub fn set_lane(&mut self, layout: &Layout, name: &str, lane: Option<u32>, row: u32, bits: u64) {
        let (at, scalar) = self.position(layout, name, lane, row);
        self.words[at] = bits as u32;
        if scalar.words() == 2 {
            self.words[at + 1] = (bits >> 32) as u32;
        }
    }

    pub fn get(&self, layout: &Layout, name: &str, row: u32) -> u64 {
        self.get_lane(layout, name, None, row)
    }

    pub fn get_lane(&self, layout: &Layout, name: &str, lane: Option<u32>, row: u32) -> u64 {
        let (at, scalar) = self.position(layout, name, lane, row);
        let high = if scalar.words() == 2 { u64::from(self.words[at + 1]) } else { 0 };
        u64::from(self.words[at]) | high << 32
    }

    /// The same table with other words.
    pub fn with(&self, words: Vec<u32>) -> Data {
        Data { words, ..self.clone() }
    }
}

/// The layout of a binding.
pub fn layout(flat: &FlatKernel, binding: usize) -> Layout {
    match &flat.bindings[binding].kind {
        BindingKind::Table { layout, .. } | BindingKind::Params { layout, .. } => layout.clone(),
        BindingKind::Tally { .. } => panic!("a tally has no layout"),
    }
}
