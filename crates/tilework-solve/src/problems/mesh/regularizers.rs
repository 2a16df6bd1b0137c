//! What keeps a mesh from falling to pieces: areas, volumes, boxes.

use super::{MeshProblem, cross, dot, face_area, weights};
use crate::graph::{Scalar, Vec3, triangle_area};
use crate::{Family, Instance, Params};
use tilework_core::Result;

impl MeshProblem {
    pub(super) fn add_area(&mut self, weight: f64) -> Result<()> {
        let areas: Vec<f64> = self.rest.faces.iter().map(|&face| face_area(&self.rest, face)).collect();
        self.add_face_residuals("area", &areas, weight, |instance| {
            let [a, b, c] = corners(instance);
            triangle_area(a, b, c)
        })
    }

    pub(super) fn add_volume(&mut self, weight: f64) -> Result<()> {
        let volume = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|corner| self.rest.positions[corner as usize]);
            dot(a, cross(b, c)) / 6.0
        };
        let volumes: Vec<f64> = self.rest.faces.iter().map(volume).collect();
        self.add_face_residuals("volume", &volumes, weight, |instance| {
            let [a, b, c] = corners(instance);
            a.dot(b.cross(c)) / 6.0
        })
    }

    pub(super) fn add_shrink(&mut self, weight: f64) -> Result<()> {
        self.add_face_energy("shrink", weight, |instance| {
            let [a, b, c] = corners(instance);
            triangle_area(a, b, c)
        })
    }

    /// Less the volume, the sum of signed volumes between faces and the origin.
    pub(super) fn add_inflate(&mut self, weight: f64) -> Result<()> {
        self.add_face_energy("inflate", weight, |instance| {
            let [a, b, c] = corners(instance);
            a.dot(b.cross(c)) / -6.0
        })
    }

    pub(super) fn add_box(&mut self, weight: f64) -> Result<()> {
        let extreme = |start: f64, of: fn(f64, f64) -> f64| -> [f64; 3] {
            std::array::from_fn(|axis| self.rest.positions.iter().map(|p| p[axis]).fold(start, of))
        };
        let n = self.rest.positions.len();
        if n == 0 {
            return Ok(());
        }
        let (low, high) = (extreme(f64::INFINITY, f64::min).repeat(n), extreme(f64::NEG_INFINITY, f64::max).repeat(n));
        let roots = weights(n, weight.sqrt());
        let each: Vec<u32> = (0..n as u32).collect();
        let family = Family {
            name: "box",
            params: &[(self.vertices, &each)],
            data: &[(3, &low), (3, &high), (1, &roots)],
            ..Family::default()
        };
        self.problem.add_residuals(family, |instance| {
            let beyond = |k: usize| {
                let x = instance.param(0)[k];
                (instance.datum(0)[k] - x).relu() + (x - instance.datum(1)[k]).relu()
            };
            (0..3).map(|k| beyond(k) * instance.datum(2)[0]).collect()
        })
    }

    pub(super) fn add_hold(&mut self, weight: f64) -> Result<()> {
        let roots = weights(self.rest.positions.len(), weight.sqrt());
        self.add_pulls("hold", &roots)
    }

    /// Pulls every vertex to where it is at rest, times a number of its own.
    pub(super) fn add_pulls(&mut self, name: &str, roots: &[f64]) -> Result<()> {
        let each: Vec<u32> = (0..self.rest.positions.len() as u32).collect();
        let family = Family {
            name,
            params: &[(self.vertices, &each)],
            data: &[(3, self.rest.positions.as_flattened()), (1, roots)],
            ..Family::default()
        };
        self.problem.add_residuals(family, |instance| {
            let place = Vec3::from_array(instance.first(instance.datum(0)));
            ((instance.vec3(0) - place) * instance.datum(1)[0]).to_vec()
        })
    }

    /// Keeps a number of each face as it is at rest.
    fn add_face_residuals(
        &mut self,
        name: &str,
        at_rest: &[f64],
        weight: f64,
        number: impl for<'g> FnOnce(&Instance<'g>) -> Scalar<'g>,
    ) -> Result<()> {
        let columns = self.face_columns();
        let params = columns.each_ref().map(|column| (self.vertices, column.as_slice()));
        let roots = weights(at_rest.len(), weight.sqrt());
        let family = Family { name, params: &params, data: &[(1, at_rest), (1, &roots)], ..Family::default() };
        self.problem
            .add_residuals(family, |instance| vec![(number(instance) - instance.datum(0)[0]) * instance.datum(1)[0]])
    }

    fn add_face_energy(
        &mut self,
        name: &str,
        weight: f64,
        number: impl for<'g> FnOnce(&Instance<'g>) -> Scalar<'g>,
    ) -> Result<()> {
        let columns = self.face_columns();
        let params: [(Params, &[u32]); 3] = columns.each_ref().map(|column| (self.vertices, column.as_slice()));
        let weights = weights(self.rest.faces.len(), weight);
        let family = Family { name, params: &params, data: &[(1, &weights)], ..Family::default() };
        self.problem.add_energy(family, |instance| number(instance) * instance.datum(0)[0])
    }

    fn face_columns(&self) -> [Vec<u32>; 3] {
        [0, 1, 2].map(|k| self.rest.faces.iter().map(|face| face[k]).collect())
    }
}

fn corners<'g>(instance: &Instance<'g>) -> [Vec3<'g>; 3] {
    [0, 1, 2].map(|k| instance.vec3(k))
}
