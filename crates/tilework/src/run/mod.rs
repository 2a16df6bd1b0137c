//! Running schedules: as they are on the CPU, as a Plan on a GPU.

pub(crate) mod cpu;
pub(crate) mod gpu;
