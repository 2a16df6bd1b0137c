//! The part of the images that a chunk of columns can reach, copied so that columns are gathered in runs.
//!
//! A window has zeros where the image has padding, and the elements of a row are ordered by their remainder modulo the stride:
//! neighbouring positions then read neighbouring elements, whatever stride, dilation and layout of the image.

use super::correlation::{Correlation, Walk};
use crate::ops::matmul::cpu::scratch::sized;
use std::ops::Range;
use tilework_vm::Float;
use tilework_vm::runs::Run;

/// What the columns of a chunk can reach.
pub(super) struct ImageWindow {
    correlation: Correlation,
    spans: Vec<Span>,
    images: Range<usize>,
    /// Positions along both axes.
    positions: [Range<usize>; 2],
}

/// Columns of a chunk that are neighbours in one row of positions.
struct Span {
    column: usize,
    len: usize,
    image: usize,
    y: usize,
    x: usize,
}

/// A window that is filled: where taps and runs of columns are in it.
pub(super) struct View {
    pub(super) taps: Vec<usize>,
    pub(super) runs: Vec<Run>,
}

impl ImageWindow {
    /// For these columns, of which there is at least one.
    pub(super) fn new(correlation: &Correlation, columns: Range<usize>) -> ImageWindow {
        let n_positions = correlation.n_positions();
        let row = correlation.walks[1].n_positions;
        let mut spans = Vec::new();
        let mut at = columns.start;
        while at < columns.end {
            let (image, position) = (at / n_positions, at % n_positions);
            let len = (row - position % row).min(columns.end - at);
            spans.push(Span { column: at - columns.start, len, image, y: position / row, x: position % row });
            at += len;
        }
        let y =
            spans.iter().map(|span| span.y).min().unwrap_or(0)..spans.iter().map(|span| span.y + 1).max().unwrap_or(1);
        let x = spans.iter().map(|span| span.x).min().unwrap_or(0)
            ..spans.iter().map(|span| span.x + span.len).max().unwrap_or(1);
        let images = columns.start / n_positions..(columns.end - 1) / n_positions + 1;
        ImageWindow { correlation: *correlation, spans, images, positions: [y, x] }
    }

    /// What the depths in `block` reach.
    fn reach(&self, block: &Range<usize>) -> Reach {
        let [walk_y, walk_x] = self.correlation.walks;
        let n_taps = self.correlation.n_taps();
        let channels = block.start / n_taps..(block.end - 1) / n_taps + 1;
        let taps_y = if channels.len() == 1 {
            block.start % n_taps / walk_x.n_taps..(block.end - 1) % n_taps / walk_x.n_taps + 1
        } else {
            0..walk_y.n_taps
        };
        let [positions_y, positions_x] = &self.positions;
        let y = Extent::new(&walk_y, positions_y, taps_y);
        let x = Extent::new(&walk_x, positions_x, 0..walk_x.n_taps);
        let phase_len = x.len.div_ceil(walk_x.per_position as usize);
        let row_len = phase_len * walk_x.per_position as usize;
        Reach { channels, y, x, phase_len, row_len }
    }

    /// Elements of the window for `block`, or `None` if they cannot be counted.
    pub(super) fn n_elements(&self, block: &Range<usize>) -> Option<usize> {
        let reach = self.reach(block);
        let plane = reach.row_len.checked_mul(reach.y.len)?;
        plane.checked_mul(reach.channels.len())?.checked_mul(self.images.len())
    }

    /// Fills `elements` for the depths in `block`, with `slack` elements more at the end.
    pub(super) fn fill<F: Float>(
        &self,
        x: &[F],
        group: usize,
        block: Range<usize>,
        slack: usize,
        elements: &mut Vec<F>,
    ) -> View {
        let reach = self.reach(&block);
        let [walk_y, walk_x] = self.correlation.walks;
        let plane = reach.row_len * reach.y.len;
        let elements = sized(elements, self.images.len() * reach.channels.len() * plane + slack);
        let (used_rows, used_phases) = (reach.y.used(&walk_y), reach.phases(&walk_x));
        let first_channel = group * self.correlation.n_channels;
        let mut planes = elements.chunks_exact_mut(plane);
        for image in self.images.clone() {
            for channel in reach.channels.clone() {
                let Some(plane) = planes.next() else { break };
                let source = self.correlation.x.at([image, first_channel + channel, 0, 0]);
                for (row, out) in plane.chunks_exact_mut(reach.row_len).enumerate() {
                    let y = reach.y.low + row as isize;
                    if !used_rows[row] {
                        continue;
                    }
                    if y < 0 || y >= walk_y.size as isize {
                        out.fill(F::default());
                        continue;
                    }
                    let source = source + y * self.correlation.x.strides[2];
                    for &phase in &used_phases {
                        let out = &mut out[phase * reach.phase_len..][..reach.phase_len];
                        self.fill_phase(x, source, reach.x.low + phase as isize, out);
                    }
                }
            }
        }
        self.view(&reach, &block)
    }

    /// Every `per_position`-th element of a row of the image from position `first` on, zero outside.
    fn fill_phase<F: Float>(&self, x: &[F], row: isize, first: isize, out: &mut [F]) {
        let walk = &self.correlation.walks[1];
        let step = walk.per_position;
        // Places below 0, and places below the end of the image.
        let n_before = (-first).max(0).unsigned_abs().div_ceil(step as usize).min(out.len());
        let n_inside = (walk.size as isize - first).max(0).unsigned_abs().div_ceil(step as usize).min(out.len());
        let n_inside = n_inside.max(n_before);
        out[..n_before].fill(F::default());
        out[n_inside..].fill(F::default());
        if n_before == n_inside {
            return;
        }
        let stride = self.correlation.x.strides[3];
        let start = row + (first + n_before as isize * step) * stride;
        let out = &mut out[n_before..n_inside];
        if stride * step == 1 {
            out.copy_from_slice(&x[start as usize..][..out.len()]);
        } else {
            for (out, k) in out.iter_mut().zip(0isize..) {
                *out = x[(start + k * stride * step) as usize];
            }
        }
    }

    fn view(&self, reach: &Reach, block: &Range<usize>) -> View {
        let [walk_y, walk_x] = self.correlation.walks;
        let n_taps = self.correlation.n_taps();
        let plane = reach.row_len * reach.y.len;
        let tap = |depth: usize| {
            let (channel, tap) = (depth / n_taps, depth % n_taps);
            let y = reach.y.tap(&walk_y, tap / walk_x.n_taps);
            let x = reach.x.tap(&walk_x, tap % walk_x.n_taps);
            let (phase, place) = (x % walk_x.per_position as usize, x / walk_x.per_position as usize);
            (channel - reach.channels.start) * plane + y * reach.row_len + phase * reach.phase_len + place
        };
        let run = |span: &Span| {
            let image = (span.image - self.images.start) * reach.channels.len() * plane;
            let y = (span.y - self.positions[0].start) * walk_y.per_position as usize;
            let start = image + y * reach.row_len + (span.x - self.positions[1].start);
            Run { column: span.column, len: span.len, start }
        };
        View { taps: block.clone().map(tap).collect(), runs: self.spans.iter().map(run).collect() }
    }
}

struct Reach {
    channels: Range<usize>,
    y: Extent,
    x: Extent,
    /// Elements of a row with one remainder modulo the stride.
    phase_len: usize,
    row_len: usize,
}

impl Reach {
    /// The remainders modulo the stride that some tap has.
    fn phases(&self, walk: &Walk) -> Vec<usize> {
        let mut phases: Vec<usize> =
            (0..walk.n_taps).map(|tap| self.x.tap(walk, tap) % walk.per_position as usize).collect();
        phases.sort_unstable();
        phases.dedup();
        phases
    }
}

/// What positions and taps reach along one axis.
struct Extent {
    /// First place.
    low: isize,
    len: usize,
    n_positions: usize,
    taps: Range<usize>,
}

impl Extent {
    fn new(walk: &Walk, positions: &Range<usize>, taps: Range<usize>) -> Extent {
        let (first, last) = (taps.start as isize * walk.per_tap, (taps.end - 1) as isize * walk.per_tap);
        let n_positions = positions.len();
        Extent {
            low: walk.origin + positions.start as isize * walk.per_position + first.min(last),
            len: (n_positions - 1) * walk.per_position as usize + first.abs_diff(last) + 1,
            n_positions,
            taps,
        }
    }

    /// Where a tap is for the first position, from the first place on.
    fn tap(&self, walk: &Walk, tap: usize) -> usize {
        let lowest = if walk.per_tap < 0 { self.taps.end - 1 } else { self.taps.start };
        ((tap as isize - lowest as isize) * walk.per_tap) as usize
    }

    /// Which places some tap of some position reads.
    fn used(&self, walk: &Walk) -> Vec<bool> {
        let mut used = vec![false; self.len];
        for tap in self.taps.clone() {
            let start = self.tap(walk, tap);
            let reached = used[start..].iter_mut().step_by(walk.per_position as usize).take(self.n_positions);
            reached.for_each(|place| *place = true);
        }
        used
    }
}

/// Runs of columns cut at the edges of panels of `width`, with columns counted from the edge.
pub(super) fn split_runs(runs: &[Run], width: usize, n_panels: usize) -> Vec<Vec<Run>> {
    let mut panels = vec![Vec::new(); n_panels];
    for run in runs {
        let mut done = 0;
        while done < run.len {
            let column = run.column + done;
            let len = (width - column % width).min(run.len - done);
            panels[column / width].push(Run { column: column % width, len, start: run.start + done });
            done += len;
        }
    }
    panels
}
