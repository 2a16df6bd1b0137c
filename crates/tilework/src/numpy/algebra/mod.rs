//! Products by name, derivatives of whole functions, and random draws.
