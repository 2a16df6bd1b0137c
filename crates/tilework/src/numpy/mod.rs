//! What NumPy has beyond the operations themselves: functions made of them, one file per subject.
//!
//! Each is a method of [`crate::Array`], of [`crate::Device`] where there is no array to start from, or of a namespace. Each also has a row
//! in `call/library`, by which JavaScript, the goldens of NumPy (`testdata/numpy`) and the coverage table know it.

mod algebra;
pub(crate) mod arranging;
mod measuring;

pub use measuring::{
    Bins, Closeness, ConvolveMode, CovOptions, EdgeOrder, Fractions, GradientOptions, Histogram, Histogram2d,
    HistogramOptions, HistogramScale, InterpOptions, NanEquality, PolyDiv, QuantileMethod, QuantileOptions,
    SampleSpacing, Variables,
};
