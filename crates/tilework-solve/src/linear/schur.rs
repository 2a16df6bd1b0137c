//! Which blocks to eliminate first: those that do not know each other.
//!
//! In a bundle adjustment every observation knows one camera and one point, and no two points meet. Eliminating all points first leaves
//! a small dense system of cameras (the Schur complement). What is looked for is an independent set of blocks of small degree that is
//! much larger than the rest.

use tilework_sparse::{Pattern, minimum_degree};

/// Blocks in an order of elimination that begins with an independent set, and how many those are.
pub(crate) struct Elimination {
    pub(crate) order: Vec<u32>,
    pub(crate) n_eliminated: usize,
}

/// Finds an independent set greedily, blocks with few neighbors first, and orders the rest by what then connects it.
pub(crate) fn eliminate(pattern: &Pattern) -> Elimination {
    let n = pattern.n_blocks();
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); n];
    for col in 0..n {
        for (row, _) in pattern.column(col).filter(|&(row, _)| row != col) {
            near[col].push(row as u32);
            near[row].push(col as u32);
        }
    }
    let mut by_degree: Vec<u32> = (0..n as u32).collect();
    by_degree.sort_by_key(|&block| near[block as usize].len());
    let mut is_kept = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for block in by_degree {
        if !is_kept[block as usize] {
            near[block as usize].iter().for_each(|&other| is_kept[other as usize] = true);
            order.push(block);
        }
    }
    let n_eliminated = order.len();
    let rest: Vec<u32> = (0..n as u32).filter(|&block| is_kept[block as usize]).collect();
    let mut place = vec![0; n];
    rest.iter().enumerate().for_each(|(k, &block)| place[block as usize] = k as u32);
    let is_kept = &is_kept;
    let joined = order.iter().flat_map(|&block| {
        let near = &near[block as usize];
        near.iter().enumerate().flat_map(move |(k, &a)| near[..k].iter().map(move |&b| (a, b)))
    });
    let direct = rest.iter().flat_map(|&a| near[a as usize].iter().map(move |&b| (a, b)));
    let pairs = joined.chain(direct.filter(|&(_, b)| is_kept[b as usize]));
    let dims = rest.iter().map(|&block| pattern.dims[block as usize]).collect();
    let reduced = Pattern::new(dims, pairs.map(|(a, b)| (place[a as usize], place[b as usize])));
    order.extend(minimum_degree(&reduced).iter().map(|&k| rest[k as usize]));
    Elimination { order, n_eliminated }
}

/// Whether the problem looks like a bundle: most blocks can go first, and a small system is left.
pub(crate) fn is_bundle(pattern: &Pattern, elimination: &Elimination) -> bool {
    let rows = |blocks: &[u32]| blocks.iter().map(|&block| pattern.dims[block as usize] as usize).sum::<usize>();
    let n_left = rows(&elimination.order[elimination.n_eliminated..]);
    let n_rows = pattern.n_rows();
    n_rows >= 100 && n_left * 5 <= n_rows
}
