//! Files of problems: bundles, pose graphs, regressions and meshes.
//!
//! Everything reads from text or bytes that are in memory, and writes to such: this crate knows no files. What cannot be read is
//! an error that names the line.

pub mod bal;
pub mod g2o;
pub mod mesh;
pub mod nist;
mod obj;
mod off;
mod ply;
pub mod sketch;
mod words;

pub use mesh::{Mesh, MeshFormat};
