//! `Session`: a problem of least squares or of energies, compiled once and solved step by step, or evaluated as often as wanted.
//!
//! Residual functions arrive as recordings (`tilework_solve::wire`). Everything else is numbers, names and, for options and reports,
//! plain objects and JSON.

mod machine;
mod options;

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Float64Array, Promise, Uint32Array};
use tilework::{Error, Result};
use tilework_gpu::Gpu;
use tilework_solve::formats::Mesh;
use tilework_solve::gpu::Precision;
use tilework_solve::problems::mesh::MeshProblem;
use tilework_solve::wire::MANIFOLDS;
use tilework_solve::{
    Backend, Clock, CompileOptions, CompiledResiduals, Linear, Method, Params, Problem, SolveOptions,
};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::error::{JsResult, to_js};
use crate::open::Opened;
use crate::{info, json, performance_now};
use machine::Machine;

/// "auto" leaves problems with fewer instances to the CPU: their kernels take less time than a round trip to a GPU.
const MIN_AUTO_INSTANCES: usize = 20_000;

/// A problem on its device.
#[wasm_bindgen]
pub struct Session {
    opened: Opened,
    backend: Backend,
    precision: Precision,
    /// The same in words, with what a self-test of the device found.
    precision_words: String,
    problem: Problem,
    sets: Vec<Params>,
    /// Bytes of all recordings.
    n_bytes: usize,
    options: SolveOptions<'static>,
    /// There once the problem is compiled, and not while it makes a step.
    machine: Rc<RefCell<Option<Machine>>>,
    /// The same for evaluations.
    residuals: Rc<RefCell<Option<CompiledResiduals>>>,
}

#[wasm_bindgen]
impl Session {
    /// Opens a device ("auto", "gpu" or "cpu") for a problem with nothing in it. A GPU computes in `precision`.
    pub async fn open(device: String, precision: String) -> JsResult<Session> {
        let opened = Opened::whole(&device).await?;
        let found = options::precision(&precision, opened.device.open_gpu().as_ref()).await;
        let (precision, precision_words) = found.map_err(|error| to_js(&error))?;
        Ok(Session {
            opened,
            backend: options::by_name("backend", Backend::ALL, &device).map_err(|error| to_js(&error))?,
            precision,
            precision_words,
            problem: Problem::new(),
            sets: Vec::new(),
            n_bytes: 0,
            options: SolveOptions::default(),
            machine: Rc::default(),
            residuals: Rc::default(),
        })
    }

    /// The device in words, as JSON; see `Engine.info`.
    pub fn info(&self) -> String {
        info::info(&self.opened)
    }

    /// Where the problem was compiled for: "cpu" or "gpu".
    #[wasm_bindgen(js_name = runsOn)]
    pub fn runs_on(&self) -> String {
        let solver = self.machine.borrow().as_ref().map(Machine::runs_on);
        let residuals = || self.residuals.borrow().as_ref().map(|residuals| residuals.counts().backend);
        solver.or_else(residuals).unwrap_or("cpu").to_owned()
    }

    /// What the device computes with, in words: for double-floats also which variant of them it computes right.
    #[wasm_bindgen(js_name = precisionWords)]
    pub fn precision_words(&self) -> String {
        if self.runs_on() == "gpu" { self.precision_words.clone() } else { "f64".to_owned() }
    }

    /// Adds blocks of `dim` numbers each on a manifold; gives the number of the set.
    #[wasm_bindgen(js_name = addParams)]
    pub fn add_params(&mut self, dim: usize, values: &[f64], manifold: &str) -> JsResult<usize> {
        let manifold = options::by_name("manifold", MANIFOLDS, manifold).map_err(|error| to_js(&error))?;
        let params = self.problem.add_params(dim, values).map_err(|error| to_js(&error))?;
        self.problem.set_manifold(params, manifold).map_err(|error| to_js(&error))?;
        self.sets.push(params);
        Ok(self.sets.len() - 1)
    }

    /// Adds a recording; gives the group, the first instance and the number of instances of each of its graphs.
    #[wasm_bindgen(js_name = addRecording)]
    pub fn add_recording(&mut self, name: &str, words: &[u32]) -> JsResult<Vec<u32>> {
        let added = self.problem.add_recording(name, words).map_err(|error| to_js(&error))?;
        self.n_bytes += size_of_val(words);
        Ok(added.iter().flat_map(|added| [added.group, added.first, added.n_instances]).map(|n| n as u32).collect())
    }

    /// Adds energies of a mesh, by name and weight. Its vertices are a set; `rest`, three numbers each, is the shape that energies refer
    /// to.
    #[wasm_bindgen(js_name = addMesh)]
    pub fn add_mesh(
        &mut self,
        set: usize,
        rest: &[f64],
        faces: &[u32],
        energies: Vec<String>,
        weights: &[f64],
    ) -> JsResult<()> {
        let vertices = self.set(set)?;
        let mesh = Mesh { positions: rest.as_chunks().0.to_vec(), faces: faces.as_chunks().0.to_vec() };
        let energies = energies.iter().map(|name| options::energy(name)).collect::<Result<Vec<_>>>();
        let energies = energies.map_err(|error| to_js(&error))?;
        let problem = std::mem::take(&mut self.problem);
        let mut meshed = MeshProblem::over(problem, vertices, &mesh).map_err(|error| to_js(&error))?;
        let added = energies.into_iter().zip(weights).try_for_each(|(energy, &weight)| meshed.add(energy, weight));
        self.problem = meshed.problem;
        added.map_err(|error| to_js(&error))
    }

    /// Blocks of a set that stay as they are, and no others. A problem that is compiled already has to be compiled again.
    #[wasm_bindgen(js_name = setFixed)]
    pub fn set_fixed(&mut self, set: usize, blocks: &[u32]) -> JsResult<()> {
        let blocks: Vec<usize> = blocks.iter().map(|&block| block as usize).collect();
        let params = self.set(set)?;
        let freed = self.problem.set_free(params);
        freed.and_then(|()| self.problem.set_fixed(params, &blocks)).map_err(|error| to_js(&error))
    }

    /// Keeps a number of a block between `low` and `high`.
    #[wasm_bindgen(js_name = setBounds)]
    pub fn set_bounds(&mut self, set: usize, block: usize, component: usize, low: f64, high: f64) -> JsResult<()> {
        let params = self.set(set)?;
        self.problem.set_bounds(params, block, component, low..=high).map_err(|error| to_js(&error))
    }

    /// Compiles what there is, to be solved as `given` says (an object; what is missing has its default).
    pub fn compile(&mut self, given: &JsValue) -> JsResult<()> {
        self.keep_values()?;
        self.options = options::solve_options(given).map_err(|error| to_js(&error))?;
        self.plan().map_err(|error| to_js(&error))
    }

    /// What the problem was compiled to, as JSON.
    pub fn counts(&self) -> String {
        let problem = &self.problem;
        let counts = [
            ("groups", problem.n_groups()),
            ("instances", problem.n_instances()),
            ("residuals", problem.n_residuals()),
            ("blocks", problem.n_blocks()),
            ("bytes", self.n_bytes),
        ];
        json::object(counts.map(|(name, count)| (name, count.to_string())))
    }

    /// At most `n` steps; resolves to JSON with `iterations` and, if there is no point in another step, a `reason`.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn step(&self, n: usize) -> JsResult<Promise> {
        // Taken out meanwhile, since a GPU is waited for; the promise holds no handle that JavaScript may free.
        let home = self.machine.clone();
        let mut machine = home.borrow_mut().take().ok_or_else(not_compiled)?;
        let options = self.options.clone();
        Ok(future_to_promise(async move {
            let stepped = machine.step(n, &options).await;
            *home.borrow_mut() = Some(machine);
            let stepped = stepped.map_err(|error| to_js(&error))?;
            let iterations = json::list(stepped.iterations.iter().map(options::iteration_json));
            Ok(json::object([("iterations", iterations), ("reason", options::reason_json(stepped.reason))]).into())
        }))
    }

    /// What happened so far, as JSON.
    pub fn summary(&self) -> JsResult<String> {
        let summary = self.machine.borrow().as_ref().ok_or_else(not_compiled)?.summary();
        let numbers = [
            ("initialCost", summary.initial_cost),
            ("finalCost", summary.final_cost),
            ("seconds", summary.times.total),
            ("compileSeconds", summary.times.compile),
            ("costSeconds", summary.times.cost),
            ("linearizeSeconds", summary.times.linearize),
            ("linearSeconds", summary.times.linear),
        ];
        let numbers = numbers.map(|(name, number)| (name, options::number_json(number)));
        let start = options::iteration_json(&summary.iterations[0]);
        let texts = [("linear", json::text(summary.telemetry.linear)), ("start", start)];
        Ok(json::object(numbers.into_iter().chain(texts)))
    }

    /// The numbers of a set.
    pub fn values(&self, set: usize) -> JsResult<Vec<f64>> {
        let params = self.set(set)?;
        Ok(match &*self.machine.borrow() {
            Some(machine) => machine.values(&self.problem, params),
            None => self.problem.values(params).to_vec(),
        })
    }

    /// Replaces the numbers of a set, without another plan.
    #[wasm_bindgen(js_name = setValues)]
    pub fn set_values(&mut self, set: usize, values: &[f64]) -> JsResult<()> {
        let params = self.set(set)?;
        let set = match &mut *self.machine.borrow_mut() {
            Some(machine) => machine.set_values(&self.problem, (params, values), &self.options),
            None => self.problem.set_values(params, values),
        };
        set.map_err(|error| to_js(&error))
    }

    /// Asks the browser to look for finished work now; see `Gpu::nudge`.
    pub fn nudge(&self) {
        if let Some(gpu) = self.opened.device.open_gpu() {
            gpu.nudge();
        }
    }

    /// Compiles what there is, to be evaluated: by at most `batch_size` instances at once, and where "auto" is to choose, on the CPU if
    /// there are fewer than `fallback_threshold`.
    #[wasm_bindgen(js_name = compileResiduals)]
    pub async fn compile_residuals(&mut self, batch_size: usize, fallback_threshold: usize) -> JsResult<()> {
        let gpu = self.opened.device.open_gpu();
        let clock = Clock::new(|| performance_now() / 1e3);
        let (backend, precision) = (self.backend, self.precision);
        let usual = CompileOptions::default();
        let options =
            CompileOptions { backend, precision, gpu: gpu.as_ref(), batch_size, fallback_threshold, clock, ..usual };
        let compiled = CompiledResiduals::compile(&self.problem, &options).await.map_err(|error| to_js(&error))?;
        *self.residuals.borrow_mut() = Some(compiled);
        Ok(())
    }

    /// What was compiled to be evaluated, and what ran since, as JSON.
    #[wasm_bindgen(js_name = residualCounts)]
    pub fn residual_counts(&self) -> JsResult<String> {
        let counts = self.residuals.borrow().as_ref().ok_or_else(not_compiled)?.counts();
        let numbers = [
            ("groups", counts.n_kernels as u64),
            ("instances", counts.n_instances as u64),
            ("residuals", counts.n_residuals as u64),
            ("blocks", self.problem.n_blocks() as u64),
            ("evaluations", counts.n_evaluations as u64),
            ("cacheHits", counts.n_cache_hits as u64),
            ("dispatches", counts.n_dispatches),
            ("bytes", counts.n_bytes),
        ];
        Ok(json::object(numbers.map(|(name, number)| (name, number.to_string()))))
    }

    /// The numbers of all sets, those that energies of meshes brought with them after the page's own.
    #[wasm_bindgen(js_name = allNumbers)]
    pub fn all_numbers(&self) -> Vec<f64> {
        self.problem.all_values().to_vec()
    }

    /// The number that each direction of a gradient moves, among the numbers of all sets.
    #[wasm_bindgen(js_name = movingNumbers)]
    pub fn moving_numbers(&self) -> Vec<u32> {
        self.problem.moving_numbers()
    }

    /// Evaluates at `x`, the numbers of all sets: "residuals", "gradient" (the cost comes first) or "jacobian". Resolves to rows and
    /// columns, which only the last has, and numbers.
    #[wasm_bindgen(unchecked_return_type = "Promise<[Uint32Array, Uint32Array, Float64Array]>")]
    pub fn evaluate(&self, what: String, x: Vec<f64>) -> JsResult<Promise> {
        let home = self.residuals.clone();
        let mut residuals = home.borrow_mut().take().ok_or_else(not_compiled)?;
        Ok(future_to_promise(async move {
            let found = evaluated(&mut residuals, &what, &x).await;
            *home.borrow_mut() = Some(residuals);
            let (entries, numbers) = found.map_err(|error| to_js(&error))?;
            let (rows, columns): (Vec<u32>, Vec<u32>) = entries.into_iter().unzip();
            let places = [rows, columns].map(|places| JsValue::from(Uint32Array::from(places.as_slice())));
            Ok(places.into_iter().chain([Float64Array::from(numbers.as_slice()).into()]).collect::<Array>().into())
        }))
    }
}

impl Session {
    fn set(&self, set: usize) -> JsResult<Params> {
        let none = || to_js(&Error::argument("session", format!("there is no set {set}")));
        self.sets.get(set).copied().ok_or_else(none)
    }

    /// Plans for the device that suits.
    fn plan(&mut self) -> Result<()> {
        let gpu = self.suitable_gpu();
        let machine = Machine::new(&self.problem, gpu.as_ref().map(|gpu| (gpu, self.precision)), &self.options)?;
        *self.machine.borrow_mut() = Some(machine);
        Ok(())
    }

    /// The GPU, unless the choice is ours and the CPU is the better one.
    fn suitable_gpu(&self) -> Option<Gpu> {
        let can = matches!(self.options.method, Method::LevenbergMarquardt | Method::Lbfgs)
            && matches!(self.options.linear, Linear::Auto | Linear::Pcg)
            && self.problem.n_instances() >= MIN_AUTO_INSTANCES;
        self.opened.device.open_gpu().filter(|_| can || self.backend == Backend::Gpu)
    }

    /// Before another plan: the problem goes on where its solver is.
    fn keep_values(&mut self) -> JsResult<()> {
        let Some(machine) = self.machine.borrow_mut().take() else { return Ok(()) };
        let problem = &mut self.problem;
        let kept = self.sets.iter().try_for_each(|&set| {
            let values = machine.values(problem, set);
            problem.set_values(set, &values)
        });
        kept.map_err(|error| to_js(&error))
    }
}

fn not_compiled() -> JsValue {
    to_js(&Error::argument("session", "the problem is not compiled yet, or at work"))
}

/// Places of entries, and numbers.
type Found = (Vec<(u32, u32)>, Vec<f64>);

async fn evaluated(residuals: &mut CompiledResiduals, what: &str, x: &[f64]) -> Result<Found> {
    match what {
        "residuals" => Ok((Vec::new(), residuals.evaluate(x).await?)),
        "gradient" => {
            let (cost, gradient) = residuals.evaluate_sum_with_gradient(x).await?;
            Ok((Vec::new(), [vec![cost], gradient].concat()))
        }
        "jacobian" => Ok(residuals
            .evaluate_jacobian(x)
            .await?
            .entries
            .into_iter()
            .map(|(row, col, value)| ((row, col), value))
            .unzip()),
        _ => Err(Error::argument("evaluate", format!("there is no `{what}` to evaluate"))),
    }
}
