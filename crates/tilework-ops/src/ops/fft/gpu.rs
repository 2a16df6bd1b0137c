//! The passes of a transform.
//!
//! Every pass is the same kernel, a Stockham stage whose radix is as large as workgroup memory allows: one for lines up to 2048
//! points, two or three for longer ones, without a transposition in between. What a first pass reads and a last one stores is a
//! small WGSL module each, so that padding, the convolution for awkward lengths and the halves of real lines cost no pass.

use super::{Fft, Form, Lines};
use crate::op::{Op, PlanCx};
use std::fmt::Write;
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, Slots};
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_vm::fft::{Direction, convolution_len};

macro_rules! kernels {
    ($($NAME:ident $file:literal)*) => {
        $(pub(super) const $NAME: &str = tilework_core::wgsl!(concat!("wgsl/", $file));)*
        /// The kernels of the complex transform.
        pub(super) const KERNELS: &[(&str, &str)] = &[$(($file, $NAME)),*];
    };
}
kernels! {
    PASS "pass.wgsl"
    COMPLEX "complex.wgsl"
    CHIRP "chirp.wgsl"
    RADIX_2 "radix_2.wgsl"
    RADIX_3 "radix_3.wgsl"
    RADIX_4 "radix_4.wgsl"
    RADIX_5 "radix_5.wgsl"
    RADIX_7 "radix_7.wgsl"
    RADIX_8 "radix_8.wgsl"
    INPUT_COMPLEX "input_complex.wgsl"
    INPUT_REAL "input_real.wgsl"
    INPUT_HALF "input_half.wgsl"
    LOAD_PLAIN "load_plain.wgsl"
    LOAD_CHIRPED "load_chirped.wgsl"
    LOAD_FILTER "load_filter.wgsl"
    LOAD_PRODUCT "load_product.wgsl"
    OUTPUT_COMPLEX "output_complex.wgsl"
    OUTPUT_REAL "output_real.wgsl"
    OUTPUT_PAIRS "output_pairs.wgsl"
    STORE_PLAIN "store_plain.wgsl"
    STORE_CHIRPED "store_chirped.wgsl"
}
pub(super) const SPLIT_REAL: &str = tilework_core::wgsl!("wgsl/split_real.wgsl");
pub(super) const JOIN_REAL: &str = tilework_core::wgsl!("wgsl/join_real.wgsl");

/// Points a workgroup can hold: 16 KB.
const MAX_TILE: usize = 2048;
/// Points of a pass of several: four units side by side fit, so that a read or write covers a sector of memory.
const MAX_RADIX: usize = 512;
/// Longest transform: beyond, 32-bit arithmetic on fractions of a turn would overflow.
const MAX_POINTS: usize = 1 << 26;

/// What a first pass reads or a last one stores.
type End<'a> = Box<dyn Fn(KernelBuilder) -> KernelBuilder + 'a>;

pub(super) fn plan(op: &Fft, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let x = cx.inputs[0].permuted(&op.order(cx.inputs[0].grid.rank()));
    let lines = op.lines(&cx.inputs[0].grid);
    if lines.n > MAX_POINTS {
        return Err(Error::shape(
            op.signature().name,
            format!("a GPU transforms up to {MAX_POINTS} points, not {}", lines.n),
        ));
    }
    let is_half = lines.n.is_multiple_of(2);
    match op.form {
        Form::Real if is_half => real_by_half(op, cx, &x, &lines),
        Form::RealInverse(_) if is_half => real_inverse_by_half(op, cx, &x, &lines),
        _ => direct(op, cx, &x, &lines),
    }
}

/// The transform of a whole line, also of a real one.
fn direct(op: &Fft, cx: &mut PlanCx<'_>, x: &Fused, lines: &Lines) -> Result<Vec<Pass>> {
    let is_inverse = op.direction() == Direction::Inverse;
    let slots = cx.slots;
    let input: End<'_> = match op.form {
        Form::Complex(_) => Box::new(move |builder| {
            let builder = builder.file(INPUT_COMPLEX).prelude(&format!("const READS_SWAPPED: bool = {is_inverse};"));
            builder.param("n_items", lines.n as u32).source("x", x, slots)
        }),
        Form::Real => {
            Box::new(move |builder| builder.file(INPUT_REAL).param("n_items", lines.n as u32).source("x", x, slots))
        }
        Form::RealInverse(_) => Box::new(move |builder| {
            let builder = builder.file(INPUT_HALF).param("n_items", lines.n_in as u32);
            builder.param("n_points", lines.n as u32).source("x", x, slots)
        }),
    };
    let sink = Sink::of(cx);
    let output = move |builder: KernelBuilder, scale: f64| {
        let builder = match op.form {
            Form::RealInverse(_) => builder.file(OUTPUT_REAL),
            _ => builder.file(OUTPUT_COMPLEX).prelude(&format!("const STORES_SWAPPED: bool = {is_inverse};")),
        };
        sink.add(output_params(builder, lines.n_out, lines.n_inner, scale * op.scale(lines.n)))
    };
    let temp = &mut *cx.temp;
    let mut chain =
        Chain { label: op.signature().name, n_lines: lines.count(), max_workgroups: cx.caps.max_workgroups, temp };
    chain.any_length(lines.n, input, &output)
}

/// n real points as n/2 complex ones, and a pass that tells their transforms apart.
fn real_by_half(op: &Fft, cx: &mut PlanCx<'_>, x: &Fused, lines: &Lines) -> Result<Vec<Pass>> {
    let (n_half, slots) = (lines.n / 2, cx.slots);
    let input: End<'_> = Box::new(move |builder| {
        let builder = builder.file(INPUT_COMPLEX).prelude("const READS_SWAPPED: bool = false;");
        builder.param("n_items", n_half as u32).source("x", x, slots)
    });
    let halves = Temp::new(lines.count() * n_half, cx.temp)?;
    let output = |builder: KernelBuilder, scale: f64| halves.sink(builder, n_half, scale);
    let mut chain = Chain {
        label: "rfft half",
        n_lines: lines.count(),
        max_workgroups: cx.caps.max_workgroups,
        temp: &mut *cx.temp,
    };
    let mut passes = chain.any_length(n_half, input, &output)?;
    let n = lines.count() * lines.n_out;
    let builder = KernelBuilder::new("rfft")
        .file(SPLIT_REAL)
        .file(COMPLEX)
        .param("n_elements", n as u32)
        .param("n_half", n_half as u32)
        .param("n_inner", lines.n_inner.max(1) as u32)
        .param("scale", (op.scale(lines.n) as f32).to_bits());
    let builder = cx.sink(halves.source(builder, "z"), "y");
    passes.push(builder.build(cx.workgroups(n.div_ceil(256))));
    Ok(passes)
}

/// The reverse of [`real_by_half`].
fn real_inverse_by_half(op: &Fft, cx: &mut PlanCx<'_>, x: &Fused, lines: &Lines) -> Result<Vec<Pass>> {
    let n_half = lines.n / 2;
    let halves = Temp::new(lines.count() * n_half, cx.temp)?;
    let n = lines.count() * n_half;
    let join = KernelBuilder::new("irfft halves")
        .file(JOIN_REAL)
        .file(COMPLEX)
        .param("n_elements", n as u32)
        .param("n_half", n_half as u32)
        .source("x", x, cx.slots)
        .sink("y", DType::F32, halves.slot, DType::F32, None)
        .build(cx.workgroups(n.div_ceil(256)));
    let input: End<'_> = Box::new(|builder| {
        let builder = builder.file(INPUT_COMPLEX).prelude("const READS_SWAPPED: bool = true;");
        halves.source(builder.param("n_items", n_half as u32), "x")
    });
    let sink = Sink::of(cx);
    let output = move |builder: KernelBuilder, scale: f64| {
        sink.add(output_params(builder.file(OUTPUT_PAIRS), n_half, lines.n_inner, scale * op.scale(lines.n)))
    };
    let mut chain =
        Chain { label: "irfft", n_lines: lines.count(), max_workgroups: cx.caps.max_workgroups, temp: &mut *cx.temp };
    let mut passes = vec![join];
    passes.extend(chain.any_length(n_half, input, &output)?);
    Ok(passes)
}

fn output_params(builder: KernelBuilder, n_results: usize, n_inner: usize, scale: f64) -> KernelBuilder {
    let builder = builder.param("n_results", n_results as u32).param("n_inner", n_inner.max(1) as u32);
    builder.param("scale", (scale as f32).to_bits())
}

/// What is needed of a [`PlanCx`] to store results while its temporaries are being made.
#[derive(Clone, Copy)]
struct Sink<'a> {
    slot: usize,
    stored: DType,
    dtype: DType,
    epilogue: Option<(&'a Fused, Slots<'a>)>,
}

impl<'a> Sink<'a> {
    fn of(cx: &PlanCx<'a>) -> Sink<'a> {
        let epilogue = cx.epilogue.map(|fused| (fused, cx.slots));
        Sink { slot: cx.out_slot, stored: cx.out_dtype, dtype: cx.out.dtype, epilogue }
    }

    fn add(&self, builder: KernelBuilder) -> KernelBuilder {
        builder.sink("y", self.dtype, self.slot, self.stored, self.epilogue)
    }
}

/// Complex numbers between passes.
struct Temp {
    slot: usize,
    layout: Layout,
}

impl Temp {
    fn new(n_points: usize, make: &mut dyn FnMut(u64) -> usize) -> Result<Temp> {
        let shape = Shape::new("fft", vec![2 * n_points.max(1)])?;
        Ok(Temp { slot: make(8 * n_points.max(1) as u64), layout: Layout::contiguous(shape) })
    }

    fn source(&self, builder: KernelBuilder, name: &str) -> KernelBuilder {
        builder.source(name, &Fused::read(0, DType::F32, self.layout.clone()), &[self.slot.into()])
    }

    /// Stores whole lines of `n` points.
    fn sink(&self, builder: KernelBuilder, n: usize, scale: f64) -> KernelBuilder {
        let builder = builder.file(OUTPUT_COMPLEX).prelude("const STORES_SWAPPED: bool = false;");
        output_params(builder, n, 1, scale).sink("y", DType::F32, self.slot, DType::F32, None)
    }
}

/// The passes of one transform after the other.
struct Chain<'a> {
    label: &'static str,
    n_lines: usize,
    max_workgroups: u32,
    temp: &'a mut dyn FnMut(u64) -> usize,
}

impl Chain<'_> {
    /// The forward transform of what `input` reads, stored by `output` times the given factor.
    fn any_length(
        &mut self,
        n: usize,
        input: End<'_>,
        output: &dyn Fn(KernelBuilder, f64) -> KernelBuilder,
    ) -> Result<Vec<Pass>> {
        if let Some(groups) = radix_groups(n) {
            let first: End<'_> = Box::new(|builder| input(builder.file(LOAD_PLAIN)));
            let last: End<'_> = Box::new(|builder| output(builder.file(STORE_PLAIN), 1.0));
            return self.smooth(n, &groups, &first, &last);
        }
        // Bluestein: the line times the chirp, convolved with the conjugate chirp, times the chirp.
        let n_padded = convolution_len(2 * n - 1);
        let groups = radix_groups(n_padded).unwrap_or_default();
        let chirp = move |builder: KernelBuilder| builder.file(CHIRP).param("n_chirp", n as u32);
        let n_lines = std::mem::replace(&mut self.n_lines, 1);
        let filter = Temp::new(n_padded, self.temp)?;
        let first: End<'_> = Box::new(|builder| chirp(builder.file(LOAD_FILTER)).param("n_padded", n_padded as u32));
        let last: End<'_> = Box::new(|builder| filter.sink(builder.file(STORE_PLAIN), n_padded, 1.0));
        let mut passes = self.smooth(n_padded, &groups, &first, &last)?;
        self.n_lines = n_lines;
        let spectrum = Temp::new(n_lines * n_padded, self.temp)?;
        let first: End<'_> = Box::new(|builder| input(chirp(builder.file(LOAD_CHIRPED))));
        let last: End<'_> = Box::new(|builder| spectrum.sink(builder.file(STORE_PLAIN), n_padded, 1.0));
        passes.extend(self.smooth(n_padded, &groups, &first, &last)?);
        let first: End<'_> = Box::new(|builder| {
            let builder = builder.file(LOAD_PRODUCT).param("n_padded", n_padded as u32);
            filter.source(spectrum.source(builder, "x"), "filter_at")
        });
        let last: End<'_> = Box::new(|builder| output(chirp(builder.file(STORE_CHIRPED)), 1.0 / n_padded as f64));
        passes.extend(self.smooth(n_padded, &groups, &first, &last)?);
        Ok(passes)
    }

    /// A length that is made of small factors.
    fn smooth(&mut self, n: usize, groups: &[Vec<usize>], first: &End<'_>, last: &End<'_>) -> Result<Vec<Pass>> {
        let mut passes = Vec::new();
        let mut between: Option<Temp> = None;
        let mut done = 1;
        for (index, radices) in groups.iter().enumerate() {
            let radix: usize = radices.iter().product();
            let builder = KernelBuilder::new(self.label);
            let builder = match &between {
                None => first(builder),
                Some(temp) => {
                    let builder =
                        builder.file(LOAD_PLAIN).file(INPUT_COMPLEX).prelude("const READS_SWAPPED: bool = false;");
                    temp.source(builder.param("n_items", n as u32), "x")
                }
            };
            let (builder, next) = if index + 1 == groups.len() {
                (last(builder), None)
            } else {
                let temp = Temp::new(self.n_lines * n, self.temp)?;
                (temp.sink(builder.file(STORE_PLAIN), n, 1.0), Some(temp))
            };
            passes.push(self.pass(builder, radices, n / radix, done));
            between = next;
            done *= radix;
        }
        Ok(passes)
    }

    fn pass(&self, builder: KernelBuilder, radices: &[usize], n_steps: usize, done: usize) -> Pass {
        let radix: usize = radices.iter().product();
        let n_units = self.n_lines * n_steps;
        let fitting = (MAX_TILE / radix).min(n_units.next_power_of_two());
        let units = if fitting.is_power_of_two() { fitting } else { fitting.next_power_of_two() / 2 };
        let mut builder = builder
            .file(PASS)
            .file(COMPLEX)
            .prelude(&format!("const RADIX: u32 = {radix}u;\nconst UNITS: u32 = {units}u;"))
            .prelude(&format!("const READS_LINES: bool = {};", n_steps == 1))
            .prelude(&format!("const STORES_LINES: bool = {};\nconst IS_FIRST: bool = {};", done == 1, done == 1))
            .param("n_units", n_units as u32)
            .param("n_steps", n_steps as u32)
            .param("done", done as u32);
        let mut stages = String::from("fn transform_tile(lane: u32) {\n");
        let (mut inner_done, mut files) = (1, Vec::new());
        for &radix in radices {
            _ = writeln!(stages, "    stage_{radix}(lane, {inner_done}u);");
            inner_done *= radix;
            if !files.contains(&radix) {
                files.push(radix);
                builder = builder.file(stage_file(radix));
            }
        }
        stages.push('}');
        let n_workgroups = n_units.div_ceil(units);
        builder.prelude(&stages).build(tilework_core::plan::fold_workgroups(n_workgroups, self.max_workgroups))
    }
}

fn stage_file(radix: usize) -> &'static str {
    match radix {
        2 => RADIX_2,
        3 => RADIX_3,
        4 => RADIX_4,
        5 => RADIX_5,
        7 => RADIX_7,
        _ => RADIX_8,
    }
}

/// The stages of each pass, or `None` if `n` has a prime factor above 7.
fn radix_groups(n: usize) -> Option<Vec<Vec<usize>>> {
    let mut primes = Vec::new();
    let mut rest = n;
    for prime in [7, 5, 3, 2] {
        while rest.is_multiple_of(prime) {
            primes.push(prime);
            rest /= prime;
        }
    }
    if rest != 1 {
        return None;
    }
    if n <= MAX_TILE {
        return Some(vec![stages(&primes)]);
    }
    (2..).find_map(|n_groups| {
        let mut groups = vec![Vec::new(); n_groups];
        for &prime in &primes {
            let smallest = groups.iter_mut().min_by_key(|group| group.iter().product::<usize>())?;
            smallest.push(prime);
        }
        let fits = groups.iter().all(|group| group.iter().product::<usize>() <= MAX_RADIX);
        fits.then(|| groups.iter().map(|group| stages(group)).collect())
    })
}

/// Stages of a transform in workgroup memory: twos are taken three at a time.
fn stages(primes: &[usize]) -> Vec<usize> {
    let mut stages: Vec<usize> = primes.iter().copied().filter(|&prime| prime != 2).collect();
    let mut n_twos = primes.len() - stages.len();
    while n_twos > 0 {
        let take = if n_twos == 4 || n_twos == 2 { 2 } else { n_twos.min(3) };
        stages.push(1 << take);
        n_twos -= take;
    }
    stages
}
