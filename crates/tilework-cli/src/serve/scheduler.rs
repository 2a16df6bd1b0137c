//! One thread owns the model and answers all requests together.
//!
//! In each round new requests are admitted as long as there is room, one chunk of one prompt is read, and every answer that is
//! being written gets one token, all by one step of the model. So a long prompt delays others by a chunk, not by its length. A
//! request whose client is gone is dropped at the next round. Contexts of finished answers are kept for prompts that begin
//! the same way.

use std::sync::Arc;

use tilework::{Error, Result};
use tilework_nn::generate::{Generation, Piece, Usage, Vocabulary};
use tokio::sync::mpsc;

use super::cache::Cache;
use super::engine::{Engine, Logits};

/// Contexts have room in steps of so many tokens, so that more of them fit the next prompt.
const ROOM_STEP: usize = 256;

/// How much is done at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Answers written at once.
    pub(crate) n_active: usize,
    /// Requests that wait.
    pub(crate) n_waiting: usize,
    /// Tokens of a prompt and its answer together.
    pub(crate) n_context: usize,
    /// Tokens of a prompt that are read in one round.
    pub(crate) n_chunk: usize,
    /// Contexts kept for prompts that begin the same way.
    pub(crate) n_cached: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { n_active: 4, n_waiting: 64, n_context: 4096, n_chunk: 256, n_cached: 4 }
    }
}

/// What a client hears.
#[derive(Debug)]
pub(crate) enum Event {
    /// The next token.
    Piece(Piece),
    /// The answer is whole.
    Done(Usage),
    /// A vector, of a model that has them; nothing of one that has not.
    Vector(Option<Vec<f32>>),
    /// It cannot be answered.
    Failed(Error),
}

/// A request.
pub(crate) struct Job {
    pub(crate) prompt: Vec<u32>,
    pub(crate) work: Work,
    /// Closed once the client is gone.
    pub(crate) events: mpsc::UnboundedSender<Event>,
}

/// What is to be done with a prompt.
pub(crate) enum Work {
    /// Continue it, by so many tokens at most.
    Continue { generation: Box<Generation>, n_most: usize },
    /// Its vector.
    Embed,
}

/// Where requests are handed in; the scheduler ends when all of them are gone and its work is done.
#[derive(Clone)]
pub(crate) struct Queue {
    jobs: mpsc::Sender<Job>,
}

impl Queue {
    /// Hands a request in, unless too many wait already.
    pub(crate) fn submit(&self, job: Job) -> std::result::Result<(), Refusal> {
        self.jobs.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Refusal::Busy,
            mpsc::error::TrySendError::Closed(_) => Refusal::Stopped,
        })
    }

    /// Whether there is a scheduler to take requests.
    pub(crate) fn is_alive(&self) -> bool {
        !self.jobs.is_closed()
    }
}

/// Why a request is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Busy,
    Stopped,
}

/// Starts the thread.
pub(crate) fn start<E: Engine>(
    engine: E,
    vocabulary: Arc<dyn Vocabulary>,
    limits: Limits,
) -> std::io::Result<(Queue, std::thread::JoinHandle<()>)> {
    let (sender, jobs) = mpsc::channel(limits.n_waiting.max(1));
    let scheduler =
        Scheduler { engine, vocabulary, limits, jobs, active: Vec::new(), cache: Cache::new(limits.n_cached) };
    let thread = std::thread::Builder::new().name("scheduler".to_owned()).spawn(move || scheduler.run())?;
    Ok((Queue { jobs: sender }, thread))
}

struct Scheduler<E: Engine> {
    engine: E,
    vocabulary: Arc<dyn Vocabulary>,
    limits: Limits,
    jobs: mpsc::Receiver<Job>,
    active: Vec<Active<E>>,
    cache: Cache<E>,
}

/// A request being answered.
struct Active<E: Engine> {
    prompt: Vec<u32>,
    context: E::Context,
    generation: Box<Generation>,
    events: mpsc::UnboundedSender<Event>,
    n_cached: usize,
    state: State,
}

/// How far an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The prompt is being read.
    Reading,
    /// The token to go on with.
    Writing(u32),
    Done,
    /// Its context is not to be trusted.
    Failed,
}

impl<E: Engine> Scheduler<E> {
    fn run(mut self) {
        while self.admit() {
            self.active.retain(|active| !active.events.is_closed());
            self.read_a_chunk();
            self.write_a_token();
            self.retire();
        }
    }

    /// Takes requests in; waits for one if there is nothing else to do. False once there never will be.
    fn admit(&mut self) -> bool {
        if self.active.is_empty() {
            match self.jobs.blocking_recv() {
                Some(job) => self.begin(job),
                None => return false,
            }
        }
        while self.active.len() < self.limits.n_active {
            let Ok(job) = self.jobs.try_recv() else { break };
            self.begin(job);
        }
        true
    }

    fn begin(&mut self, job: Job) {
        if job.events.is_closed() {
            return;
        }
        let events = job.events.clone();
        if let Err(error) = self.try_begin(job) {
            let _ = events.send(Event::Failed(error));
        }
    }

    fn try_begin(&mut self, job: Job) -> Result<()> {
        let Job { prompt, work, events } = job;
        let (generation, n_most) = match work {
            Work::Embed => {
                let _ = events.send(Event::Vector(self.engine.embed(&prompt)?));
                return Ok(());
            }
            Work::Continue { generation, n_most } => (generation, n_most),
        };
        if prompt.is_empty() {
            return Err(Error::argument("prompt", "it has no tokens"));
        }
        let n_room = prompt.len().saturating_add(n_most).min(self.limits.n_context);
        let n_room = n_room.next_multiple_of(ROOM_STEP).min(self.limits.n_context);
        let context = match self.cache.take(&mut self.engine, &prompt, n_room) {
            Some(context) => context,
            None => self.engine.context(n_room)?,
        };
        let n_cached = self.engine.tokens(&context).len();
        self.active.push(Active { prompt, context, generation, events, n_cached, state: State::Reading });
        Ok(())
    }

    /// The next chunk of the prompt that has waited longest.
    fn read_a_chunk(&mut self) {
        let Some(active) = self.active.iter_mut().find(|active| active.state == State::Reading) else { return };
        let n_read = self.engine.tokens(&active.context).len();
        let rest = &active.prompt[n_read.min(active.prompt.len())..];
        let chunk = &rest[..rest.len().min(self.limits.n_chunk.max(1))];
        let wanted = if chunk.len() == rest.len() { Logits::Last } else { Logits::Nothing };
        match self.engine.extend(&mut active.context, chunk, wanted) {
            Ok(_) if wanted == Logits::Nothing => {}
            logits => active.go_on(logits, &*self.vocabulary),
        }
    }

    /// One token for every answer being written.
    fn write_a_token(&mut self) {
        let writing = self.active.iter_mut().filter_map(|active| match active.state {
            State::Writing(token) => Some((&mut active.context, token)),
            _ => None,
        });
        let (mut contexts, tokens): (Vec<&mut E::Context>, Vec<u32>) = writing.unzip();
        if tokens.is_empty() {
            return;
        }
        let mut logits = match self.engine.step(&mut contexts, &tokens) {
            Ok(logits) => logits.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error); tokens.len()],
        }
        .into_iter();
        for active in self.active.iter_mut().filter(|active| matches!(active.state, State::Writing(_))) {
            let logits = logits.next().unwrap_or_else(|| Err(Error::argument("model", "a step gave too few logits")));
            active.go_on(logits, &*self.vocabulary);
        }
    }

    /// Takes out what is over; its context may be of use to the next one.
    fn retire(&mut self) {
        let over = self.active.extract_if(.., |active| matches!(active.state, State::Done | State::Failed));
        for active in over.filter(|active| active.state == State::Done) {
            self.cache.put(active.context);
        }
    }
}

impl<E: Engine> Active<E> {
    /// The next token of its answer, from the logits after the last.
    fn go_on(&mut self, logits: Result<Vec<f32>>, vocabulary: &dyn Vocabulary) {
        let piece = match logits.and_then(|logits| self.generation.next(&logits, vocabulary)) {
            Ok(piece) => piece,
            Err(error) => {
                self.state = State::Failed;
                let _ = self.events.send(Event::Failed(error));
                return;
            }
        };
        let finish = piece.finish;
        self.state = State::Writing(piece.token);
        let _ = self.events.send(Event::Piece(piece));
        if let Some(finish) = finish {
            self.state = State::Done;
            let (n_prompt, n_generated) = (self.prompt.len(), self.generation.n_generated());
            let usage = Usage { n_prompt, n_cached: self.n_cached, n_generated, finish };
            let _ = self.events.send(Event::Done(usage));
        }
    }
}
