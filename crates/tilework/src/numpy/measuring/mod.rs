//! Statistics, calculus on samples, polynomials and windows.
