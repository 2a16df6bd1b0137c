//! What to compute: the lazy graph, and the structured operations it may contain.
//!
//! Pure like `tilework-core`: no device and no I/O. `graph` holds nodes that have not run yet and the checked constructors of
//! everything element-wise; `ops` has one folder per structured operation (contract, reference, CPU kernel, WGSL); `registry`
//! is the only list of them; `norm`, `packed_weights` and `rows` are what several of them share. A machine runs what comes out of here and knows no operation by name.

// What only derivatives use stays without its users where they are left out.
#![cfg_attr(not(feature = "grad"), allow(dead_code, unreachable_pub, unused_imports))]

pub mod attrs;
pub mod case;
pub mod cpu;
pub mod graph;
mod matrices;
mod norm;
pub mod op;
pub mod ops;
mod packed_weights;
pub mod registry;
mod rows;
pub mod threads;

pub use attrs::{Attr, Attrs};
pub use graph::{Node, NodeKind, NodeRef, View};
pub use op::{CpuInput, InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
