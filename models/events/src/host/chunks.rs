//! Many short stacks in one piece of memory.

/// Number of items in a chunk.
const LENGTH: usize = 16;

/// Items of many stacks. A stack is a list of chunks, and freed chunks are used again: pushing allocates no memory
/// when as many items have been taken.
#[derive(Debug)]
pub(super) struct Chunks<T> {
    items: Vec<T>,
    /// Chunk below each chunk of a stack, or the next free one.
    below: Vec<u32>,
    /// First free chunk.
    free: u32,
}

/// A stack of items in [`Chunks`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    /// Last chunk. All others are full.
    top: u32,
    /// Number of items.
    count: u32,
}

/// No chunk.
const NONE: u32 = u32::MAX;

impl Stack {
    /// Stack without items.
    pub(super) const EMPTY: Stack = Stack { top: NONE, count: 0 };
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks { items: Vec::new(), below: Vec::new(), free: NONE }
    }
}

impl<T: Copy> Chunks<T> {
    /// Adds an item to a stack.
    pub(super) fn push(&mut self, stack: &mut Stack, item: T) {
        let place = stack.count as usize % LENGTH;
        if place == 0 {
            let chunk = self.chunk(item);
            self.below[chunk as usize] = std::mem::replace(&mut stack.top, chunk);
        }
        self.items[stack.top as usize * LENGTH + place] = item;
        stack.count += 1;
    }

    /// Returns a free chunk.
    fn chunk(&mut self, filling: T) -> u32 {
        if self.free == NONE {
            self.items.resize(self.items.len() + LENGTH, filling);
            self.below.push(NONE);
            return (self.below.len() - 1) as u32;
        }
        let below = self.below[self.free as usize];
        std::mem::replace(&mut self.free, below)
    }

    /// Moves all items of a stack to a list.
    pub(super) fn pop_all(&mut self, stack: Stack, list: &mut Vec<T>) {
        let (mut chunk, mut left) = (stack.top, stack.count as usize);
        list.reserve(left);
        while left > 0 {
            let length = (left - 1) % LENGTH + 1;
            let first = chunk as usize * LENGTH;
            list.extend(&self.items[first..first + length]);
            left -= length;
            let below = std::mem::replace(&mut self.below[chunk as usize], self.free);
            self.free = std::mem::replace(&mut chunk, below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn stacks_return_what_was_pushed(pushed in prop::collection::vec((0_usize..4, 0_usize..40), 0..60)) {
            let (mut chunks, mut stacks, mut expected) = (Chunks::default(), [Stack::EMPTY; 4], [const { vec![] }; 4]);
            let (mut number, mut most) = (0, 0);
            for (stack, count) in pushed {
                if count == 0 {
                    let mut found = Vec::new();
                    chunks.pop_all(std::mem::replace(&mut stacks[stack], Stack::EMPTY), &mut found);
                    found.sort_unstable();
                    prop_assert_eq!(found, std::mem::take(&mut expected[stack]));
                }
                for _ in 0..count {
                    chunks.push(&mut stacks[stack], number);
                    expected[stack].push(number);
                    number += 1;
                }
                most = most.max(expected.iter().map(|items: &Vec<_>| items.len().div_ceil(LENGTH)).sum());
            }
            prop_assert_eq!(chunks.below.len(), most);
        }
    }
}
