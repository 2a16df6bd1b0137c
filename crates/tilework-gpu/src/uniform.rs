//! Parameter blocks of all passes of a Plan, side by side in one buffer.
//!
//! One buffer and one write for each run, instead of one for each pass. The words last written are kept here, and only
//! the range that differs is written again; a replay with the same scalars writes nothing.
//!
//! Reusing the single buffer is safe even when the last run has not started yet: the queue runs writes and submits in
//! the order they were made, so the old run has read its words before the new ones arrive. The caller must only keep
//! other threads from slipping between the write and its submit.

use std::ops::Range;

use tilework_core::plan::Pass;

/// Where each block lies and which words change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UniformLayout {
    /// Offset and size of each pass's block, in bytes.
    pub blocks: Vec<Block>,
    /// The words of all blocks as the Plan gives them, padding included.
    pub template: Vec<u32>,
    patches: Vec<ArenaPatch>,
}

/// One pass's block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub offset_bytes: u64,
    pub size_bytes: u64,
}

#[derive(Debug, PartialEq, Eq)]
struct ArenaPatch {
    word: usize,
    scalar: usize,
}

impl UniformLayout {
    /// Packs the blocks of `passes`, each at a multiple of `align_bytes` and at least 16 bytes long. The patches must
    /// lie inside their blocks.
    pub(crate) fn new(passes: &[Pass], align_bytes: u32) -> Self {
        let align_words = (align_bytes.max(16) / 4) as usize;
        let mut layout = UniformLayout { blocks: Vec::new(), template: Vec::new(), patches: Vec::new() };
        for pass in passes {
            let start = layout.template.len().next_multiple_of(align_words);
            let n_words = pass.params.len().max(1).next_multiple_of(4);
            layout.template.resize(start, 0);
            layout.template.extend_from_slice(&pass.params);
            layout.template.resize(start + n_words, 0);
            layout.blocks.push(Block { offset_bytes: start as u64 * 4, size_bytes: n_words as u64 * 4 });
            layout
                .patches
                .extend(pass.patches.iter().map(|patch| ArenaPatch { word: start + patch.word, scalar: patch.scalar }));
        }
        layout
    }

    /// Puts `scalars` into `words`. Returns the range of words that changed.
    pub(crate) fn patch(&self, words: &mut [u32], scalars: &[u32]) -> Option<Range<usize>> {
        let mut changed: Option<Range<usize>> = None;
        for patch in &self.patches {
            let (at, value) = (patch.word, scalars[patch.scalar]);
            if words[at] != value {
                words[at] = value;
                let range = changed.unwrap_or(at..at + 1);
                changed = Some(range.start.min(at)..range.end.max(at + 1));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tilework_core::plan::{KernelSource, Patch};

    use super::*;

    fn pass(params: Vec<u32>, patches: Vec<Patch>) -> Pass {
        Pass { kernel: Arc::new(KernelSource::default()), bindings: vec![], params, patches, workgroups: [1, 1, 1] }
    }

    #[test]
    fn blocks_are_aligned_padded_and_patched() {
        let patch = |word, scalar| Patch { word, scalar };
        let passes = [pass(vec![], vec![]), pass(vec![1, 2, 3, 4, 5], vec![patch(1, 0), patch(4, 1)])];
        let layout = UniformLayout::new(&passes, 64);
        assert_eq!(layout.blocks[0], Block { offset_bytes: 0, size_bytes: 16 });
        assert_eq!(layout.blocks[1], Block { offset_bytes: 64, size_bytes: 32 });
        assert_eq!(layout.template.len(), 24);

        let mut words = layout.template.clone();
        assert_eq!(layout.patch(&mut words, &[9, 5]), Some(17..18));
        assert_eq!(words[16..21], [1, 9, 3, 4, 5]);
        assert_eq!(layout.patch(&mut words, &[9, 5]), None);
        assert_eq!(layout.patch(&mut words, &[8, 7]), Some(17..21));
    }
}
