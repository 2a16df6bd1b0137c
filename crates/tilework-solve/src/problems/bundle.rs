//! Bundle adjustment: cameras and points that explain what was seen where.

use crate::formats::bal::Bundle;
use crate::graph::{Vec2, Vec3, rotate_by_angle_axis};
use crate::loss::Loss;
use crate::{Family, Params, Problem};
use tilework_core::Result;

/// A bundle as a problem.
#[derive(Debug)]
pub struct BundleProblem {
    /// Two residuals per observation, in pixels.
    pub problem: Problem,
    /// A block of nine per camera.
    pub cameras: Params,
    /// A block of three per point.
    pub points: Params,
}

/// The problem of a bundle.
///
/// The camera is that of *Bundle Adjustment in the Large*: a point `P = R·X + t` is seen at `f·d·p` with `p = −P.xy/P.z` and
/// `d = 1 + k₁‖p‖² + k₂‖p‖⁴`.
pub fn bundle(bundle: &Bundle, loss: Loss) -> Result<BundleProblem> {
    let mut problem = Problem::new();
    let cameras = problem.add_params(9, bundle.cameras.as_flattened())?;
    let points = problem.add_params(3, bundle.points.as_flattened())?;
    let of_camera: Vec<u32> = bundle.observations.iter().map(|seen| seen.camera).collect();
    let of_point: Vec<u32> = bundle.observations.iter().map(|seen| seen.point).collect();
    let pixels: Vec<f64> = bundle.observations.iter().flat_map(|seen| seen.pixel).collect();
    let family = Family {
        name: "reprojection",
        params: &[(cameras, &of_camera), (points, &of_point)],
        data: &[(2, &pixels)],
        loss,
    };
    problem.add_residuals(family, |instance| {
        let [r0, r1, r2, t0, t1, t2, focal, k1, k2] = instance.first(instance.param(0));
        let rotated = rotate_by_angle_axis(Vec3::new(r0, r1, r2), instance.vec3(1));
        let in_camera = rotated + Vec3::new(t0, t1, t2);
        // The camera looks along −z.
        let p = Vec2::new(in_camera.x, in_camera.y) / -in_camera.z;
        let square = p.squared_norm();
        let distortion = square * (k1 + k2 * square) + 1.0;
        let [u, v] = instance.first(instance.datum(0));
        (p * (focal * distortion) - Vec2::new(u, v)).to_vec()
    })?;
    Ok(BundleProblem { problem, cameras, points })
}

impl BundleProblem {
    /// The bundle with what was found.
    pub fn result(&self, given: &Bundle) -> Bundle {
        let cameras = self.problem.values(self.cameras).as_chunks().0.to_vec();
        let points = self.problem.values(self.points).as_chunks().0.to_vec();
        Bundle { cameras, points, observations: given.observations.clone() }
    }
}
