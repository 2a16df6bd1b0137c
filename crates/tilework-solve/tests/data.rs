//! Public data sets, read from the folder that TILEWORK_TEST_DATA names.

mod common;

use common::{bundle_text, data};
use tilework_solve::formats::bal::Bundle;
use tilework_solve::formats::g2o::PoseGraph;
use tilework_solve::formats::{Mesh, MeshFormat};
use tilework_solve::problems::bundle::bundle;
use tilework_solve::problems::pose_graph::pose_graph;
use tilework_solve::{Loss, SolveOptions};

fn text(path: &str) -> Option<String> {
    data(path).map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Fails unless `found` has the digits that `published` is given with.
fn assert_published(found: f64, published: f64) {
    assert!((found / published - 1.0).abs() < 5e-7, "{found:e} but {published:e}");
}

#[test]
fn ladybug_costs_what_is_published() {
    let Some(text) = bundle_text() else { return };
    let given = Bundle::parse(&text).unwrap();
    assert_eq!((given.cameras.len(), given.points.len(), given.observations.len()), (49, 7776, 31843));
    let built = bundle(&given, Loss::Squared).unwrap();
    assert_eq!((built.problem.n_groups(), built.problem.n_residuals()), (1, 2 * 31843));
    assert_published(built.problem.cost(), 8.509125e5);
    assert_eq!(built.result(&given), given);
}

#[test]
fn m3500_costs_what_is_published() {
    let Some(text) = text("pose-graphs/input_M3500_g2o.g2o") else { return };
    let graph = PoseGraph::parse(&text).unwrap();
    assert_eq!((graph.plane.poses.len(), graph.plane.edges.len()), (3500, 5453));
    let built = pose_graph(&graph, Loss::Squared).unwrap();
    assert_published(2.0 * built.problem.cost(), 2.566668e6);
}

#[test]
fn small_grid_converges() {
    let Some(text) = text("pose-graphs/smallGrid3D.g2o") else { return };
    let graph = PoseGraph::parse(&text).unwrap();
    let mut built = pose_graph(&graph, Loss::Squared).unwrap();
    let summary = built.problem.solve(&SolveOptions::default()).unwrap();
    assert!(summary.reason.is_converged(), "{:?}", summary.reason);
    assert!(summary.final_cost < 0.01 * summary.initial_cost, "{} {}", summary.initial_cost, summary.final_cost);
    // Written and read again, it is where the solver left it.
    let again = PoseGraph::parse(&built.result(&graph).to_text()).unwrap();
    let cost = pose_graph(&again, Loss::Squared).unwrap().problem.cost();
    assert!((cost / summary.final_cost - 1.0).abs() < 1e-9, "{cost} {}", summary.final_cost);
}

#[test]
fn spot_is_read_in_every_format() {
    let Some(bytes) = data("meshes/spot.obj") else { return };
    let spot = MeshFormat::Obj.parse(&bytes).unwrap();
    assert_eq!((spot.positions.len(), spot.faces.len()), (2930, 5856));
    for format in [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off] {
        let again: Mesh = format.parse(&format.write(&spot)).unwrap();
        assert_eq!(again, spot, "{format:?}");
    }
    tilework_solve::problems::mesh::Topology::new(&spot).unwrap();
}
