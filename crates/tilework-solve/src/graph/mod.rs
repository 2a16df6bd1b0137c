//! Stub until the types arrive.
#![allow(missing_docs)]
pub type Scalar<'g> = tilework_core::expr::Expr<'g>;
#[derive(Clone, Copy, Debug)]
pub struct Vec2<'g> { pub x: Scalar<'g>, pub y: Scalar<'g> }
#[derive(Clone, Copy, Debug)]
pub struct Vec3<'g> { pub x: Scalar<'g>, pub y: Scalar<'g>, pub z: Scalar<'g> }
#[derive(Clone, Copy, Debug)]
pub struct Vec4<'g> { pub x: Scalar<'g>, pub y: Scalar<'g>, pub z: Scalar<'g>, pub w: Scalar<'g> }
#[derive(Clone, Copy, Debug)]
pub struct Quaternion<'g> { pub w: Scalar<'g>, pub x: Scalar<'g>, pub y: Scalar<'g>, pub z: Scalar<'g> }
