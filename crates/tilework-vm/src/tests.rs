//! The vm against the definition of every operation.

use super::*;
use tilework_core::dtype::{DType, HAS_WIDE, Scalar};
use tilework_core::expr::{Graph, ScalarOp, Value, eval_f64};
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::shape::Shape;

const N: usize = 1500; // more than a chunk, and no multiple of it

fn dtype_of(scalar: Scalar) -> DType {
    match scalar {
        Scalar::Bool => DType::Bool,
        Scalar::Int => DType::I32,
        Scalar::Uint => DType::U32,
        Scalar::Long => DType::I64,
        Scalar::Ulong => DType::U64,
        Scalar::Num => DType::F64,
    }
}

fn input(scalar: Scalar, slot: usize) -> HostBuffer {
    let value = |i: usize| {
        let x = ((i * 7919 + slot * 104_729) % 2003) as f64 / 200.0 - 5.0;
        Value::num(if matches!(scalar, Scalar::Uint | Scalar::Ulong) { x.abs() } else { x })
    };
    HostBuffer::from_values(dtype_of(scalar), (0..N).map(value))
}

fn evaluate<F: Float>(fused: &Fused, inputs: &[HostBuffer]) -> Vec<f64> {
    let program = Program::new(&fused.expr);
    let slices: Vec<HostSlice<'_>> = inputs.iter().map(HostSlice::from).collect();
    let mut evaluator = Evaluator::<F>::new(fused, &program, &slices, &[Value::num(2.5)]);
    let (mut out, n) = (Vec::new(), fused.grid.n_elements());
    for start in (0..n).step_by(CHUNK) {
        let len = CHUNK.min(n - start);
        evaluator.run(start, len);
        match program.result_types()[0] {
            Scalar::Num => out.extend(evaluator.num(0, start, len).iter().map(|x| x.to_f64())),
            Scalar::Int => out.extend(evaluator.word(0, start, len).iter().map(|&x| f64::from(x as i32))),
            Scalar::Long => out.extend(evaluator.long(0, start, len).iter().map(|&x| x as i64 as f64)),
            Scalar::Ulong => out.extend(evaluator.long(0, start, len).iter().map(|&x| x as f64)),
            _ => out.extend(evaluator.word(0, start, len).iter().map(|&x| f64::from(x))),
        }
    }
    out
}

#[test]
fn every_operation_means_what_the_table_says() {
    for &op in ScalarOp::ALL {
        for scalar in [Scalar::Bool, Scalar::Int, Scalar::Uint, Scalar::Long, Scalar::Ulong, Scalar::Num] {
            let graph = Graph::new();
            let is_long = scalar.is_long() || matches!(op, ScalarOp::ToLong | ScalarOp::ToUlong);
            if is_long && !HAS_WIDE {
                continue;
            }
            let args: Vec<_> = (0..op.arity() as u32).map(|slot| graph.leaf(slot, scalar)).collect();
            let root = graph.apply(op, &args);
            let inputs: Vec<HostBuffer> = (0..op.arity()).map(|slot| input(scalar, slot)).collect();
            let grid = Shape::new("test", vec![N]).unwrap();
            let fused = Fused::new(&graph, &[root.id()], grid.clone(), |slot| Leaf {
                source: LeafSource::Buffer { input: slot as usize, dtype: dtype_of(scalar) },
                layout: Layout::contiguous(grid.clone()),
            });
            let got = evaluate::<f64>(&fused, &inputs);
            for i in 0..N {
                let want = eval_f64(&graph, &[root.id()], &|slot| inputs[slot as usize].value(i), &|_| Value::num(2.5))
                    [0]
                .to_f64();
                assert!(
                    got[i] == want || (got[i].is_nan() && want.is_nan()),
                    "{}({scalar:?}) at {i}: {} for {want}",
                    op.name(),
                    got[i]
                );
            }
        }
    }
}

#[test]
fn views_offsets_parameters_and_reused_registers() {
    let graph = Graph::new();
    let (x, count) = (graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Uint));
    let p = graph.param(0, Scalar::Num);
    let deep = (0..20).fold(x, |sum, k| (sum + x * f64::from(k)) * 0.5 + p);
    let root = deep + count;
    let grid = Shape::new("test", vec![40, 33]).unwrap();
    let data = input(Scalar::Num, 0);
    let layout = Layout::contiguous(Shape::new("test", vec![33, 40]).unwrap()).permuted(&[1, 0]).sliced(0, 39, -1, 40);
    let fused = Fused::new(&graph, &[root.id()], grid.clone(), |slot| match slot {
        0 => Leaf { source: LeafSource::Buffer { input: 0, dtype: DType::F64 }, layout: layout.clone() },
        _ => Leaf { source: LeafSource::Offset, layout: Layout::contiguous(grid.clone()) },
    });
    let got = evaluate::<f64>(&fused, std::slice::from_ref(&data));
    assert!(Program::new(&fused.expr).n_nums < 30, "registers are reused");
    for i in 0..grid.n_elements() {
        let leaf = |slot: u32| if slot == 0 { data.value(layout.element(i)) } else { Value::Uint(i as u32) };
        let want = eval_f64(&graph, &[root.id()], &leaf, &|_| Value::num(2.5))[0].to_f64();
        assert_eq!(got[i], want, "element {i}");
    }
}

#[test]
fn single_precision_reads_double_precision_data_and_back() {
    let fused = Fused::read(0, DType::F64, Layout::contiguous(Shape::new("test", vec![N]).unwrap()));
    let data = input(Scalar::Num, 0);
    let got = evaluate::<f32>(&fused, std::slice::from_ref(&data));
    assert!((0..N).all(|i| got[i] == f64::from(data.f64_at(i) as f32)));
}

#[test]
fn sums_join_the_product_before_them() {
    let graph = Graph::new();
    let [x, y, z] = [0, 1, 2].map(|slot| graph.leaf(slot, Scalar::Num));
    let shared = x * z;
    let root = (x * y + z) * y - x + z * (shared - shared * 0.5);
    let grid = Shape::new("test", vec![N]).unwrap();
    let fused = Fused::new(&graph, &[root.id()], grid.clone(), |slot| Leaf {
        source: LeafSource::Buffer { input: slot as usize, dtype: DType::F64 },
        layout: Layout::contiguous(grid.clone()),
    });
    let n_ops = fused.expr.nodes.iter().filter(|node| !node.args().is_empty()).count();
    assert!(Program::new(&fused.expr).code.len() < n_ops, "something was joined");
    let inputs: Vec<HostBuffer> = (0..3).map(|slot| input(Scalar::Num, slot)).collect();
    let got = evaluate::<f64>(&fused, &inputs);
    for i in 0..N {
        let want =
            eval_f64(&graph, &[root.id()], &|slot| inputs[slot as usize].value(i), &|_| Value::num(0.0))[0].to_f64();
        assert_eq!(got[i], want, "element {i}");
    }
}
