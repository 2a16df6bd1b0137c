//! Looking at work without keeping its result: what it takes on a GPU, and which kernels it is.

use crate::array::Array;
use crate::device::Device;
use crate::run::gpu::{self, Guards};
use crate::schedule::Walk;
use tilework_core::plan::Caps;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::PassTiming;

impl Device {
    /// The time of every pass of the work below `array`, without keeping its result. Needs timestamp queries.
    pub async fn profile(&self, array: &Array) -> Result<Vec<PassTiming>> {
        let Some(gpu) = self.open_gpu() else {
            return Err(Error::new(ErrorKind::Unsupported, "profile", "only the work of a GPU is timed pass by pass"));
        };
        let walk = Walk::new(&[array.node()?.clone()]);
        let planned = self.planned(&walk)?;
        let prepared = self.prepared(&gpu, &planned, walk.scalars.len())?;
        let mut inputs = Vec::new();
        for node in &walk.inputs {
            inputs.push(self.to_gpu(&gpu, node).await?);
        }
        gpu.profile(&prepared, &inputs, &gpu::scalar_words(&walk.scalars)).await
    }

    /// The kernels that evaluating `array` would run on this device's GPU, or without one on a GPU with the least
    /// capabilities, as WGSL.
    pub fn kernels(&self, array: &Array) -> Result<Vec<String>> {
        self.kernels_for(array, &self.caps())
    }

    /// The kernels that evaluating `array` would run on a GPU that can do what `caps` says, as WGSL.
    pub fn kernels_for(&self, array: &Array, caps: &Caps) -> Result<Vec<String>> {
        let walk = Walk::new(&[array.node()?.clone()]);
        let planned = self.planned(&walk)?;
        let plan = gpu::plan(&planned.schedule, caps, walk.scalars.len(), Guards::Off)?;
        Ok(plan.passes.iter().map(|pass| pass.kernel.text()).collect())
    }
}
