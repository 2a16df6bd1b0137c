//! The browser module: everything in it is `tilework-wasm`.
//!
//! A crate of its own because the crate that is linked is optimised at the level of link-time optimization, which must be
//! one that turns loops into vectors; everything but loops is to be small (see `profile.web` in the workspace's Cargo.toml).

pub use tilework_wasm::*;
