//! Correlations on the GPU: the kernels of the matrix product, with a right operand that is gathered from the images and
//! results that go where positions of images are.

use super::correlation::{Correlation, Placed};
use crate::op::{PlanCx, Variants};
use crate::ops::matmul::gpu as product;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::{Caps, Pass, Source};
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// A `.wgsl` file of this folder with its name.
macro_rules! kernel_files {
    ($($constant:ident $file:literal)*) => {
        $(const $constant: &str = tilework_core::wgsl!(concat!("wgsl/", $file));)*
        pub(super) const KERNELS: &[(&str, &str)] = &[$(($file, $constant)),*];
    };
}
kernel_files! {
    SIMPLE "conv_simple.wgsl"
    X_AT "x_at.wgsl"
    WEIGHT_AT "weight_at.wgsl"
    B_IMAGE "b_image.wgsl"
    STORE_IMAGE "store_image.wgsl"
    Y_INDEX "y_index.wgsl"
    PARTS "image_parts.wgsl"
    PACK_WEIGHTS "pack_weights.wgsl"
}

/// Kernels with up to this many taps are compiled for their size: divisions by it become multiplications.
const MAX_CONSTANT_TAPS: usize = 64;

/// A kernel that computes tiles of blocks.
struct Blocked {
    name: &'static str,
    label: &'static str,
    file: &'static str,
    /// Rows and columns a workgroup computes, and the fewest there may be.
    tile: [usize; 2],
    least: [usize; 2],
}

const SHARED: Blocked =
    Blocked { name: "shared", label: "conv_shared", file: product::SHARED, tile: [64, 128], least: [8, 4] };
const DIRECT: Blocked =
    Blocked { name: "direct", label: "conv_direct", file: product::DIRECT, tile: [32, 32], least: [4, 4] };

impl Blocked {
    fn fits(&self, correlation: &Correlation, caps: &Caps) -> bool {
        let sizes = [correlation.n_rows, correlation.n_columns()];
        let tiles = [0, 1].map(|k| sizes[k].div_ceil(self.tile[k]));
        let most = tiles[0].max(tiles[1]).max(correlation.n_groups);
        correlation.depth() > 0
            && sizes.iter().zip(self.least).all(|(&size, least)| size >= least)
            && most <= caps.max_workgroups as usize
    }
}

/// The kernels that can compute a correlation, the best guess first.
pub(crate) fn variants(correlation: &Correlation, caps: &Caps) -> Variants {
    let (m, n) = (correlation.n_rows, correlation.n_columns());
    // A program that imitates a GPU keeps workgroup memory where all other memory is, and pays for barriers.
    let prefers_shared = m >= 32 && n >= 64 && !caps.software;
    let order = if prefers_shared { [SHARED, DIRECT] } else { [DIRECT, SHARED] };
    let mut names: Vec<&'static str> =
        order.iter().filter(|kernel| kernel.fits(correlation, caps)).map(|kernel| kernel.name).collect();
    names.push("simple");
    Variants { names, sizes: vec![m, n, correlation.depth()] }
}

/// The two operands as kernels read them: by address.
pub(crate) struct Operands {
    pub(crate) layouts: [Layout; 2],
    inputs: [usize; 2],
    everywhere: [Fused; 2],
}

impl Operands {
    pub(crate) fn of(op: &str, cx: &PlanCx<'_>) -> Result<Operands> {
        let (Some(x), Some(weight)) = (cx.inputs[0].as_read(), cx.inputs[1].as_read()) else {
            return Err(Error::argument(op, "operands must be plain reads"));
        };
        let all = Layout::contiguous(Shape::new(op, vec![1 << 30])?);
        Ok(Operands {
            layouts: [x.2.clone(), weight.2.clone()],
            inputs: [x.0, weight.0],
            everywhere: [Fused::read(x.0, x.1, all.clone()), Fused::read(weight.0, weight.1, all)],
        })
    }

    /// Defines the elements of both operands by their coordinates.
    pub(crate) fn elements(
        &self,
        builder: KernelBuilder,
        cx: &PlanCx<'_>,
        x: &Placed<4>,
        weight: &Placed<5>,
    ) -> KernelBuilder {
        self.weights(self.images(builder, cx, x).file(X_AT), cx, weight)
    }

    fn images(&self, builder: KernelBuilder, cx: &PlanCx<'_>, x: &Placed<4>) -> KernelBuilder {
        let builder = builder.source("x_element", &self.everywhere[0], cx.slots);
        placed(builder, x, "x_start", ["x_image", "x_channel", "x_y", "x_x"])
    }

    fn weights(&self, builder: KernelBuilder, cx: &PlanCx<'_>, weight: &Placed<5>) -> KernelBuilder {
        let builder = builder.file(WEIGHT_AT).source("weight_element", &self.everywhere[1], cx.slots);
        let names = ["weight_group", "weight_row", "weight_channel", "weight_y", "weight_x"];
        placed(builder, weight, "weight_start", names)
    }
}

/// Offset and strides as parameters.
fn placed<const RANK: usize>(
    builder: KernelBuilder,
    place: &Placed<RANK>,
    start: &str,
    names: [&str; RANK],
) -> KernelBuilder {
    let builder = builder.param(start, place.offset as i32 as u32);
    names.iter().zip(place.strides).fold(builder, |builder, (name, stride)| builder.param(name, stride as i32 as u32))
}

/// The passes that compute `correlation` by the kernel called `variant`.
pub(crate) fn plan(
    cx: &mut PlanCx<'_>,
    operands: &Operands,
    correlation: &Correlation,
    variant: &str,
) -> Result<Vec<Pass>> {
    match variant {
        "shared" => blocked(cx, operands, correlation, &SHARED),
        "direct" => blocked(cx, operands, correlation, &DIRECT),
        _ => Ok(vec![simple(cx, operands, correlation)]),
    }
}

fn simple(cx: &PlanCx<'_>, operands: &Operands, correlation: &Correlation) -> Pass {
    let [walk_y, walk_x] = correlation.walks;
    let builder = common(KernelBuilder::new("conv_simple").file(SIMPLE), correlation)
        .param("n_results", correlation.n_results() as u32)
        .param("n_groups", correlation.n_groups as u32)
        .param("taps_y", walk_y.n_taps as u32)
        .param("taps_x", walk_x.n_taps as u32);
    let builder = operands.elements(walks(builder, correlation), cx, &correlation.x, &correlation.weight);
    cx.sink(builder, "y").build(cx.workgroups(correlation.n_results().div_ceil(256)))
}

/// Sizes, and where results go.
fn common(builder: KernelBuilder, correlation: &Correlation) -> KernelBuilder {
    let builder = builder
        .file(Y_INDEX)
        .param("m", correlation.n_rows.max(1) as u32)
        .param("n_positions", correlation.n_positions().max(1) as u32)
        .param("positions_x", correlation.walks[1].n_positions.max(1) as u32);
    placed(builder, &correlation.y, "y_start", ["y_image", "y_row", "y_y", "y_x"])
}

/// How positions and taps walk over the images.
fn walks(builder: KernelBuilder, correlation: &Correlation) -> KernelBuilder {
    let builder = builder.param("n_channels", correlation.n_channels as u32);
    correlation.walks.iter().zip(["y", "x"]).fold(builder, |builder, (walk, axis)| {
        builder
            .param(&format!("origin_{axis}"), walk.origin as i32 as u32)
            .param(&format!("per_position_{axis}"), walk.per_position as u32)
            .param(&format!("per_tap_{axis}"), walk.per_tap as i32 as u32)
            .param(&format!("size_{axis}"), walk.size as u32)
    })
}

fn blocked(cx: &mut PlanCx<'_>, operands: &Operands, correlation: &Correlation, kernel: &Blocked) -> Result<Vec<Pass>> {
    let (m, n, k) = (correlation.n_rows, correlation.n_columns(), correlation.depth());
    let n_groups = correlation.n_groups;
    let tiles = [n.div_ceil(kernel.tile[1]), m.div_ceil(kernel.tile[0])];
    let n_parts = product::n_parts(tiles[0] * tiles[1] * n_groups, k, n_groups, cx.caps);
    let n_blocks = k.div_ceil(4);
    let part_blocks = n_blocks.div_ceil(n_parts).next_multiple_of(4);
    let n_parts = n_blocks.div_ceil(part_blocks);
    let mut passes = Vec::new();
    let rows = Rows::new(cx, operands, correlation, &mut passes);
    let builder = KernelBuilder::new(kernel.label)
        .file(kernel.file)
        .file(product::BLOCK)
        .file(B_IMAGE)
        .param("n", n as u32)
        .param("k", k as u32)
        .param("n_parts", n_parts as u32)
        .param("part_blocks", part_blocks as u32);
    let builder = rows.define(taps(walks(common(builder, correlation), correlation), correlation));
    let builder = operands.images(builder, cx, &correlation.x);
    let workgroups = [tiles[0], tiles[1], n_groups * n_parts].map(|n| n as u32);
    if n_parts == 1 {
        passes.push(cx.sink(builder.file(STORE_IMAGE), "y").build(workgroups));
        return Ok(passes);
    }
    let n_results = correlation.n_results();
    let dtype = cx.out.dtype;
    let parts = (cx.temp)((n_results * n_parts * dtype.size_bytes()) as u64);
    passes.push(builder.file(product::STORE).sink("y", dtype, parts, dtype, None).build(workgroups));
    let whole = Layout::contiguous(Shape::new("conv", vec![n_results * n_parts])?);
    let sum = common(KernelBuilder::new("conv_parts").file(PARTS), correlation)
        .param("n", n as u32)
        .param("n_results", n_results as u32)
        .param("n_parts", n_parts as u32)
        .source("parts", &Fused::read(0, dtype, whole), &[parts.into()]);
    passes.push(cx.sink(sum, "y").build(cx.workgroups(n_results.div_ceil(256))));
    Ok(passes)
}

/// Defines the numbers of taps, as constants where there are few.
fn taps(builder: KernelBuilder, correlation: &Correlation) -> KernelBuilder {
    let (n_taps, n_taps_x) = (correlation.n_taps(), correlation.walks[1].n_taps);
    let function = |name: &str, value: &str| format!("fn {name}() -> u32 {{ return {value}; }}");
    if n_taps <= MAX_CONSTANT_TAPS {
        return builder
            .prelude(&function("n_taps", &format!("{n_taps}u")))
            .prelude(&function("n_taps_x", &format!("{n_taps_x}u")));
    }
    builder
        .param("n_taps", n_taps as u32)
        .param("n_taps_x", n_taps_x as u32)
        .prelude(&function("n_taps", "params.n_taps"))
        .prelude(&function("n_taps_x", "params.n_taps_x"))
}

/// The weights as a matrix with even rows in loads of 16 bytes.
struct Rows {
    source: Source,
    start: usize,
    group_stride: usize,
    row_stride: usize,
}

impl Rows {
    /// The weights where they are if they lie like that, else a copy.
    fn new(cx: &mut PlanCx<'_>, operands: &Operands, correlation: &Correlation, passes: &mut Vec<Pass>) -> Rows {
        let (m, k, n_groups) = (correlation.n_rows, correlation.depth(), correlation.n_groups);
        let (n_taps, n_taps_x) = (correlation.n_taps(), correlation.walks[1].n_taps);
        let weight = &correlation.weight;
        let even = [m * k, k, n_taps, n_taps_x, 1];
        let counts = [n_groups, m, correlation.n_channels, correlation.walks[0].n_taps, n_taps_x];
        // The stride of an axis with one element is never used.
        let is_even = (0..5).all(|axis| counts[axis] == 1 || weight.strides[axis] == even[axis] as isize);
        if is_even && k.is_multiple_of(4) && weight.offset % 4 == 0 {
            let source = cx.slots[operands.inputs[1]];
            return Rows { source, start: weight.offset as usize, group_stride: m * k, row_stride: k };
        }
        let row_len = k.next_multiple_of(4);
        let n_packed = n_groups * m * row_len;
        let slot = (cx.temp)((n_packed * cx.out.dtype.size_bytes()) as u64);
        let builder = KernelBuilder::new("conv_weights")
            .file(PACK_WEIGHTS)
            .param("n_packed", n_packed as u32)
            .param("row_len", row_len as u32)
            .param("k", k as u32)
            .param("m", m as u32)
            .param("n_taps", n_taps as u32)
            .param("n_taps_x", n_taps_x as u32);
        let builder = operands.weights(builder, cx, weight).sink("packed", cx.out.dtype, slot, cx.out.dtype, None);
        passes.push(builder.build(cx.workgroups(n_packed.div_ceil(256))));
        Rows { source: slot.into(), start: 0, group_stride: m * row_len, row_stride: row_len }
    }

    /// Defines what the block kernels read the left operand with.
    fn define(&self, builder: KernelBuilder) -> KernelBuilder {
        builder
            .file(product::A_ROWS)
            .quads("a4", self.source)
            .param("a_start", self.start as u32)
            .param("a_group", self.group_stride as u32)
            .param("a_row", self.row_stride as u32)
            .prelude("fn a_batch(group: u32) -> u32 { return params.a_start + group * params.a_group; }")
    }
}
