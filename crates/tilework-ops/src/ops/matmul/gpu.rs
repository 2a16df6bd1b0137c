//! Products on the GPU: which kernel, which way of reading each operand, and in how many parts.
//!
//! Every kernel but the readable one computes in blocks of 4 × 4 and gets them from two small modules, one per operand, chosen
//! by how the operand lies in memory: even rows, even columns (a transposed matrix), or neither.

use super::{Operand, Sizes};
use crate::op::{PlanCx, Variants};
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::half::HAS_HALF;
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, Pass, fold_workgroups};
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

/// A `.wgsl` file of this folder with its name.
macro_rules! kernel_files {
    ($($constant:ident $file:literal)*) => {
        $(pub(crate) const $constant: &str = tilework_core::wgsl!(concat!("wgsl/", $file));)*
        pub(super) const KERNELS: &[(&str, &str)] = &[$(($file, $constant)),*];
    };
}
kernel_files! {
    SIMPLE "matmul_simple.wgsl"
    SHARED "matmul_shared.wgsl"
    DIRECT "matmul_direct.wgsl"
    PARTS "matmul_parts.wgsl"
    MATVEC "matvec.wgsl"
    BLOCK "block.wgsl"
    STORE "store.wgsl"
    A_ROWS "a_rows.wgsl"
    A_COLUMNS "a_columns.wgsl"
    A_ELEMENTS "a_elements.wgsl"
    B_ROWS "b_rows.wgsl"
    B_COLUMNS "b_columns.wgsl"
    B_ELEMENTS "b_elements.wgsl"
}

/// Rows or columns that a matvec computes at once.
const MAX_VECTORS: usize = 4;
/// Workgroups that keep a GPU busy; a product with fewer tiles is split along k.
const BUSY_WORKGROUPS: usize = 64;
/// Least k of a part.
const MIN_PART: usize = 256;

/// The operand that is a matrix, if the other one is a few vectors.
pub(super) fn matrix_of_vectors(sizes: &Sizes) -> Option<usize> {
    if sizes.m <= MAX_VECTORS && sizes.n >= 4 {
        Some(1)
    } else if sizes.n <= MAX_VECTORS && sizes.m >= 4 {
        Some(0)
    } else {
        None
    }
}

/// The kernels that can compute such a product, the best guess first.
pub(super) fn variants(sizes: &Sizes, caps: &Caps) -> Variants {
    let (m, n) = (sizes.m, sizes.n);
    let mut names = Vec::new();
    // An operand without elements has no four to load.
    if m * n * sizes.k * sizes.batch.n_elements() > 0 {
        let fits_shared = m >= 8 && n >= 4;
        let fills_shared = m >= 32 && n >= 64;
        let fits_direct = m >= 4 && n >= 4;
        // A program that imitates a GPU keeps workgroup memory where all other memory is, and pays for barriers.
        let prefers_shared = fills_shared && !caps.software;
        let order = [
            ("matvec", matrix_of_vectors(sizes).is_some()),
            ("shared", fits_shared && prefers_shared),
            ("direct", fits_direct),
            ("shared", fits_shared && !prefers_shared),
        ];
        names.extend(order.iter().filter(|(_, can)| *can).map(|(name, _)| *name));
    }
    names.push("simple");
    Variants { names, sizes: vec![m, n, sizes.k] }
}

pub(super) fn plan(cx: &mut PlanCx<'_>, variants: &Variants) -> Result<Vec<Pass>> {
    let sizes = Sizes::of(&cx.inputs[0].grid, &cx.inputs[1].grid)?;
    let a = Side::new(cx, 0, &sizes)?;
    let b = Side::new(cx, 1, &sizes)?;
    match cx.variant("matmul", variants) {
        "matvec" if matrix_of_vectors(&sizes) == Some(1) => matvec(cx, &sizes, &a, &b, Swapped::No),
        // One column is one row of the transposed product.
        "matvec" => {
            let turned = Sizes { m: sizes.n, n: sizes.m, ..sizes.clone() };
            matvec(cx, &turned, &b.transposed(), &a.transposed(), Swapped::Yes)
        }
        "shared" => blocked(cx, &sizes, [&a, &b], &Blocked { name: "matmul_shared", file: SHARED, tile: [64, 128] }),
        "direct" => blocked(cx, &sizes, [&a, &b], &Blocked { name: "matmul_direct", file: DIRECT, tile: [32, 32] }),
        _ => simple(cx, &sizes, [&a, &b]),
    }
}

fn simple(cx: &PlanCx<'_>, sizes: &Sizes, sides: [&Side; 2]) -> Result<Vec<Pass>> {
    let n_batch = sizes.batch.n_elements();
    let workgroups = [sizes.n.div_ceil(16), sizes.m.div_ceil(16), n_batch];
    let mut builder = common(cx, "matmul_simple", SIMPLE, sizes);
    for side in sides {
        builder = side.elements(builder, cx);
    }
    Ok(vec![cx.sink(builder, "y").build(checked(cx, workgroups)?)])
}

/// A kernel that computes tiles of blocks.
struct Blocked {
    name: &'static str,
    file: &'static str,
    /// Rows and columns a workgroup computes.
    tile: [usize; 2],
}

fn blocked(cx: &mut PlanCx<'_>, sizes: &Sizes, sides: [&Side; 2], kernel: &Blocked) -> Result<Vec<Pass>> {
    let n_batch = sizes.batch.n_elements();
    let tiles = [sizes.n.div_ceil(kernel.tile[1]), sizes.m.div_ceil(kernel.tile[0])];
    let n_parts = n_parts(tiles[0] * tiles[1] * n_batch, sizes.k, n_batch, cx.caps);
    let n_blocks = sizes.k.div_ceil(4);
    let part_blocks = n_blocks.div_ceil(n_parts).next_multiple_of(4);
    let n_parts = n_blocks.div_ceil(part_blocks);
    let mut builder = common(cx, kernel.name, kernel.file, sizes)
        .file(BLOCK)
        .file(STORE)
        .param("n_parts", n_parts as u32)
        .param("part_blocks", part_blocks as u32);
    for side in sides {
        builder = side.blocks(builder, cx);
    }
    let workgroups = checked(cx, [tiles[0], tiles[1], n_batch * n_parts])?;
    if n_parts == 1 {
        return Ok(vec![cx.sink(builder, "y").build(workgroups)]);
    }
    let n_elements = sizes.m * sizes.n * n_batch;
    let parts = (cx.temp)((n_elements * n_parts * cx.out.dtype.size_bytes()) as u64);
    let partial = builder.sink("y", cx.out.dtype, parts, cx.out.dtype, None).build(workgroups);
    let whole = Layout::contiguous(Shape::new("matmul", vec![n_elements * n_parts])?);
    let sum = KernelBuilder::new("matmul_parts")
        .file(PARTS)
        .param("n_elements", n_elements as u32)
        .param("area", (sizes.m * sizes.n) as u32)
        .param("n_parts", n_parts as u32)
        .source("parts", &Fused::read(0, cx.out.dtype, whole), &[parts.into()]);
    Ok(vec![partial, cx.sink(sum, "y").build(cx.workgroups(n_elements.div_ceil(256)))])
}

/// Into how many parts k is split, so that a product with few tiles still keeps the GPU busy.
pub(crate) fn n_parts(n_tiles: usize, k: usize, n_batch: usize, caps: &Caps) -> usize {
    let wanted = BUSY_WORKGROUPS / n_tiles.max(1);
    let most = (caps.max_workgroups as usize / n_batch.max(1)).min(k / MIN_PART);
    // Nothing is idle on a program that imitates a GPU on a few cores.
    if caps.software && n_tiles > 1 { 1 } else { wanted.min(most).max(1) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Swapped {
    No,
    Yes,
}

fn matvec(cx: &PlanCx<'_>, sizes: &Sizes, a: &Side, b: &Side, swapped: Swapped) -> Result<Vec<Pass>> {
    // How k is shared among threads is how sums are made, and must not depend on how evenly a matrix lies in memory.
    let [quads, slices] = if b.operand.row_stride == 1 { [1, 64] } else { [16, 8] };
    let [y_row, y_col] = if swapped == Swapped::Yes { [1, sizes.m] } else { [sizes.n, 1] };
    // A row is read along k only; four rows side by side in a column would need a block.
    let a = if a.form == Form::Columns { &a.as_elements() } else { a };
    let builder = common(cx, "matvec", MATVEC, sizes)
        .file(BLOCK)
        .prelude(&format!("const QUADS: u32 = {quads}u;\nconst SLICES: u32 = {slices}u;"))
        .param("y_row", y_row as u32)
        .param("y_col", y_col as u32);
    let builder = b.named("b").blocks(a.named("a").blocks(builder, cx), cx);
    let [x, y, _] = fold_workgroups(sizes.n.div_ceil(4 * quads), cx.caps.max_workgroups);
    let workgroups = checked(cx, [x as usize, y as usize, sizes.batch.n_elements()])?;
    Ok(vec![cx.sink(builder, "y").build(workgroups)])
}

fn common(cx: &PlanCx<'_>, name: &str, file: &'static str, sizes: &Sizes) -> KernelBuilder {
    let is_empty = cx.out.shape.n_elements() == 0;
    KernelBuilder::new(name)
        .file(file)
        .param("m", if is_empty { 0 } else { sizes.m as u32 })
        .param("n", sizes.n as u32)
        .param("k", sizes.k as u32)
}

/// At least one workgroup in every dimension, or an error that names the product.
fn checked(cx: &PlanCx<'_>, workgroups: [usize; 3]) -> Result<[u32; 3]> {
    let limit = cx.caps.max_workgroups;
    if workgroups.iter().any(|&n| n > limit as usize) {
        let message = format!("{} · {} needs more than {limit} workgroups", cx.inputs[0].grid, cx.inputs[1].grid);
        return Err(Error::new(ErrorKind::TooLarge, "matmul", message));
    }
    Ok(workgroups.map(|n| n.max(1) as u32))
}

/// How an operand lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Four neighbours in a row are one aligned load.
    Rows,
    /// Four neighbours in a column are one aligned load.
    Columns,
    /// Neither.
    Elements,
}

/// One operand as the kernels read it.
#[derive(Clone)]
struct Side {
    name: &'static str,
    /// Which step input it is, if it is a buffer.
    input: usize,
    /// The buffer as a whole, for kernels compute addresses themselves; or an expression.
    everywhere: Fused,
    /// Whether it lies there as 16-bit floats, four in two words.
    is_half: bool,
    operand: Operand,
    form: Form,
}

impl Side {
    fn new(cx: &PlanCx<'_>, index: usize, sizes: &Sizes) -> Result<Side> {
        let name = if index == 0 { "a" } else { "b" };
        let Some((input, dtype, layout)) = cx.inputs[index].as_read() else {
            // An expression is asked for its elements by their number.
            let everywhere = cx.inputs[index].clone();
            let operand = sizes.operand(&Layout::contiguous(everywhere.grid.clone()));
            return Ok(Side { name, input: 0, everywhere, is_half: false, operand, form: Form::Elements });
        };
        let operand = sizes.operand(layout);
        let (n_rows, n_cols) = if index == 0 { (sizes.m, sizes.k) } else { (sizes.k, sizes.n) };
        let form = form(&operand, sizes.k, n_rows, n_cols);
        let everywhere = Fused::read(input, dtype, Layout::contiguous(Shape::new("matmul", vec![1 << 30])?));
        Ok(Side { name, input, everywhere, is_half: HAS_HALF && dtype == DType::F16, operand, form })
    }

    /// Defines what the block kernels read this operand with.
    fn blocks(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        let file = match (self.name, self.form) {
            (_, Form::Elements) => {
                let file = if self.name == "a" { A_ELEMENTS } else { B_ELEMENTS };
                return self.elements(builder, cx).file(file);
            }
            ("a", Form::Rows) => A_ROWS,
            ("a", Form::Columns) => A_COLUMNS,
            (_, Form::Rows) => B_ROWS,
            (_, Form::Columns) => B_COLUMNS,
        };
        let quads = format!("{}4", self.name);
        let (builder, slot) = (self.strides(builder).file(file), cx.slots[self.input]);
        if self.is_half { builder.half_quads(&quads, slot) } else { builder.quads(&quads, slot) }
    }

    /// Defines the operand as a function of the position in its buffer.
    fn elements(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        self.strides(builder).source(self.name, &self.everywhere, cx.slots)
    }

    fn strides(&self, builder: KernelBuilder) -> KernelBuilder {
        let name = self.name;
        builder
            .source(&format!("{name}_batch"), &batch_start(&self.operand), &[])
            .param(&format!("{name}_row"), self.operand.row_stride as i32 as u32)
            .param(&format!("{name}_col"), self.operand.col_stride as i32 as u32)
    }

    fn named(&self, name: &'static str) -> Side {
        Side { name, ..self.clone() }
    }

    fn transposed(&self) -> Side {
        let operand = Operand {
            row_stride: self.operand.col_stride,
            col_stride: self.operand.row_stride,
            ..self.operand.clone()
        };
        let form = match self.form {
            Form::Rows => Form::Columns,
            Form::Columns => Form::Rows,
            Form::Elements => Form::Elements,
        };
        Side { operand, form, ..self.clone() }
    }

    fn as_elements(&self) -> Side {
        Side { form: Form::Elements, ..self.clone() }
    }
}

/// Whether loads of four elements along rows or columns are aligned everywhere and never run over an edge.
fn form(operand: &Operand, k: usize, n_rows: usize, n_cols: usize) -> Form {
    let fours = |strides: &[isize]| strides.iter().all(|stride| stride % 4 == 0);
    let is_aligned = operand.batch.offset.is_multiple_of(4) && fours(&operand.batch.strides) && k.is_multiple_of(4);
    // The stride of an axis with one element is never used.
    let stride = |n: usize, stride: isize| if n == 1 { 0 } else { stride };
    match (stride(n_rows, operand.row_stride), stride(n_cols, operand.col_stride)) {
        (row, 1) if is_aligned && row >= 0 && row % 4 == 0 && n_cols.is_multiple_of(4) => Form::Rows,
        (1, col) if is_aligned && col >= 0 && col % 4 == 0 && n_rows.is_multiple_of(4) => Form::Columns,
        _ => Form::Elements,
    }
}

/// Buffer position of the first element of batch element `i`.
fn batch_start(operand: &Operand) -> Fused {
    let graph = tilework_core::expr::Graph::new();
    let root = graph.leaf(0, tilework_core::dtype::Scalar::Uint).id();
    let leaf = Leaf { source: LeafSource::Offset, layout: operand.batch.clone() };
    Fused::new(&graph, &[root], operand.batch.shape.clone(), |_| leaf.clone())
}
