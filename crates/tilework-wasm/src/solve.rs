//! `Session`: a problem of least squares or of energies, compiled once and solved step by step.
//!
//! Residual functions arrive as recordings (`tilework_solve::wire`). Everything else is numbers, names and, for options and reports,
//! plain objects and JSON.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Promise, Reflect};
use tilework::{Error, Result};
use tilework_solve::wire::MANIFOLDS;
use tilework_solve::{Clock, Iteration, Linear, Method, Params, Problem, Reason, SolveOptions, Solver};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::error::{JsResult, to_js};
use crate::open::Opened;
use crate::{info, json, performance_now};

/// A problem on its device.
#[wasm_bindgen]
pub struct Session {
    opened: Opened,
    problem: Problem,
    sets: Vec<Params>,
    /// Bytes of all recordings.
    n_bytes: usize,
    options: SolveOptions<'static>,
    /// There once the problem is compiled.
    solver: Option<Rc<RefCell<Solver>>>,
}

#[wasm_bindgen]
impl Session {
    /// Opens a device ("auto", "gpu" or "cpu") for a problem with nothing in it.
    pub async fn open(device: String) -> JsResult<Session> {
        let opened = Opened::whole(&device).await?;
        Ok(Session {
            opened,
            problem: Problem::new(),
            sets: Vec::new(),
            n_bytes: 0,
            options: SolveOptions::default(),
            solver: None,
        })
    }

    /// The device in words, as JSON; see `Engine.info`.
    pub fn info(&self) -> String {
        info::info(&self.opened)
    }

    /// Adds blocks of `dim` numbers each on a manifold; gives the number of the set.
    #[wasm_bindgen(js_name = addParams)]
    pub fn add_params(&mut self, dim: usize, values: &[f64], manifold: &str) -> JsResult<usize> {
        let found = by_name("manifold", MANIFOLDS, manifold).map_err(|error| to_js(&error))?;
        let params = self.problem.add_params(dim, values).map_err(|error| to_js(&error))?;
        self.problem.set_manifold(params, found).map_err(|error| to_js(&error))?;
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

    /// Blocks that stay as they are. For a problem that is compiled already, that takes effect when it is compiled again.
    #[wasm_bindgen(js_name = setFixed)]
    pub fn set_fixed(&mut self, set: usize, blocks: &[u32]) -> JsResult<()> {
        let blocks: Vec<usize> = blocks.iter().map(|&block| block as usize).collect();
        let params = self.set(set)?;
        self.problem.set_free(params).and_then(|()| self.problem.set_fixed(params, &blocks)).map_err(|error| to_js(&error))
    }

    /// Keeps a number of a block between `low` and `high`.
    #[wasm_bindgen(js_name = setBounds)]
    pub fn set_bounds(&mut self, set: usize, block: usize, component: usize, low: f64, high: f64) -> JsResult<()> {
        let params = self.set(set)?;
        self.problem.set_bounds(params, block, component, low..=high).map_err(|error| to_js(&error))
    }

    /// Compiles what there is, to be solved as `options` say (an object; what is missing has its default).
    pub fn compile(&mut self, options: &JsValue) -> JsResult<()> {
        self.keep_values()?;
        self.options = solve_options(options).map_err(|error| to_js(&error))?;
        let solver = Solver::new(&self.problem, &self.options).map_err(|error| to_js(&error))?;
        self.solver = Some(Rc::new(RefCell::new(solver)));
        Ok(())
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

    /// At most `n` steps; resolves to JSON with `iterations` and, if there is no point in another step, a `reason`. Values that the
    /// problem had before are those of step 0.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn step(&self, n: usize) -> JsResult<Promise> {
        let solver = self.compiled()?;
        let options = self.options.clone();
        Ok(future_to_promise(async move {
            let mut solver = solver.borrow_mut();
            let mut iterations = Vec::new();
            let mut reason = None;
            while reason.is_none() && iterations.len() < n {
                let (iteration, done) = solver.step(&options);
                iterations.push(iteration);
                reason = done;
            }
            let iterations = json::list(iterations.iter().map(iteration_json));
            Ok(json::object([("iterations", iterations), ("reason", reason_json(reason))]).into())
        }))
    }

    /// What happened so far, as JSON.
    pub fn summary(&self) -> JsResult<String> {
        let summary = self.compiled()?.borrow().summary(Reason::Stopped);
        let numbers = [
            ("initialCost", summary.initial_cost),
            ("finalCost", summary.final_cost),
            ("seconds", summary.times.total),
            ("compileSeconds", summary.times.compile),
            ("costSeconds", summary.times.cost),
            ("linearizeSeconds", summary.times.linearize),
            ("linearSeconds", summary.times.linear),
        ];
        let numbers = numbers.map(|(name, number)| (name, number_json(number)));
        let texts = [("linear", json::text(summary.telemetry.linear)), ("start", iteration_json(&summary.iterations[0]))];
        Ok(json::object(numbers.into_iter().chain(texts)))
    }

    /// The numbers of a set.
    pub fn values(&self, set: usize) -> JsResult<Vec<f64>> {
        let params = self.set(set)?;
        Ok(match &self.solver {
            Some(solver) => solver.borrow().values(params).to_vec(),
            None => self.problem.values(params).to_vec(),
        })
    }

    /// Replaces the numbers of a set, without another plan.
    #[wasm_bindgen(js_name = setValues)]
    pub fn set_values(&mut self, set: usize, values: &[f64]) -> JsResult<()> {
        let params = self.set(set)?;
        let set = match &self.solver {
            Some(solver) => solver.borrow_mut().set_values(params, values),
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
}

impl Session {
    fn set(&self, set: usize) -> JsResult<Params> {
        let none = || to_js(&Error::argument("session", format!("there is no set {set}")));
        self.sets.get(set).copied().ok_or_else(none)
    }

    fn compiled(&self) -> JsResult<Rc<RefCell<Solver>>> {
        self.solver.clone().ok_or_else(|| to_js(&Error::argument("session", "the problem is not compiled yet")))
    }

    /// Before another plan: the problem goes on where its solver is.
    fn keep_values(&mut self) -> JsResult<()> {
        let Some(solver) = self.solver.take() else { return Ok(()) };
        let solver = solver.borrow();
        let kept = self.sets.iter().try_for_each(|&set| self.problem.set_values(set, solver.values(set)));
        kept.map_err(|error| to_js(&error))
    }
}

fn by_name<T: Copy>(what: &str, all: &[(&str, T)], name: &str) -> Result<T> {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, found)| *found);
    found.ok_or_else(|| Error::argument(what, format!("there is no {what} `{name}`; there are {}", names.join(", "))))
}

fn solve_options(given: &JsValue) -> Result<SolveOptions<'static>> {
    let value = |name: &str| Reflect::get(given, &name.into()).ok().filter(|value| !value.is_undefined() && !value.is_null());
    let number = |name: &str, usual: f64| match value(name) {
        None => Ok(usual),
        Some(value) => value
            .as_f64()
            .filter(|number| *number >= 0.0)
            .ok_or_else(|| Error::argument("solve", format!("{name} is no number of at least 0"))),
    };
    let text = |name: &str, usual: &str| value(name).and_then(|value| value.as_string()).unwrap_or_else(|| usual.to_owned());
    let usual = SolveOptions::default();
    Ok(SolveOptions {
        method: by_name("method", Method::ALL, &text("method", "lm"))?,
        linear: by_name("linear solver", Linear::ALL, &text("linear", "auto"))?,
        function_tolerance: number("functionTolerance", usual.function_tolerance)?,
        gradient_tolerance: number("gradientTolerance", usual.gradient_tolerance)?,
        parameter_tolerance: number("parameterTolerance", usual.parameter_tolerance)?,
        initial_radius: number("initialRadius", usual.initial_radius)?,
        clock: Clock::new(|| performance_now() / 1e3),
        ..usual
    })
}

fn iteration_json(iteration: &Iteration) -> String {
    let numbers = [
        ("cost", iteration.cost),
        ("decrease", iteration.decrease),
        ("gradientMax", iteration.gradient_max),
        ("stepNorm", iteration.step_norm),
        ("radius", iteration.radius),
        ("seconds", iteration.seconds),
    ];
    let numbers = numbers.map(|(name, number)| (name, number_json(number)));
    let rest = [("number", iteration.number.to_string()), ("accepted", iteration.is_accepted.to_string())];
    json::object(numbers.into_iter().chain(rest))
}

/// A number of a report. The sum of nothing is −0, which nobody expects.
fn number_json(number: f64) -> String {
    json::number(number + 0.0)
}

fn reason_json(reason: Option<Reason>) -> String {
    reason.map_or_else(|| "null".to_owned(), |reason| {
        let converged = reason.is_converged().to_string();
        json::object([("name", json::text(reason.name())), ("explanation", json::text(reason.explanation())), ("converged", converged)])
    })
}
