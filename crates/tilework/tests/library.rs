//! Functions of the library as careless callers send them, and indexing as Rust writes it.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#![cfg(feature = "numpy")]

mod common;

use pollster::block_on;
use tilework::layers::ops::attrs::AttrKind;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{DType, Device, Function, Index, Input, Range};

/// A fixed sequence of careless numbers.
struct Careless(u64);

impl Careless {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn input(&mut self, device: &Device) -> Input {
        if self.below(6) == 0 {
            return Input::Number(self.pick(&[2.0, -1.0, 0.5, f64::NAN, 1e300]));
        }
        let shape: Vec<usize> = (0..self.below(4)).map(|_| self.pick(&[0, 1, 2, 3])).collect();
        let dtype = self.pick(&[DType::F32, DType::F32, DType::I32, DType::Bool, DType::U32]);
        let n: usize = shape.iter().product();
        Input::Array((device.arange(n) - 2).cast(dtype).reshape(shape))
    }

    fn whole(&mut self) -> i64 {
        self.pick(&[0, 1, 2, 3, -1, -2, 5, 7, i64::MAX, i64::MIN, 1 << 31, -(1 << 40)])
    }

    fn value(&mut self, kind: AttrKind) -> Attr {
        match kind {
            AttrKind::Axis | AttrKind::Size => Attr::Integer(self.whole()),
            AttrKind::Axes | AttrKind::Sizes => Attr::Integers((0..self.below(4)).map(|_| self.whole()).collect()),
            AttrKind::Choice(names) => Attr::Text(self.pick(names).to_owned()),
            AttrKind::Truth => Attr::Truth(self.below(2) == 0),
            AttrKind::Number => Attr::Number(self.pick(&[0.0, 1.0, -2.5, 10.0, 1e300, f64::NAN, f64::INFINITY])),
            AttrKind::Text => Attr::Text(
                self.pick(&["1", "::2, @1", "..., None", "@1, :, @2", "int32", "float32", ":, -1", "@1", "ij,jk"])
                    .to_owned(),
            ),
        }
    }
}

#[test]
fn whatever_is_sent_gives_a_result_or_an_error() {
    const MOST_ELEMENTS: usize = 10_000;
    let device = Device::cpu();
    let mut careless = Careless(1);
    for function in Function::all() {
        for _ in 0..60 {
            let n_inputs = function.inputs.len() + careless.below(2);
            let inputs: Vec<Input> = (0..n_inputs).map(|_| careless.input(&device)).collect();
            let mut attrs = Attrs::default();
            for attribute in function.attributes {
                if careless.below(3) > 0 {
                    attrs = attrs.with(attribute.name, careless.value(attribute.kind));
                }
            }
            let results = block_on(device.call_later(function.name, &inputs, &attrs)).unwrap_or_default();
            for result in results.iter().take(8) {
                if result.check().is_ok() && result.size() <= MOST_ELEMENTS {
                    // A mistake that shows when it is computed is an error, too.
                    if let Ok(host) = block_on(result.to_host()) {
                        let n_parts = if result.is_complex() { 2 } else { 1 };
                        assert_eq!(host.len(), n_parts * result.size(), "{} {attrs:?}", function.name);
                    }
                }
            }
        }
    }
}

#[test]
fn indices_of_many_kinds_read_and_assign() {
    for device in common::devices() {
        let (n, m, k) = (37, 5, 41);
        let x = device.arange(n * m * k).reshape([n, m, k]);
        let at = |i: usize, j: usize, l: usize| ((i * m + j) * k + l) as i32;
        let rows: Vec<i32> = (0..300).map(|i| (i * 7) % n as i32).collect();
        let cols: Vec<i32> = (0..300).map(|i| (i * 11) % k as i32 - k as i32).collect();
        let (p, q) = (device.array(rows.clone(), [300]), device.array(cols.clone(), [300]));
        let pairs = || rows.iter().zip(&cols).map(|(&i, &l)| (i as usize, (l + k as i32) as usize));

        let got = x.get((&p, 2, &q));
        assert_eq!(got.shape(), [300]);
        assert_eq!(block_on(got.to_vec::<i32>()).unwrap(), pairs().map(|(i, l)| at(i, 2, l)).collect::<Vec<_>>());
        assert_eq!(x.get((&p, .., &q)).shape(), [300, m]);
        assert_eq!(x.get((.., 1, &q)).shape(), [n, 300]);
        assert_eq!(x.get((.., Index::NewAxis, 1..3, Range::ALL.step(-2))).shape(), [n, 1, 2, 21]);
        assert_eq!(x.get([Index::Ellipsis, 0.into()]).shape(), [n, m]);
        assert_eq!(
            x.get((n as isize,)).check().unwrap_err().to_string(),
            "get: 37 is out of range for axis 0 of [37, 5, 41]"
        );

        let mut want = vec![0; n * k];
        pairs().for_each(|(i, l)| want[i * k + l] += 3);
        for dtype in [DType::I32, DType::F32] {
            let sums = device.full_of([n, k], 0.0, dtype).add_at((&p, &q), 3);
            assert_eq!(block_on(sums.cast(DType::I32).to_vec::<i32>()).unwrap(), want);
        }
        let mask = (&x % 3).eq(0);
        let set = block_on(x.set((&mask,), -1).to_vec::<i32>()).unwrap();
        assert!(set.iter().enumerate().all(|(i, &value)| value == if i % 3 == 0 { -1 } else { i as i32 }));
        let chosen = block_on(x.get_later(&mask)).unwrap();
        assert_eq!(chosen.shape(), [(n * m * k).div_ceil(3)]);
        let numbered = x.set(&mask, &(device.arange(chosen.size()) * -1));
        let numbered = block_on(numbered.to_vec::<i32>()).unwrap();
        assert!(numbered.iter().enumerate().all(|(i, &v)| v == if i % 3 == 0 { -(i as i32 / 3) } else { i as i32 }));
    }
}

#[test]
fn functions_of_positions_and_pieces() {
    let device = Device::cpu();
    let table = device.from_function([2, 3], DType::F32, |at| &at[0] * 10.0 + &at[1]);
    assert_eq!(block_on(table.to_vec::<f32>()).unwrap(), [0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    let x = device.array(vec![-2.0f32, 0.5, 3.0], [3]);
    let pieces = x.piecewise(&[(&x.lt(0), &|x| -x), (&x.gt(1), &|x| x * 10.0)], &|x| x.full_like(7.0));
    assert_eq!(block_on(pieces.to_vec::<f32>()).unwrap(), [2.0, 7.0, 30.0]);
}

/// NumPy's rule, written out: axes are aligned at their ends, and of two sizes one is 1 or they are equal.
fn broadcast_by_the_rule(shapes: &[&[usize]]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    (0..rank)
        .map(|axis| {
            let sizes = shapes.iter().filter_map(|shape| Some(shape[(axis + shape.len()).checked_sub(rank)?]));
            let wide: Vec<usize> = sizes.filter(|&size| size != 1).collect();
            wide.iter().all(|size| *size == wide[0]).then(|| wide.first().copied().unwrap_or(1))
        })
        .collect()
}

#[test]
fn shapes_broadcast_by_numpys_rule() {
    assert_eq!(tilework::broadcast_shapes(&[]).unwrap(), [0; 0]);
    assert_eq!(tilework::broadcast_shapes(&[&[3, 1], &[4], &[]]).unwrap(), [3, 4]);
    let error = tilework::broadcast_shapes(&[&[3], &[2, 4]]).unwrap_err().to_string();
    assert!(error.contains("broadcast_shapes") && error.contains("[3]") && error.contains("[2, 4]"), "{error}");
    let mut careless = Careless(11);
    for _ in 0..2000 {
        let sizes: Vec<Vec<usize>> = (0..careless.below(4))
            .map(|_| (0..careless.below(4)).map(|_| careless.pick(&[0, 1, 1, 2, 3])).collect())
            .collect();
        let shapes: Vec<&[usize]> = sizes.iter().map(Vec::as_slice).collect();
        assert_eq!(tilework::broadcast_shapes(&shapes).ok(), broadcast_by_the_rule(&shapes), "{shapes:?}");
    }
}
