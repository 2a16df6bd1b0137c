//! Every scalar op, every leaf layout and both number modules go through naga here; `tilework-conformance` adds tint.

use super::*;
use crate::dtype::Scalar;
use crate::expr::{Graph, Kind, ScalarOp};
use crate::fused::{Leaf, LeafSource};
use crate::layout::Layout;
use crate::pictures::Texels;
use crate::shape::Shape;

/// A second number module: a value and how many operations made it. It exists to prove that generated code assumes nothing
/// about `Num`; precision modules replace the same names.
const NUMBER_TALLY: &[&str] = &[include_str!("number_tally.wgsl")];

fn naga_check(label: &str, text: &str) {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{label}: {}\n{text}", e.emit_to_string(text)));
    // Every WebGPU device reads 16-bit floats from words.
    let capabilities = naga::valid::Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
    validator.validate(&module).unwrap_or_else(|e| panic!("{label}: {}\n{text}", e.emit_to_string(text)));
}

fn dtype_of(scalar: Scalar) -> DType {
    match scalar {
        Scalar::Bool => DType::Bool,
        Scalar::Int => DType::I32,
        Scalar::Uint => DType::U32,
        Scalar::Long | Scalar::Ulong => unreachable!("no kernel has 64-bit integers"),
        Scalar::Num => DType::F32,
    }
}

fn contiguous(n: usize) -> Layout {
    Layout::contiguous(Shape::new("test", vec![n]).unwrap())
}

#[test]
fn every_scalar_op_compiles_for_every_type_it_takes() {
    let all = [Scalar::Bool, Scalar::Int, Scalar::Uint, Scalar::Num];
    // No kernel has 64-bit integers.
    let is_long = |op: &ScalarOp| matches!(op.kind(), Kind::Cast(to) if to.is_long());
    for &op in ScalarOp::ALL.iter().filter(|op| !is_long(op)) {
        for scalar in all {
            let graph = Graph::new();
            let args: Vec<_> = (0..3).map(|slot| graph.leaf(slot, scalar)).collect();
            let root = graph.apply(op, &args[..op.arity()]);
            let grid = Shape::new("test", vec![8]).unwrap();
            let fused = Fused::new(&graph, &[root.id()], grid, |slot| Leaf {
                source: LeafSource::Buffer { input: slot as usize, dtype: dtype_of(scalar) },
                layout: contiguous(8),
            });
            let pass =
                KernelBuilder::map(op.name(), &fused, &[0, 1, 2].map(Source::from), &[(3, dtype_of(root.scalar()))])
                    .build([1, 1, 1]);
            naga_check(&format!("{} on {scalar:?}", op.name()), &pass.kernel.text());
        }
    }
}

#[test]
fn layouts_become_index_arithmetic() {
    let graph = Graph::new();
    let [x, row, one] = [0, 1, 2].map(|slot| graph.leaf(slot, Scalar::Num));
    let root = x * row + one * graph.param(0, Scalar::Num);
    let grid = Shape::new("test", vec![3, 4]).unwrap();
    let layouts = [
        Layout::contiguous(Shape::new("test", vec![4, 3]).unwrap()).permuted(&[1, 0]),
        contiguous(4).sliced(0, 3, -1, 4).expanded(&grid),
        contiguous(1).expanded(&grid),
    ];
    let fused = Fused::new(&graph, &[root.id()], grid, |slot| Leaf {
        source: LeafSource::Buffer { input: slot as usize, dtype: DType::F32 },
        layout: layouts[slot as usize].clone(),
    });
    let pass = KernelBuilder::map("layouts", &fused, &[0, 1, 2].map(Source::from), &[(3, DType::F32)]).build([1, 1, 1]);
    let text = pass.kernel.text();
    naga_check("layouts", &text);
    assert!(text.contains("let c1 = i % params.map_element_size1;"), "{text}");
    assert!(pass.params.contains(&u32::MAX), "the negative stride wraps");
    assert_eq!(pass.patches, [Patch { word: pass.params.len() - 1, scalar: 0 }]);
}

#[test]
fn the_number_module_is_a_boundary() {
    let graph = Graph::new();
    let (x, y) = (graph.leaf(0, Scalar::Num), graph.leaf(1, Scalar::Num));
    let root = x.lt(y).select(x * 0.1 + y, -x - y.sin());
    let fused = Fused::new(&graph, &[root.id()], Shape::new("test", vec![5]).unwrap(), |slot| Leaf {
        source: LeafSource::Buffer { input: slot as usize, dtype: DType::F32 },
        layout: contiguous(5),
    });
    let build = |module| {
        KernelBuilder::map("boundary", &fused, &[0, 1].map(Source::from), &[(2, DType::F32)])
            .number_module(module)
            .build([1, 1, 1])
    };
    naga_check("tally", &build(NUMBER_TALLY).kernel.text());
    naga_check("f32", &build(NUMBER_F32).kernel.text());
}

#[test]
fn special_constants_are_legal_wgsl() {
    let graph = Graph::new();
    let x = graph.leaf(0, Scalar::Num);
    for constant in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, 1e-45, 1e300, 0.1, 3.4028235e38] {
        let root = x.maximum(graph.num(constant));
        let fused = Fused::new(&graph, &[root.id()], Shape::new("test", vec![5]).unwrap(), |_| Leaf {
            source: LeafSource::Buffer { input: 0, dtype: DType::F32 },
            layout: contiguous(5),
        });
        let pass = KernelBuilder::map("constant", &fused, &[Source::from(0)], &[(1, DType::F32)]).build([1, 1, 1]);
        naga_check("constant", &pass.kernel.text());
    }
    assert!(ScalarOp::ALL.iter().all(|op| op.kind() != Kind::Select || op.arity() == 3));
}

/// A kernel that reads `rect` of a page of this width as `dtype`, and all of it by quads.
fn texture_kernel(dtype: DType, width: u32, rect: Layout) -> Pass {
    let source = Source { slot: 0, texels: Texels::new(width) };
    let fused = Fused::read(0, dtype, rect);
    let builder = KernelBuilder::map("texels", &fused, &[source], &[(1, dtype_of(dtype.scalar()))]);
    builder
        .quads("x4", source)
        .half_quads("h4", source)
        .text("fn use_all(i: u32) -> vec4<f32> { return x4(i) + h4(i); }\n")
        .build([1, 1, 1])
}

#[test]
fn textures_are_read_by_coordinates_and_bound_once() {
    for dtype in [DType::F16, DType::F32, DType::I32, DType::U32, DType::Bool] {
        for width in [1u32, 6, 16, 30] {
            let row_len = width as usize * if dtype == DType::F16 { 2 } else { 1 };
            let page = Layout::contiguous(Shape::new("test", vec![8, row_len]).unwrap());
            let rect = page.sliced(0, 1, 1, 5).sliced(1, row_len / 2, 1, row_len.div_ceil(3));
            for layout in [rect.permuted(&[1, 0]), rect, page] {
                let pass = texture_kernel(dtype, width, layout);
                let text = pass.kernel.text();
                naga_check(&format!("{dtype} of a texture {width} wide"), &text);
                assert_eq!(text.matches("texture_2d<u32>").count(), 1, "{text}");
                let textures = pass.bindings.iter().filter(|binding| binding.access == Access::Texels).count();
                assert_eq!((textures, pass.bindings.len()), (1, 2), "{text}");
            }
        }
    }
}

#[test]
fn a_rectangle_of_a_texture_needs_no_division_by_its_width() {
    let page = Layout::contiguous(Shape::new("test", vec![8, 30]).unwrap());
    let rect = page.sliced(0, 1, 1, 5).sliced(1, 3, 1, 9);
    let source = Source { slot: 0, texels: Texels::new(30) };
    let kernel = |layout| {
        let fused = Fused::read(0, DType::F32, layout);
        KernelBuilder::map("texels", &fused, &[source], &[(1, DType::F32)]).build([1, 1, 1]).kernel.text()
    };
    assert!(!kernel(rect).contains("30u"));
    assert!(kernel(page).contains("/ 30u"));
}
