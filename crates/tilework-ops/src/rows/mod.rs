//! What kernels with one workgroup per row share: how many invocations work on a row, how much of it each keeps in registers,
//! and how they combine what they have.

use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::plan::{Caps, HAS_SUBGROUPS};

pub(crate) const TREE: &str = tilework_core::wgsl!("tree.wgsl");
pub(crate) const SUBGROUP: &str = tilework_core::wgsl!("subgroup.wgsl");

/// Packs that an invocation keeps: 16 floats, which leaves most registers to the expressions spliced in.
const MAX_PACKS: usize = 4;
const MAX_INVOCATIONS: usize = 256;
const MIN_INVOCATIONS: usize = 64;

/// How a row is shared out among the invocations of a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowShare {
    /// Invocations.
    pub(crate) n_invocations: usize,
    /// Neighbouring elements that are read at once, 4 or 1.
    pub(crate) pack: usize,
    /// Packs each invocation keeps between its passes over the row; `None` if the row is too long for that and is read again.
    pub(crate) n_packs: Option<usize>,
}

impl RowShare {
    /// For `n_rows` rows of `n_cols` elements that lie `stride` apart.
    pub(crate) fn new(n_rows: usize, n_cols: usize, stride: usize) -> RowShare {
        // An empty array has a buffer of one word, which is no quad.
        let in_quads = stride == 1 && n_cols.is_multiple_of(QUAD) && n_rows * n_cols > 0;
        let pack = if in_quads { QUAD } else { 1 };
        let n_all = n_cols.div_ceil(pack).max(1);
        let n_invocations = n_all.div_ceil(2).next_power_of_two().clamp(MIN_INVOCATIONS, MAX_INVOCATIONS);
        let n_packs = n_all.div_ceil(n_invocations);
        RowShare { n_invocations, pack, n_packs: (n_packs <= MAX_PACKS).then_some(n_packs) }
    }

    /// A kernel with the constants that describe this, and the combining functions that suit the device.
    pub(crate) fn builder(&self, label: &str, caps: &Caps) -> KernelBuilder {
        let sizes = caps.subgroup_sizes.filter(|_| HAS_SUBGROUPS);
        let by_subgroup =
            sizes.is_some_and(|(_, largest)| largest > 1 && self.n_invocations.is_multiple_of(largest.max(1) as usize));
        KernelBuilder::new(label)
            .file(if by_subgroup { SUBGROUP } else { TREE })
            .prelude(&format!("const WG: u32 = {}u;", self.n_invocations))
            .prelude(&format!("const PACK: u32 = {}u;", self.pack))
            .prelude(&format!("const N_PACKS: u32 = {}u;", self.n_packs.unwrap_or(0)))
    }
}
