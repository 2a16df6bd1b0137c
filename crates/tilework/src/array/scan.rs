//! Running results along an axis.

use super::Array;
use super::reduce::{number, widened};
use tilework_ops::graph;
use tilework_ops::ops::reduce::Combine;
use tilework_ops::ops::scan::{Direction, Reach, Scan};

macro_rules! scans {
    ($($(#[$doc:meta])* $name:ident $combine:ident;)*) => {
        impl Array {
            $(
                $(#[$doc])*
                ///
                /// `axis` may count from the end. Truth values are counted as 0 and 1; nothing gives nothing.
                pub fn $name(&self, axis: isize) -> Array {
                    self.scan(Combine::$combine, axis, Reach::Inclusive, Direction::Forward)
                }
            )*
        }
    };
}

scans! {
    /// Running sums along `axis`.
    cumsum Sum;
    /// Running products along `axis`.
    cumprod Prod;
    /// Largest element so far along `axis`; NaN from the first NaN on.
    cummax Max;
    /// Smallest element so far along `axis`; NaN from the first NaN on.
    cummin Min;
}

impl Array {
    /// Running results along `axis` (which may count from the end): with or without the element itself, from either end.
    ///
    /// An exclusive scan begins with the neutral element: 0 for sums, 1 for products, the lowest value of the type for the
    /// largest, the highest for the smallest.
    pub fn scan(&self, combine: Combine, axis: isize, reach: Reach, direction: Direction) -> Array {
        if self.is_complex() && combine == Combine::Sum {
            return self.through_pairs("cumsum", |pairs, shape| {
                Ok(pairs.scan(combine, shape.axis("cumsum", axis)? as isize, reach, direction))
            });
        }
        self.then(|node| {
            let axis = node.shape().axis("scan", axis)?;
            let x = if matches!(combine, Combine::Sum | Combine::Prod) { widened(node) } else { number(node) };
            graph::apply(Scan { combine, axis, reach, direction }, &[x])
        })
    }
}
