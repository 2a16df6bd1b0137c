//! Panels for matrix products: operands copied so that a register tile reads them in order, and the tile for WASM.

use crate::Float;

/// What happens to the sums of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They are the result.
    Store,
    /// They are added to what is there.
    Add,
}

impl Fate {
    /// Does it to one row.
    #[inline(always)]
    pub fn apply<F: Float>(self, sums: &[F], out: &mut [F]) {
        for (out, &sum) in out.iter_mut().zip(sums) {
            *out = if self == Fate::Add { out.add(sum) } else { sum };
        }
    }
}

/// Lines (rows of `a` or columns of `b`) to be packed: line `i` at depth `d` is `data[start + i·line + d·depth]`.
pub struct Strips<'a, F> {
    /// The elements.
    pub data: &'a [F],
    /// Position of the first line at the first depth.
    pub start: isize,
    /// Elements between neighbouring lines.
    pub line_stride: isize,
    /// Elements between neighbouring depths.
    pub depth_stride: isize,
}

impl<F: Copy> Strips<'_, F> {
    /// The lines from the one `n_lines` further on.
    pub fn after(&self, n_lines: usize) -> Self {
        Self { start: self.start + n_lines as isize * self.line_stride, ..*self }
    }

    /// `count` elements that follow each other, from line `line` at depth `depth` on.
    fn run(&self, line: usize, depth: usize, count: usize) -> &[F] {
        &self.data[self.position(line, depth)..][..count]
    }

    fn position(&self, line: usize, depth: usize) -> usize {
        (self.start + line as isize * self.line_stride + depth as isize * self.depth_stride) as usize
    }
}

/// Copies lines into panels of `LINES` each, in which all lines of one depth lie together; missing lines are zero.
/// `interleave` does that for lines that are even in memory.
pub fn pack<F: Float, const LINES: usize>(
    strips: &Strips<'_, F>,
    n_lines: usize,
    depth: usize,
    panels: &mut [F],
    interleave: impl Fn([&[F]; LINES], &mut [F]),
) {
    let n_whole = n_lines / LINES;
    let (whole, rest) = panels.split_at_mut(n_whole * LINES * depth);
    if strips.line_stride == 1 {
        for at_depth in 0..depth {
            let lines = strips.run(0, at_depth, n_whole * LINES);
            for (panel, lines) in lines.chunks_exact(LINES).enumerate() {
                whole[(panel * depth + at_depth) * LINES..][..LINES].copy_from_slice(lines);
            }
        }
    } else {
        for (panel, out) in whole.chunks_exact_mut(LINES * depth).enumerate() {
            let strips = strips.after(panel * LINES);
            if strips.depth_stride == 1 {
                interleave(std::array::from_fn(|line| strips.run(line, 0, depth)), out);
            } else {
                gather(&strips, LINES, LINES, out);
            }
        }
    }
    gather(&strips.after(n_whole * LINES), n_lines % LINES, LINES, rest);
}

/// Packs lines of any strides, one element at a time; those from `n_lines` on are zero.
fn gather<F: Float>(strips: &Strips<'_, F>, n_lines: usize, panel_lines: usize, out: &mut [F]) {
    for (at_depth, out) in out.chunks_exact_mut(panel_lines).enumerate() {
        for (line, out) in out.iter_mut().enumerate() {
            *out = if line < n_lines { strips.data[strips.position(line, at_depth)] } else { F::from_f64(0.0) };
        }
    }
}

/// Depths that are interleaved together: each line is then read in whole vectors.
const STEP: usize = 8;

/// Packs lines, all equally long, so that the elements of one depth lie together.
pub fn interleave_lines<F: Copy, const LINES: usize>(lines: [&[F]; LINES], panel: &mut [F]) {
    for (step, out) in panel.chunks_mut(STEP * LINES).enumerate() {
        let lines: [&[F]; LINES] = std::array::from_fn(|line| &lines[line][step * STEP..][..out.len() / LINES]);
        for (at_depth, out) in out.chunks_exact_mut(LINES).enumerate() {
            for line in 0..LINES {
                out[line] = lines[line][at_depth];
            }
        }
    }
}

/// [`pack`] for panels of four rows.
#[inline(never)]
pub fn pack_4(strips: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
    pack::<f32, 4>(strips, n_lines, depth, panels, interleave_lines);
}

/// [`pack`] for panels of eight columns.
#[inline(never)]
pub fn pack_8(strips: &Strips<'_, f32>, n_lines: usize, depth: usize, panels: &mut [f32]) {
    pack::<f32, 8>(strips, n_lines, depth, panels, interleave_lines);
}

/// The product of a packed panel of 4 rows and one of 8 columns, `a` with 4 elements for each depth and `b` with 8. The sums
/// stay in registers until it is done.
///
/// The rows of `out` are `row_stride` apart.
#[inline(never)]
pub fn tile_4x8(a: &[f32], b: &[f32], out: &mut [f32], row_stride: usize, fate: Fate) {
    let mut sums = [[Quad::zero(); 2]; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<8>().0) {
        let [low, high] = halves(b);
        let (low, high) = (Quad::of(low), Quad::of(high));
        sums[0] = [sums[0][0].plus(a[0], low), sums[0][1].plus(a[0], high)];
        sums[1] = [sums[1][0].plus(a[1], low), sums[1][1].plus(a[1], high)];
        sums[2] = [sums[2][0].plus(a[2], low), sums[2][1].plus(a[2], high)];
        sums[3] = [sums[3][0].plus(a[3], low), sums[3][1].plus(a[3], high)];
    }
    for (row, [low, high]) in sums.into_iter().enumerate() {
        let [first, second] = out[row * row_stride..][..8].as_chunks_mut::<4>().0 else { return };
        low.put(first, fate);
        high.put(second, fate);
    }
}

fn halves(eight: &[f32; 8]) -> [&[f32; 4]; 2] {
    let (low, high) = eight.split_at(4);
    [low.first_chunk().unwrap_or(&[0.0; 4]), high.first_chunk().unwrap_or(&[0.0; 4])]
}

/// Four floats in a register of WASM. Left to itself, the compiler keeps the sums of a tile in memory.
#[cfg(target_arch = "wasm32")]
#[derive(Clone, Copy)]
struct Quad(std::arch::wasm32::v128);

#[cfg(target_arch = "wasm32")]
impl Quad {
    #[inline(always)]
    fn zero() -> Quad {
        Quad(std::arch::wasm32::f32x4_splat(0.0))
    }

    #[inline(always)]
    fn of(values: &[f32; 4]) -> Quad {
        // Built from four elements it would be loaded one at a time.
        // SAFETY: the pointer is to 16 bytes, and the load needs no alignment.
        Quad(unsafe { std::arch::wasm32::v128_load(values.as_ptr().cast()) })
    }

    /// This plus `factor` times `other`.
    #[inline(always)]
    fn plus(self, factor: f32, other: Quad) -> Quad {
        use std::arch::wasm32::{f32x4_add, f32x4_mul, f32x4_splat};
        Quad(f32x4_add(self.0, f32x4_mul(f32x4_splat(factor), other.0)))
    }

    #[inline(always)]
    fn put(self, out: &mut [f32; 4], fate: Fate) {
        use std::arch::wasm32::{f32x4_add, v128_store};
        let sum = if fate == Fate::Add { f32x4_add(Quad::of(out).0, self.0) } else { self.0 };
        // SAFETY: the pointer is to 16 bytes, and the store needs no alignment.
        unsafe { v128_store(out.as_mut_ptr().cast(), sum) }
    }
}

/// The same anywhere else, for tests.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy)]
struct Quad([f32; 4]);

#[cfg(not(target_arch = "wasm32"))]
impl Quad {
    fn zero() -> Quad {
        Quad([0.0; 4])
    }

    fn of(values: &[f32; 4]) -> Quad {
        Quad(*values)
    }

    fn plus(self, factor: f32, other: Quad) -> Quad {
        Quad(std::array::from_fn(|lane| self.0[lane] + factor * other.0[lane]))
    }

    fn put(self, out: &mut [f32; 4], fate: Fate) {
        fate.apply(&self.0, out);
    }
}
