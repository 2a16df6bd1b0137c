//! Devices: where arrays live and are computed.

use crate::array::Array;
use crate::placement::{Costs, Place};
use crate::run::cpu::Cpu;
use crate::run::gpu::{self, Guards};
use crate::schedule::{Role, Schedule, Walk};
use crate::value::{GpuValue, HostValue, Value};
use crate::warnings::Warnings;
use std::sync::{Arc, Mutex, OnceLock};
use tilework_core::dtype::HAS_WIDE;
use tilework_core::host::HostBuffer;
use tilework_core::plan::{Caps, Choice};
use tilework_core::words::WordMap;
use tilework_core::{Error, ErrorKind, Result};
use tilework_gpu::{AdapterInfo, Counters, Gpu, GpuOptions, Memory, Prepared};
use tilework_ops::NodeRef;

/// Where arrays are computed. A cheap handle: clone it freely.
///
/// Arrays of different devices do not mix. A device keeps a cache of plans: evaluating the same shape of work again costs no
/// planning, no compilation and no allocation.
#[derive(Clone, Debug)]
pub struct Device(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    cpu: Cpu,
    /// The GPU and how to open it again after it was lost.
    gpu: Option<Mutex<Gpu>>,
    gpu_options: GpuOptions,
    policy: Policy,
    guards: Guards,
    pub(crate) costs: OnceLock<Costs>,
    known: Mutex<Known>,
    /// The memory of the latest walk, for the next one.
    #[cfg(not(target_arch = "wasm32"))]
    spare_walk: Mutex<Option<Box<Walk>>>,
    choices: Mutex<Vec<Choice>>,
    pub(crate) warnings: Warnings,
}

/// Who decides where work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Cpu,
    Gpu,
    Auto,
}

/// What [`Device::auto_with`] makes of adapters that are programs running on the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoftwareAdapters {
    /// They are not GPUs.
    #[default]
    Ignore,
    /// Measure them like any other.
    Consider,
}

/// What the device did so far, for tests and for the curious.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Evaluations.
    pub evaluations: u64,
    /// Shapes of work that had to be planned.
    pub plans_built: u64,
    /// Evaluations that found their plan in the cache.
    pub plans_reused: u64,
    /// Evaluations that ran on the CPU.
    pub on_cpu: u64,
    /// Evaluations that ran on the GPU.
    pub on_gpu: u64,
    /// Evaluations the CPU took over because the GPU failed.
    pub taken_over: u64,
    /// Evaluations that a device without a choice ran on the CPU, because GPUs lack a type or an operation they need.
    pub moved_to_cpu: u64,
}

/// What a device remembers. Under one lock: an evaluation looks its plan up and counts it.
#[derive(Debug, Default)]
struct Known {
    plans: WordMap<Vec<u32>, Arc<Planned>>,
    stats: Stats,
}

/// A cached shape of work.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) schedule: Schedule,
    prepared: Mutex<Option<(Gpu, Arc<Prepared>)>>,
}

/// Most plans kept; beyond it the cache starts over.
const MAX_PLANS: usize = 4096;

impl Device {
    /// The CPU, always there.
    pub fn cpu() -> Device {
        Device::new(None, GpuOptions::default(), Policy::Cpu)
    }

    /// Lets CPU kernels use `n` threads instead of all cores. Once, and before anything is computed: the threads are shared by all
    /// devices of the program.
    pub fn set_cpu_threads(n: usize) -> Result<()> {
        if tilework_ops::threads::Threads::ask_for(n) {
            return Ok(());
        }
        Err(Error::argument(
            "threads",
            format!("it is too late for {n} threads: others are running, or were asked for"),
        ))
    }

    /// A GPU. Fails with [`ErrorKind::NoDevice`] if there is none.
    ///
    /// What no GPU has (64-bit floats and integers, 8 and 16-bit integers, some factorizations) is done by the CPU: openly, with a
    /// warning the first time ([`Device::on_warning`]) and a count of how often ([`Stats::moved_to_cpu`]).
    pub async fn gpu() -> Result<Device> {
        Device::gpu_with(default_options()).await
    }

    /// A GPU chosen by `options`.
    pub async fn gpu_with(options: GpuOptions) -> Result<Device> {
        let gpu = Gpu::open(options.clone()).await?;
        Ok(Device::new(Some(gpu), options, Policy::Gpu))
    }

    /// A GPU that also proves that no kernel writes past the end of its output: every output is followed by guard words, and
    /// an evaluation that changes them fails. Slow; for tests.
    pub async fn gpu_guarded(options: GpuOptions) -> Result<Device> {
        let gpu = Gpu::open(options.clone()).await?;
        let mut device = Device::new(Some(gpu), options, Policy::Gpu);
        if let Some(inner) = Arc::get_mut(&mut device.0) {
            inner.guards = Guards::On;
        }
        Ok(device)
    }

    /// The CPU and, if there is one, a GPU: each evaluation runs where a measured model expects it to be done first. A
    /// software adapter is no GPU for this purpose, and if the GPU fails the CPU takes over.
    pub async fn auto() -> Device {
        Device::auto_with(default_options(), SoftwareAdapters::Ignore).await
    }

    /// Like [`Device::auto`] with a particular adapter; a software one is measured too if it is to be considered.
    pub async fn auto_with(options: GpuOptions, software: SoftwareAdapters) -> Device {
        let gpu = match Gpu::open(options.clone()).await {
            Ok(gpu) if !gpu.info().software || software == SoftwareAdapters::Consider => Some(gpu),
            _ => None,
        };
        let device = Device::new(gpu.clone(), options, Policy::Auto);
        if let Some(gpu) = gpu {
            // Without a measurement the device stays on the CPU, which is never wrong.
            _ = device.0.costs.set(Costs::of(&gpu).await.unwrap_or_else(|_| Costs::never_gpu()));
        }
        device
    }

    /// A device over a GPU that is already open.
    pub(crate) fn over(gpu: Gpu) -> Device {
        Device::new(Some(gpu), GpuOptions::default(), Policy::Gpu)
    }

    fn new(gpu: Option<Gpu>, gpu_options: GpuOptions, policy: Policy) -> Device {
        #[cfg(not(target_arch = "wasm32"))]
        let choices = gpu.as_ref().map(Device::kept_choices).unwrap_or_default();
        #[cfg(target_arch = "wasm32")]
        let choices = Vec::new();
        Device(Arc::new(Inner {
            cpu: Cpu::new(),
            gpu: gpu.map(Mutex::new),
            gpu_options,
            policy,
            guards: Guards::Off,
            costs: OnceLock::new(),
            known: Mutex::default(),
            #[cfg(not(target_arch = "wasm32"))]
            spare_walk: Mutex::default(),
            choices: Mutex::new(choices),
            warnings: Warnings::default(),
        }))
    }

    /// True if a GPU can be opened (a software adapter counts; see [`Device::adapter`]).
    pub async fn is_gpu_available() -> bool {
        !Gpu::adapters().await.is_empty()
    }

    /// Name, backend, vendor and driver of the GPU, if the device has one.
    pub fn adapter(&self) -> Option<AdapterInfo> {
        self.open_gpu().map(|gpu| gpu.info().clone())
    }

    /// The GPU machine itself, for limits, features and profiling.
    pub fn open_gpu(&self) -> Option<Gpu> {
        self.0.gpu.as_ref().and_then(|gpu| gpu.lock().ok().map(|gpu| gpu.clone()))
    }

    /// A short name: `cpu` or the adapter's.
    pub fn name(&self) -> String {
        match (self.0.policy, self.adapter()) {
            (Policy::Gpu, Some(info)) => info.name,
            (Policy::Auto, Some(info)) => format!("auto (cpu or {})", info.name),
            (Policy::Auto, None) => "auto (cpu)".to_owned(),
            _ => "cpu".to_owned(),
        }
    }

    /// Whether each evaluation may run on either machine.
    pub fn is_auto(&self) -> bool {
        self.0.policy == Policy::Auto
    }

    /// Counts of what the device did.
    pub fn stats(&self) -> Stats {
        self.0.known.lock().map(|known| known.stats).unwrap_or_default()
    }

    /// Counts of the GPU machine: dispatches, submits, pipelines, buffers, bytes. Zero without a GPU.
    pub fn counters(&self) -> Counters {
        self.open_gpu().map(|gpu| gpu.counters()).unwrap_or_default()
    }

    /// Opens the GPU again after it was lost. Arrays whose only copy was on the lost device are gone; host data is not.
    pub async fn reopen(&self) -> Result<()> {
        let Some(slot) = &self.0.gpu else {
            return Err(Error::new(ErrorKind::NoDevice, "reopen", "this device has no GPU"));
        };
        let gpu = Gpu::open(self.0.gpu_options.clone()).await?;
        if let Ok(mut current) = slot.lock() {
            *current = gpu;
        }
        Ok(())
    }

    /// Computes several arrays together, sharing what they have in common.
    pub async fn eval(&self, arrays: &[&Array]) -> Result<()> {
        let mut outputs: Vec<NodeRef> = Vec::new();
        for array in arrays {
            let node = array.stored()?;
            if !array.device().is_same(self) {
                return Err(Error::argument("eval", "the array belongs to another device"));
            }
            if node.value().is_none() && !outputs.iter().any(|known| Arc::ptr_eq(known, node)) {
                outputs.push(node.clone());
            }
        }
        if outputs.is_empty() { Ok(()) } else { self.evaluate(&outputs).await }
    }

    /// Whether both are one and the same device, so that arrays of both can be used together.
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    async fn evaluate(&self, outputs: &[NodeRef]) -> Result<()> {
        let mut walk = self.spare_walk();
        walk.over(outputs);
        let planned = self.planned(&walk)?;
        let (inputs, scalars) = (std::mem::take(&mut walk.inputs), std::mem::take(&mut walk.scalars));
        self.keep_walk(walk);
        let values = self.execute_with(&planned, inputs, &scalars).await?;
        // Several outputs can be one value only if they are the same node, which `eval` has made impossible.
        for (node, value) in outputs.iter().zip(values) {
            node.set_value(value.shared());
        }
        Ok(())
    }

    /// Memory for a walk. Modules for browsers are to stay small, and allocate it.
    fn spare_walk(&self) -> Box<Walk> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Ok(mut spare) = self.0.spare_walk.lock()
            && let Some(walk) = spare.take()
        {
            return walk;
        }
        Box::default()
    }

    #[cfg_attr(target_arch = "wasm32", allow(unused_mut, reason = "nothing is kept there"))]
    fn keep_walk(&self, mut walk: Box<Walk>) {
        // Before anything runs: what the walk still holds could not be lent to results.
        #[cfg(not(target_arch = "wasm32"))]
        if walk.clear()
            && let Ok(mut spare) = self.0.spare_walk.lock()
        {
            *spare = Some(walk);
        }
        #[cfg(target_arch = "wasm32")]
        drop(walk);
    }

    pub(crate) fn planned(&self, walk: &Walk) -> Result<Arc<Planned>> {
        if let Ok(mut known) = self.0.known.lock()
            && let Some(planned) = known.plans.get(&walk.key).cloned()
        {
            known.stats.plans_reused += 1;
            return Ok(planned);
        }
        let planned = Arc::new(Planned { schedule: Schedule::new(&walk.flatten())?, prepared: Mutex::default() });
        if let Ok(mut known) = self.0.known.lock() {
            known.stats.plans_built += 1;
            if known.plans.len() >= MAX_PLANS {
                known.plans.clear();
            }
            known.plans.insert(walk.key.clone(), planned.clone());
        }
        Ok(planned)
    }

    /// Runs planned work on inputs that have values. Inputs that nobody else holds may lend their memory to results.
    pub(crate) async fn execute_with(
        &self,
        planned: &Planned,
        inputs: Vec<NodeRef>,
        scalars: &[tilework_core::expr::Value],
    ) -> Result<Vec<Value>> {
        match self.place(planned, &inputs) {
            Place::Cpu => self.execute_on_cpu(planned, inputs, scalars).await,
            // What the GPU has changed cannot be computed again.
            Place::Gpu(gpu) if self.0.policy == Policy::Auto && !planned.schedule.takes_inputs() => {
                match self.execute_on_gpu(&gpu, planned, inputs.clone(), scalars).await {
                    Err(error) => {
                        // The GPU failed: the CPU takes over, as long as the data can still be had.
                        self.count(|stats| stats.taken_over += 1);
                        self.execute_on_cpu(planned, inputs, scalars).await.map_err(|_| error)
                    }
                    result => result,
                }
            }
            Place::Gpu(gpu) => self.execute_on_gpu(&gpu, planned, inputs, scalars).await,
        }
    }

    fn place(&self, planned: &Planned, inputs: &[NodeRef]) -> Place {
        match (self.0.policy, self.open_gpu()) {
            (Policy::Gpu, Some(gpu)) => match planned.schedule.needs_cpu() {
                None => Place::Gpu(gpu),
                Some(reason) => {
                    self.count(|stats| stats.moved_to_cpu += 1);
                    // Modules without such types have nobody to tell.
                    if HAS_WIDE {
                        self.warn(format!("{reason}: the CPU does this work instead of {}", gpu.info().name));
                    }
                    Place::Cpu
                }
            },
            (Policy::Auto, Some(gpu)) if !gpu.is_lost() => self.cheaper_place(gpu, planned, inputs),
            _ => Place::Cpu,
        }
    }

    async fn execute_on_cpu(
        &self,
        planned: &Planned,
        inputs: Vec<NodeRef>,
        scalars: &[tilework_core::expr::Value],
    ) -> Result<Vec<Value>> {
        let mut values = vec![None; planned.schedule.values.len()];
        for (info, value) in planned.schedule.values.iter().zip(&mut values) {
            if let Role::Input(number) = info.role
                && let Some(node) = inputs.get(number)
            {
                *value = Some(self.to_host(node).await?);
            }
        }
        drop(inputs);
        let outputs = self.0.cpu.run(&planned.schedule, values, scalars)?;
        self.count(|stats| {
            stats.evaluations += 1;
            stats.on_cpu += 1;
        });
        Ok(outputs.into_iter().map(Value::Host).collect())
    }

    async fn execute_on_gpu(
        &self,
        gpu: &Gpu,
        planned: &Planned,
        inputs: Vec<NodeRef>,
        scalars: &[tilework_core::expr::Value],
    ) -> Result<Vec<Value>> {
        let prepared = self.prepared(gpu, planned, scalars.len())?;
        let mut buffers = Vec::with_capacity(inputs.len());
        for node in inputs {
            buffers.push(self.to_gpu(gpu, &node).await?);
        }
        let outputs = gpu.execute_owned(&prepared, buffers, &gpu::scalar_words(scalars))?;
        if self.0.guards == Guards::On {
            for output in &outputs {
                check_guard(gpu, output).await?;
            }
        }
        self.count(|stats| {
            stats.evaluations += 1;
            stats.on_gpu += 1;
        });
        Ok(outputs.into_iter().map(|buffer| Value::Gpu(GpuValue { gpu: gpu.clone(), buffer })).collect())
    }

    pub(crate) fn prepared(&self, gpu: &Gpu, planned: &Planned, n_scalars: usize) -> Result<Arc<Prepared>> {
        let mut slot =
            planned.prepared.lock().map_err(|_| Error::argument("eval", "an earlier evaluation panicked"))?;
        if let Some((owner, prepared)) = &*slot
            && owner.is_same(gpu)
        {
            return Ok(prepared.clone());
        }
        let plan = gpu::plan(&planned.schedule, &self.caps(), n_scalars, self.0.guards)?;
        let prepared = Arc::new(gpu.prepare(Arc::new(plan))?);
        *slot = Some((gpu.clone(), prepared.clone()));
        Ok(prepared)
    }

    /// What the GPU can do, with the kernels chosen for it; without a GPU, the least that any can.
    pub fn caps(&self) -> Caps {
        let caps = self.open_gpu().map(|gpu| gpu.caps().clone()).unwrap_or_default();
        Caps { choices: self.choices(), ..caps }
    }

    /// The kernels chosen for this device beyond the defaults.
    pub fn choices(&self) -> Vec<Choice> {
        self.0.choices.lock().map(|choices| choices.clone()).unwrap_or_default()
    }

    /// Replaces the choice of kernels. What was planned before is planned again.
    pub fn set_choices(&self, choices: Vec<Choice>) {
        if let Ok(mut current) = self.0.choices.lock() {
            *current = choices;
        }
        if let Ok(mut known) = self.0.known.lock() {
            known.plans.clear();
        }
    }

    /// Waits until everything submitted to the GPU is done.
    pub async fn finish(&self) -> Result<()> {
        match self.open_gpu() {
            // The CPU has taken over: there is nothing to wait for.
            Some(gpu) if self.0.policy == Policy::Auto && gpu.is_lost() => Ok(()),
            Some(gpu) => gpu.finish().await,
            None => Ok(()),
        }
    }

    pub(crate) async fn to_host(&self, node: &NodeRef) -> Result<Arc<HostValue>> {
        match Value::of(node) {
            Some(Value::Host(value)) => Ok(value.clone()),
            Some(Value::Page(value)) => Ok(value.on_host()),
            Some(Value::Gpu(value)) => {
                let bytes = value.gpu.read(&value.buffer, 0, node.meta.size_bytes()).await?;
                Ok(HostValue::new(HostBuffer::from_device_bytes(node.dtype(), &bytes), &self.0.cpu.pool))
            }
            None => Err(Error::argument("read", "the array has no value")),
        }
    }

    pub(crate) async fn to_gpu(&self, gpu: &Gpu, node: &NodeRef) -> Result<Memory> {
        match Value::of(node) {
            Some(Value::Gpu(value)) if value.gpu.is_same(gpu) => Ok(value.buffer.clone().into()),
            Some(Value::Host(value)) => Ok(value.on_gpu(gpu)?.into()),
            Some(Value::Page(value)) => value.on_gpu(gpu),
            Some(Value::Gpu(value)) => {
                let bytes = value.gpu.read(&value.buffer, 0, node.meta.size_bytes()).await?;
                Ok(gpu.upload(&bytes)?.into())
            }
            None => Err(Error::argument("eval", "an input has no value")),
        }
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Stats)) {
        if let Ok(mut known) = self.0.known.lock() {
            change(&mut known.stats);
        }
    }

    #[cfg(test)]
    pub(crate) fn host_pool(&self) -> &crate::value::HostPool {
        &self.0.cpu.pool
    }
}

/// Compiled pipelines are kept in the user's cache folder, where the driver can.
fn default_options() -> GpuOptions {
    GpuOptions { disk_cache: crate::cache::folder(), ..GpuOptions::default() }
}

/// Fails if the guard words at the end of `output` were changed.
async fn check_guard(gpu: &Gpu, output: &tilework_gpu::Buffer) -> Result<()> {
    let n_bytes = 4 * gpu::GUARD_WORDS as u64;
    let bytes = gpu.read(output, output.size_bytes() - n_bytes, n_bytes).await?;
    let is_whole = bytes.chunks_exact(4).all(|word| word == gpu::GUARD.to_le_bytes());
    if is_whole {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Kernel, "guard", "a kernel wrote past the end of its output"))
    }
}
