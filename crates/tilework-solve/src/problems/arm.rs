//! Robot arms that reach: joint angles for targets.

use crate::graph::{Quaternion, Vec3};
use crate::{Family, Params, Problem};
use std::ops::RangeInclusive;
use tilework_core::{Error, Result};

/// A joint, and the link after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it turns about, in the frame of the link before it.
    pub axis: [f64; 3],
    /// Length of the link behind it, along `x` of its own frame.
    pub link: f64,
    /// Angles it can have, in radians.
    pub limits_rad: RangeInclusive<f64>,
}

/// Arms as a problem.
#[derive(Debug)]
pub struct ArmProblem {
    /// Per target, three residuals for the place and one per joint that keeps it from turning more than it must.
    pub problem: Problem,
    /// A block per target: an angle per joint.
    pub angles: Params,
}

/// The angles of one arm for each target, every one beginning at `start_rad`. `comfort` weighs how little joints turn: small,
/// so that the target comes first, but not 0 where an arm has more joints than a place has coordinates.
pub fn reach(joints: &[Joint], targets: &[[f64; 3]], start_rad: &[f64], comfort: f64) -> Result<ArmProblem> {
    if joints.is_empty() || start_rad.len() != joints.len() {
        let message = format!("{} angles for {} joints", start_rad.len(), joints.len());
        return Err(Error::shape("arm", message));
    }
    let mut problem = Problem::new();
    let angles = problem.add_params(joints.len(), &start_rad.repeat(targets.len()))?;
    for (block, (at, joint)) in (0..targets.len()).flat_map(|block| joints.iter().enumerate().map(move |j| (block, j)))
    {
        problem.set_bounds(angles, block, at, joint.limits_rad.clone())?;
    }
    let each: Vec<u32> = (0..targets.len() as u32).collect();
    let family =
        Family { name: "reach", params: &[(angles, &each)], data: &[(3, targets.as_flattened())], ..Family::default() };
    problem.add_residuals(family, |instance| {
        let graph = instance.graph();
        let mut place = Vec3::zero(graph);
        let mut frame = Quaternion::identity(graph);
        for (joint, &angle) in joints.iter().zip(instance.param(0)) {
            let axis = Vec3::constant(graph, unit(joint.axis));
            let half = angle * 0.5;
            frame = frame * Quaternion::from_parts(half.cos(), axis * half.sin());
            place = place + frame.rotate(Vec3::constant(graph, [joint.link, 0.0, 0.0]));
        }
        let target = Vec3::from_array(instance.first(instance.datum(0)));
        let turns = instance.param(0).iter().map(|&angle| angle * comfort);
        (place - target).to_vec().into_iter().chain(turns.filter(|_| comfort != 0.0)).collect()
    })?;
    Ok(ArmProblem { problem, angles })
}

/// Where the end of an arm is with these angles.
pub fn end_of(joints: &[Joint], angles_rad: &[f64]) -> [f64; 3] {
    // Backwards: what is behind a joint turns with it.
    joints.iter().zip(angles_rad).rev().fold([0.0; 3], |rest, (joint, &angle)| {
        turned(unit(joint.axis), angle, [rest[0] + joint.link, rest[1], rest[2]])
    })
}

/// `v` turned about the unit vector `axis` (Rodrigues' formula).
fn turned(axis: [f64; 3], angle_rad: f64, v: [f64; 3]) -> [f64; 3] {
    let (s, c) = angle_rad.sin_cos();
    let along: f64 = (0..3).map(|k| axis[k] * v[k]).sum();
    let cross = |k: usize| axis[(k + 1) % 3] * v[(k + 2) % 3] - axis[(k + 2) % 3] * v[(k + 1) % 3];
    std::array::from_fn(|k| v[k] * c + cross(k) * s + axis[k] * along * (1.0 - c))
}

fn unit(axis: [f64; 3]) -> [f64; 3] {
    let norm = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
    if norm > 0.0 { axis.map(|a| a / norm) } else { [0.0, 0.0, 1.0] }
}
