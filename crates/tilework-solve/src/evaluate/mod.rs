//! Evaluating problems: what groups compute, and where the results are summed.
//!
//! [`Compiled`] is a problem made ready: its blocks laid out, its groups' kernels derived when they are first wanted, and the lists by
//! which contributions of instances are gathered into gradients. A list is built once per topology and read in a fixed order, so
//! that sums are the same bits on every run, with any number of threads and without atomics.

mod cpu;
mod derive;
mod gather;
mod layout;
mod reference;

pub(crate) use cpu::{LANES, Outputs, total_cost};
pub(crate) use derive::{Columns, Kernel, Wanted, derive};
pub(crate) use gather::{Entry, Gather};
pub(crate) use layout::{FIXED, Layout};

use crate::problem::{Group, Problem};
use std::collections::HashMap;
use std::sync::Arc;

/// A problem made ready to be evaluated.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) layout: Arc<Layout>,
    pub(crate) groups: Vec<CompiledGroup>,
    pub(crate) gather: Arc<Gather>,
}

/// A group with its kernels.
#[derive(Debug)]
pub(crate) struct CompiledGroup {
    pub(crate) group: Arc<Group>,
    pub(crate) columns: Columns,
    /// By argument, where the numbers of each instance's block begin.
    pub(crate) offsets: Vec<Vec<u32>>,
    kernels: HashMap<Wanted, Kernel>,
}

impl Compiled {
    pub(crate) fn new(problem: &Problem) -> Compiled {
        let layout = Layout::new(problem);
        let groups: Vec<_> = problem.groups.iter().map(|group| CompiledGroup::new(group, &layout)).collect();
        let gather = Arc::new(Gather::new(&groups, &layout));
        Compiled { layout: Arc::new(layout), groups, gather }
    }

    /// Derives the kernels of all groups for `wanted`, unless that was done before.
    pub(crate) fn prepare(&mut self, wanted: Wanted) {
        for compiled in &mut self.groups {
            let CompiledGroup { group, columns, kernels, .. } = compiled;
            kernels.entry(wanted).or_insert_with(|| derive(group, columns, wanted));
        }
    }
}

impl CompiledGroup {
    fn new(group: &Arc<Group>, layout: &Layout) -> CompiledGroup {
        let is_active: Vec<bool> = group
            .blocks
            .iter()
            .map(|blocks| blocks.iter().any(|&block| layout.blocks[block as usize].is_free()))
            .collect();
        let offsets = group
            .blocks
            .iter()
            .map(|blocks| blocks.iter().map(|&block| layout.blocks[block as usize].value).collect())
            .collect();
        CompiledGroup {
            group: group.clone(),
            columns: Columns::new(group, &is_active),
            offsets,
            kernels: HashMap::new(),
        }
    }

    /// The kernel for `wanted`, which must have been prepared.
    pub(crate) fn kernel(&self, wanted: Wanted) -> &Kernel {
        &self.kernels[&wanted]
    }
}
