//! Answers of a real tiny model, step by step.

use std::path::PathBuf;

use pollster::block_on;
use tilework::Device;
use tilework_nn::generate::{Assistant, Body, Finish, Generation, Piece, Prepared, Room, Step, Vocabulary, Writing};
use tilework_nn::llm::{Context, Model, ModelOptions};

const ROOM: Room = Room { n_context: 200, n_most: 1000, now_unix_s: None };

/// The model, if there is test data.
#[expect(clippy::print_stderr, reason = "a test that tests nothing must say so")]
fn assistant() -> Option<Assistant> {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA") else {
        eprintln!("NOT TESTED: TILEWORK_TEST_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("stories260K/stories260K-f32.gguf");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let model = Model::open(&Device::cpu(), &[&bytes], ModelOptions::default(), &mut |_| Ok(())).unwrap();
    Some(Assistant::new(model).unwrap())
}

fn prepared(assistant: &Assistant, body: &str) -> Prepared {
    let request = Body::parse(body.as_bytes()).unwrap().completion(7).unwrap();
    assistant.prepare(request, ROOM).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Writes to the end: how many tokens of the prompt were read at each step, and the pieces.
fn write(model: &Model, context: &mut Context, prepared: Prepared, n_chunk: usize) -> (Vec<usize>, Vec<Piece>) {
    let mut writing = Writing::new(model, context, (prepared.prompt, prepared.generation), n_chunk);
    let (mut read, mut pieces) = (Vec::new(), Vec::new());
    while let Some(step) = block_on(writing.next(context)).unwrap() {
        match step {
            Step::Read(n) => read.push(n),
            Step::Wrote(piece) => pieces.push(piece),
        }
    }
    (read, pieces)
}

fn tokens(pieces: &[Piece]) -> Vec<u32> {
    pieces.iter().map(|piece| piece.token).collect()
}

const ASKED: &str = r#"{"prompt": "Once upon a time, there was", "temperature": 0, "max_tokens": 21}"#;
/// The same, but every token is chosen from logits.
const LOGITS: &str = r#"{"prompt": "Once upon a time, there was", "temperature": 0, "max_tokens": 21, "logprobs": 1}"#;

#[test]
fn an_answer_is_the_same_however_it_is_computed() {
    let Some(assistant) = assistant() else { return };
    let model = &assistant.model;
    let mut context = model.context(200).unwrap();
    let (read, ahead) = write(model, &mut context, prepared(&assistant, ASKED), usize::MAX);
    let n_prompt = prepared(&assistant, ASKED).prompt.len();
    assert_eq!(read, [n_prompt]);
    assert_eq!((ahead.len(), ahead.last().unwrap().finish), (21, Some(Finish::Length)));
    // The context has all but the last token, though more were computed.
    assert_eq!(context.tokens()[n_prompt..], tokens(&ahead)[..20]);
    let (read, logits) = write(model, &mut model.context(200).unwrap(), prepared(&assistant, LOGITS), 3);
    assert_eq!(read, (1..=n_prompt).filter(|n| n % 3 == 0 || *n == n_prompt).collect::<Vec<_>>());
    assert_eq!(tokens(&logits), tokens(&ahead));
    assert!(logits.iter().all(|piece| piece.logprobs.is_some()));
    // Asked again, only the last token of the prompt is read.
    let again = prepared(&assistant, ASKED);
    let mut writing = Writing::new(model, &mut context, (again.prompt, again.generation), usize::MAX);
    assert_eq!((writing.n_cached(), writing.n_prompt()), (n_prompt - 1, n_prompt));
    assert!(matches!(block_on(writing.next(&mut context)), Ok(Some(Step::Read(n))) if n == n_prompt));
}

#[test]
fn an_answer_ends_where_it_must() {
    let Some(assistant) = assistant() else { return };
    let model = &assistant.model;
    let text = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
    // The context is full before the answer is as long as it may be, for both ways of choosing.
    for asked in [ASKED, LOGITS] {
        let Prepared { prompt, generation, .. } = prepared(&assistant, asked);
        let mut context = model.context(prompt.len() + 5).unwrap();
        let n_most = 21;
        let (_, pieces) = write(model, &mut context, Prepared { prompt, generation, n_most }, 100);
        assert_eq!((pieces.len(), pieces.last().unwrap().finish), (6, Some(Finish::Length)));
        assert_eq!(context.len(), context.n_max());
    }
    let all = text(&write(model, &mut model.context(200).unwrap(), prepared(&assistant, ASKED), 100).1);
    let stop = all.split(' ').nth(5).unwrap();
    let asked = ASKED.replace("\"max_tokens\"", &format!("\"stop\": \"{stop}\", \"max_tokens\""));
    let mut context = model.context(200).unwrap();
    let stopped = write(model, &mut context, prepared(&assistant, &asked), 100).1;
    assert_eq!(text(&stopped), all[..all.find(stop).unwrap()]);
    assert_eq!(stopped.last().unwrap().finish, Some(Finish::Stop));
    assert!(context.tokens().ends_with(&tokens(&stopped)[..stopped.len() - 1]));
    // Nothing comes after the end, and nothing from an empty prompt.
    let generation = Generation::new(Default::default(), &[]).unwrap();
    assert!(
        block_on(Writing::new(model, &mut context, (Vec::new(), generation), 1).next(&mut context)).unwrap().is_none()
    );
}

#[test]
fn conversations_fit_or_are_refused() {
    let Some(assistant) = assistant() else { return };
    let chat = |content: &str| {
        let body = format!(r#"{{"messages": [{{"role": "user", "content": "{content}"}}], "max_tokens": 500}}"#);
        assistant.prepare(Body::parse(body.as_bytes()).unwrap().chat(7).unwrap(), ROOM)
    };
    let fits = chat("Hello").unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(fits.n_most, ROOM.n_context - fits.prompt.len());
    let refused = chat(&"long ".repeat(300)).err().unwrap();
    assert_eq!(refused.code, Some("context_length_exceeded"));
    assert!(refused.message.contains("room for 199"), "{}", refused.message);
    assert!(assistant.model.n_tokens() == 512 && assistant.model.is_end(2));
}
