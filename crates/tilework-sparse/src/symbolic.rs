//! All that depends on the pattern only: order, elimination tree, supernodes, and where every number goes.

use crate::{Pattern, minimum_degree};

/// Columns that share a pattern, with where their numbers come from and go to.
#[derive(Clone, Debug)]
pub(crate) struct Supernode {
    /// Its columns of the permuted matrix.
    pub(crate) first_col: usize,
    pub(crate) n_cols: usize,
    /// Rows below its own columns, of the permuted matrix.
    pub(crate) below: Vec<u32>,
    /// Where its columns begin in the factor; they have `n_cols + below.len()` rows each.
    pub(crate) panel: usize,
    /// The supernode that takes what it leaves.
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// The rows below as stretches that lie together in the parent's front, too.
    pub(crate) runs: Vec<Run>,
    /// Blocks of the matrix that are in its columns.
    pub(crate) blocks: Vec<Entry>,
}

/// Leaves with at most this many columns leave nothing to store: what they leave is computed in their parent's front.
const MAX_SMALL_COLS: usize = 9;

impl Supernode {
    pub(crate) fn n_rows(&self) -> usize {
        self.n_cols + self.below.len()
    }

    /// Whether its parent computes what it leaves.
    pub(crate) fn is_small_leaf(&self) -> bool {
        self.children.is_empty() && self.n_cols <= MAX_SMALL_COLS
    }
}

/// Rows `from..from + len` of those below, which are rows `to..` of the parent's front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) len: u32,
}

/// A block of the matrix, and its place in the front of its supernode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Where its values begin.
    pub(crate) values: u32,
    /// First row of the front.
    pub(crate) row: u32,
    /// First column of the front.
    pub(crate) col: u32,
    pub(crate) n_rows: u32,
    pub(crate) n_cols: u32,
    /// Whether it is of the upper triangle once permuted: values are then row by row of its transpose.
    pub(crate) is_transposed: bool,
}

/// A plan of elimination.
#[derive(Clone, Debug)]
pub struct Symbolic {
    pub(crate) supernodes: Vec<Supernode>,
    /// Row of the permuted matrix for each row of the given one.
    pub(crate) new_row: Vec<u32>,
    /// Block of the given matrix behind each column of the permuted one.
    pub(crate) block_of_col: Vec<u32>,
    pub(crate) n_factor: usize,
}

impl Symbolic {
    /// Plans the elimination of a matrix of this pattern.
    pub fn new(pattern: &Pattern) -> Symbolic {
        Symbolic::in_order(pattern, minimum_degree(pattern))
    }

    /// Plans it in a given order, up to reorderings that do not change the fill.
    pub fn in_order(pattern: &Pattern, order: Vec<u32>) -> Symbolic {
        let tree = Tree::new(pattern, order);
        let columns = tree.column_patterns(pattern);
        let groups = group_columns(&tree, &columns);
        Symbolic::from_groups(pattern, &tree, &columns, &groups)
    }

    /// Numbers of the factor, counting those of relaxed supernodes that are zero.
    pub fn n_factor_values(&self) -> usize {
        self.n_factor
    }

    /// Rows of the matrix.
    pub fn n_rows(&self) -> usize {
        self.new_row.len()
    }

    /// Floating-point operations of a factorization.
    pub fn n_operations(&self) -> f64 {
        let of = |node: &Supernode| (0..node.n_cols).map(|k| ((node.n_rows() - k) as f64).powi(2)).sum::<f64>();
        self.supernodes.iter().map(of).sum()
    }

    fn from_groups(pattern: &Pattern, tree: &Tree, columns: &[Vec<u32>], groups: &[Group]) -> Symbolic {
        let n = pattern.n_blocks();
        // First row of each permuted block, and the end.
        let mut first_row = vec![0u32; n + 1];
        for k in 0..n {
            first_row[k + 1] = first_row[k] + pattern.dims[tree.order[k] as usize];
        }
        let rows_of = |block: u32| first_row[block as usize]..first_row[block as usize + 1];
        let mut panel = 0;
        let mut supernodes: Vec<Supernode> = Vec::with_capacity(groups.len());
        for group in groups {
            let first_col = first_row[group.first] as usize;
            let n_cols = first_row[group.first + group.len] as usize - first_col;
            let below: Vec<u32> = group.below.iter().flat_map(|&block| rows_of(block)).collect();
            let len = n_cols * (n_cols + below.len());
            supernodes.push(Supernode {
                first_col,
                n_cols,
                below,
                panel,
                parent: None,
                children: Vec::new(),
                runs: Vec::new(),
                blocks: Vec::new(),
            });
            panel += len;
        }
        let mut group_of = vec![0; n];
        for (number, group) in groups.iter().enumerate() {
            group_of[group.first..group.first + group.len].fill(number);
        }
        for (number, group) in groups.iter().enumerate() {
            let Some(&next) = group.below.first() else { continue };
            let parent = group_of[next as usize];
            supernodes[number].parent = Some(parent);
            supernodes[parent].children.push(number);
            supernodes[number].runs = runs(&supernodes[number], &supernodes[parent]);
        }
        let mut symbolic = Symbolic {
            new_row: vec![0; first_row[n] as usize],
            block_of_col: (0..n).flat_map(|k| rows_of(k as u32).map(move |_| k)).map(|k| tree.order[k]).collect(),
            n_factor: panel,
            supernodes,
        };
        debug_assert_eq!(columns.len(), n);
        symbolic.place_rows(pattern, tree, &first_row);
        symbolic.place_blocks(pattern, tree, &first_row, &group_of);
        symbolic
    }

    fn place_rows(&mut self, pattern: &Pattern, tree: &Tree, first_row: &[u32]) {
        let mut row = 0;
        for (block, &dim) in pattern.dims.iter().enumerate() {
            for k in 0..dim {
                self.new_row[row] = first_row[tree.position[block] as usize] + k;
                row += 1;
            }
        }
    }

    fn place_blocks(&mut self, pattern: &Pattern, tree: &Tree, first_row: &[u32], group_of: &[usize]) {
        for col in 0..pattern.n_blocks() {
            for (row, values) in pattern.column(col) {
                let (new_row, new_col) = (tree.position[row], tree.position[col]);
                let (low, high) = (new_row.max(new_col), new_row.min(new_col));
                let node = &mut self.supernodes[group_of[high as usize]];
                let front_row = node.front_row(first_row[low as usize]);
                let dim = |new: u32| pattern.dims[tree.order[new as usize] as usize];
                node.blocks.push(Entry {
                    values: values as u32,
                    row: front_row as u32,
                    col: first_row[high as usize] - node.first_col as u32,
                    n_rows: dim(low),
                    n_cols: dim(high),
                    is_transposed: new_row < new_col,
                });
            }
        }
    }
}

impl Supernode {
    /// Row of the front that holds `row` of the permuted matrix, which must be one of its rows.
    fn front_row(&self, row: u32) -> usize {
        match (row as usize).checked_sub(self.first_col) {
            Some(own) if own < self.n_cols => own,
            _ => self.n_cols + self.below.partition_point(|&below| below < row),
        }
    }
}

/// The rows below `child` as stretches of the front of `parent`.
fn runs(child: &Supernode, parent: &Supernode) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (from, &row) in child.below.iter().enumerate() {
        let to = parent.front_row(row) as u32;
        match runs.last_mut() {
            // A stretch never crosses from the parent's own columns to the rows below.
            Some(run) if run.to + run.len == to && to != parent.n_cols as u32 => run.len += 1,
            _ => runs.push(Run { from: from as u32, to, len: 1 }),
        }
    }
    runs
}

/// The elimination tree, in an order in which every subtree lies together.
struct Tree {
    /// Block of the given matrix at each place.
    order: Vec<u32>,
    /// Place of each block.
    position: Vec<u32>,
    parent: Vec<Option<u32>>,
}

impl Tree {
    fn new(pattern: &Pattern, order: Vec<u32>) -> Tree {
        let position = inverse(&order);
        let parent = parents(pattern, &position);
        let postorder = postorder(&parent);
        let order: Vec<u32> = postorder.iter().map(|&k| order[k as usize]).collect();
        let place = inverse(&postorder);
        let parent = postorder.iter().map(|&k| parent[k as usize].map(|up| place[up as usize])).collect();
        Tree { position: inverse(&order), order, parent }
    }

    /// Block rows below the diagonal of each column of the factor.
    fn column_patterns(&self, pattern: &Pattern) -> Vec<Vec<u32>> {
        let n = self.order.len();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
        for col in 0..n {
            for (row, _) in pattern.column(col) {
                let (a, b) = (self.position[row], self.position[col]);
                if a != b {
                    columns[a.min(b) as usize].push(a.max(b));
                }
            }
        }
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut seen = vec![u32::MAX; n];
        for col in 0..n {
            let mut own = std::mem::take(&mut columns[col]);
            own.iter().for_each(|&row| seen[row as usize] = col as u32);
            for &child in &children[col] {
                for &row in &columns[child as usize] {
                    if row as usize != col && seen[row as usize] != col as u32 {
                        seen[row as usize] = col as u32;
                        own.push(row);
                    }
                }
            }
            own.sort_unstable();
            columns[col] = own;
            if let Some(parent) = self.parent[col] {
                children[parent as usize].push(col as u32);
            }
        }
        columns
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &item)| position[item as usize] = k as u32);
    position
}

/// The elimination tree of the permuted pattern, by following ancestors with shortened paths.
/// (J. Liu, *The role of elimination trees in sparse factorization*, 1990.)
fn parents(pattern: &Pattern, position: &[u32]) -> Vec<Option<u32>> {
    let n = position.len();
    let mut above: Vec<Vec<u32>> = vec![Vec::new(); n];
    for col in 0..n {
        for (row, _) in pattern.column(col).filter(|&(row, _)| row != col) {
            let (a, b) = (position[row], position[col]);
            above[a.max(b) as usize].push(a.min(b));
        }
    }
    let mut parent = vec![None; n];
    let mut ancestor: Vec<Option<u32>> = vec![None; n];
    for (col, list) in above.iter().enumerate() {
        for &start in list {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| (at as usize) < col) {
                next = ancestor[at as usize].replace(col as u32);
                if next.is_none() {
                    parent[at as usize] = Some(col as u32);
                }
            }
        }
    }
    parent
}

/// Children before parents, every subtree together; the larger of two numbers goes last, next to its parent.
fn postorder(parent: &[Option<u32>]) -> Vec<u32> {
    let n = parent.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut roots = Vec::new();
    for (k, up) in parent.iter().enumerate() {
        match up {
            Some(up) => children[*up as usize].push(k as u32),
            None => roots.push(k as u32),
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((node, is_done)) = stack.pop() {
        if is_done {
            order.push(node);
            continue;
        }
        stack.push((node, true));
        stack.extend(children[node as usize].iter().rev().map(|&child| (child, false)));
    }
    order
}

/// Columns `first..first + len` of blocks, and the block rows below them.
struct Group {
    first: usize,
    len: usize,
    below: Vec<u32>,
    /// Blocks of the triangle and below that the matrix's factor really has.
    n_real: usize,
}

impl Group {
    fn n_blocks(len: usize, below: usize) -> usize {
        len * (len + 1) / 2 + len * below
    }
}

/// Joins columns into supernodes: those with equal patterns, and small ones into their parents where that adds few zeros, because
/// work on tiny matrices costs more than a few zeros do.
fn group_columns(tree: &Tree, columns: &[Vec<u32>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (col, below) in columns.iter().enumerate() {
        let mut group = Group { first: col, len: 1, below: below.clone(), n_real: 1 + below.len() };
        while let Some(last) = groups.last() {
            let parent = tree.parent[last.first + last.len - 1];
            let is_child = parent.is_some_and(|parent| (group.first..=col).contains(&(parent as usize)));
            let len = last.len + group.len;
            let n_real = last.n_real + group.n_real;
            let n_all = Group::n_blocks(len, group.below.len());
            if !is_child || !is_worth_joining(len, n_all - n_real, n_all) {
                break;
            }
            group = Group { first: last.first, len, below: group.below, n_real };
            groups.pop();
        }
        groups.push(group);
    }
    groups
}

/// How many zeros a joined supernode of `len` block columns may have.
fn is_worth_joining(len: usize, n_zeros: usize, n_all: usize) -> bool {
    let share = n_zeros as f64 / n_all as f64;
    match len {
        _ if n_zeros == 0 => true,
        0..=2 => share < 0.4,
        3..=6 => share < 0.2,
        7..=16 => share < 0.1,
        _ => share < 0.03,
    }
}
