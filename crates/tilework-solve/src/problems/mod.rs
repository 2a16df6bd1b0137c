//! Problems that many people have, written with the types of [`crate::graph`].
//!
//! Every module builds a [`Problem`](crate::Problem) and hands back what is needed to read the answer out of it. They are also the
//! examples of how problems are written.

pub mod arm;
pub mod bundle;
pub mod circles;
pub mod mesh;
pub mod nist;
pub mod pose_graph;
pub mod rope;
pub mod sketch;
