//! Operators and one method per row of the table.

use super::{Expr, ScalarOp};
use crate::expr::table::scalar_table;
use std::ops::{Add, Div, Mul, Neg, Sub};

macro_rules! methods {
    ($d:ident $r:ident; $($Variant:ident $name:ident($first:ident $(, $rest:ident)*) $kind:ident { $meaning:expr } { $($vjp:expr),* };)*) => {
        // The names are those of the table, some of which std's operator traits use too.
        #[allow(clippy::should_implement_trait, reason = "the operators are implemented below, by these methods")]
        impl<'g> Expr<'g> {
            $(
                #[doc = concat!("The scalar operation `", stringify!($name), "`; see `expr/table.rs`.")]
                pub fn $name(self $(, $rest: Expr<'g>)*) -> Expr<'g> {
                    self.graph.apply(ScalarOp::$Variant, &[self $(, $rest)*])
                }
            )*
        }
    };
}
scalar_table!(methods);

macro_rules! operator {
    ($Trait:ident $method:ident) => {
        impl<'g> $Trait for Expr<'g> {
            type Output = Expr<'g>;
            fn $method(self, other: Expr<'g>) -> Expr<'g> {
                Expr::$method(self, other)
            }
        }
        impl<'g> $Trait<f64> for Expr<'g> {
            type Output = Expr<'g>;
            fn $method(self, other: f64) -> Expr<'g> {
                Expr::$method(self, self.graph.num(other))
            }
        }
        impl<'g> $Trait<Expr<'g>> for f64 {
            type Output = Expr<'g>;
            fn $method(self, other: Expr<'g>) -> Expr<'g> {
                Expr::$method(other.graph.num(self), other)
            }
        }
    };
}
operator!(Add add);
operator!(Sub sub);
operator!(Mul mul);
operator!(Div div);

impl<'g> Neg for Expr<'g> {
    type Output = Expr<'g>;
    fn neg(self) -> Expr<'g> {
        Expr::neg(self)
    }
}
