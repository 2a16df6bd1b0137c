//! As rigid as possible: every neighborhood is its shape at rest, turned by a rotation of its own.

use super::MeshProblem;
use super::edges::cotangent_weights;
use crate::Family;
use crate::graph::Vec3;
use crate::manifold::Manifold;
use tilework_core::Result;

impl MeshProblem {
    /// `½·Σ w‖(pⱼ − pᵢ) − Rᵢ(p⁰ⱼ − p⁰ᵢ)‖²` over all edges in both directions, `Rᵢ` being parameters like the positions: a step moves
    /// both at once, where the original method takes turns.
    pub(super) fn add_arap(&mut self, weight: f64) -> Result<()> {
        let n = self.rest.positions.len();
        let rotations = self.problem.add_params(4, &[1.0, 0.0, 0.0, 0.0].repeat(n))?;
        self.problem.set_manifold(rotations, Manifold::Quaternion)?;
        let [from, to] = self.edge_ends();
        let (tips, ends) = ([&from[..], &to].concat(), [&to[..], &from].concat());
        let at = |vertex: u32| self.rest.positions[vertex as usize];
        let at_rest: Vec<f64> =
            tips.iter().zip(&ends).flat_map(|(&tip, &end)| super::minus(at(end), at(tip))).collect();
        let roots: Vec<f64> = cotangent_weights(self).iter().map(|w| (w * weight).sqrt()).collect();
        let roots = roots.repeat(2);
        let family = Family {
            name: "arap",
            params: &[(self.vertices, &tips), (self.vertices, &ends), (rotations, &tips)],
            data: &[(3, &at_rest), (1, &roots)],
            ..Family::default()
        };
        self.problem.add_residuals(family, |instance| {
            let at_rest = Vec3::from_array(instance.first(instance.datum(0)));
            let turned = instance.quaternion(2).rotate(at_rest);
            ((instance.vec3(1) - instance.vec3(0) - turned) * instance.datum(1)[0]).to_vec()
        })
    }
}
