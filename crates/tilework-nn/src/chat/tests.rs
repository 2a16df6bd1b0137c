//! Templates of well-known models, and prompts as their model cards have them.

use super::*;

const LLAMA3: &str = "{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + \
    message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = \
    bos_token + content %}{% endif %}{{ content }}{% endfor %}{% if add_generation_prompt %}{{ \
    '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}";
const GEMMA: &str = "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif \
    %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation \
    roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if (message['role'] == 'assistant') %}{% set role = \
    'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + \
    '<end_of_turn>\n' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}";
const MISTRAL: &str = "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ \
    raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == \
    'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ message['content'] + \
    eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}";
const PHI3: &str = "{% for message in messages %}{% if message['role'] == 'system' %}{{'<|system|>\n' + message['content'] + \
    '<|end|>\n'}}{% elif message['role'] == 'user' %}{{'<|user|>\n' + message['content'] + '<|end|>\n'}}{% elif message['role'] == \
    'assistant' %}{{'<|assistant|>\n' + message['content'] + '<|end|>\n'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ \
    '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}";
const SMOLLM2: &str = "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\n\
    You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] \
    + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% \
    endif %}";

fn template(source: &str) -> ChatTemplate {
    let texts = SpecialTexts { begin: "<s>".to_owned(), end: "</s>".to_owned() };
    let template = ChatTemplate::new(Some(source), texts);
    assert!(template.is_own(), "{:?}", template.problem());
    template
}

fn talk() -> Vec<Message> {
    vec![Message::new("user", "Hi "), Message::new("assistant", "Hello!"), Message::new("user", "2<3 & 'x'?")]
}

fn render(source: &str) -> String {
    template(source).render(&talk(), RenderOptions::default()).unwrap()
}

#[test]
fn prompts_of_known_models() {
    let header = |role: &str| format!("<|start_header_id|>{role}<|end_header_id|>\n\n");
    let (user, assistant) = (header("user"), header("assistant"));
    let want = format!("<s>{user}Hi<|eot_id|>{assistant}Hello!<|eot_id|>{user}2<3 & 'x'?<|eot_id|>{assistant}");
    assert_eq!(render(LLAMA3), want);
    let want = "<s><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nHello!<end_of_turn>\n<start_of_turn>user\n2<3 & \
                'x'?<end_of_turn>\n<start_of_turn>model\n";
    assert_eq!(render(GEMMA), want);
    assert_eq!(render(MISTRAL), "<s>[INST] Hi  [/INST]Hello!</s>[INST] 2<3 & 'x'? [/INST]");
    assert_eq!(
        render(PHI3),
        "<|user|>\nHi <|end|>\n<|assistant|>\nHello!<|end|>\n<|user|>\n2<3 & 'x'?<|end|>\n<|assistant|>\n"
    );
    let want = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\n\
                Hi <|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\n2<3 & 'x'?<|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(render(SMOLLM2), want);
}

#[test]
fn without_a_template_it_is_chatml() {
    let want = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n";
    let messages = [Message::new("system", "Be brief."), Message::new("user", "Hi")];
    for source in [None, Some("{% if %}"), Some("{{ x")] {
        let template = ChatTemplate::new(source, SpecialTexts::default());
        assert_eq!((template.is_own(), template.problem().is_some()), (false, source.is_some()));
        let nobody = RenderOptions { turn: Turn::Nobody, ..RenderOptions::default() };
        assert_eq!(template.render(&messages, nobody).unwrap(), want);
        let prompt = template.render(&messages, RenderOptions::default()).unwrap();
        assert_eq!(prompt, format!("{want}<|im_start|>assistant\n"));
    }
}

#[test]
fn what_a_template_refuses_it_says() {
    let twice = [Message::new("user", "a"), Message::new("user", "b")];
    let error = template(GEMMA).render(&twice, RenderOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the template refuses: Conversation roles must alternate"), "{error}");
    let system = [Message::new("system", "a")];
    let error = template(GEMMA).render(&system, RenderOptions::default()).unwrap_err().to_string();
    assert!(error.contains("System role not supported"), "{error}");
}

#[test]
fn python_in_templates() {
    let cases = [
        ("{{ messages[0].content.strip() + '|' }}", "Hi|"),
        ("{{ ' xx a xx '.strip(' x') }}", "a"),
        ("{{ 'a</think>b'.split('</think>')[-1] }}", "b"),
        ("{{ 'a b  c'.split() | length }}", "3"),
        ("{{ 'a,b,c'.split(',', 1)[1] }}{{ 'a,b,c'.rsplit(',', 1)[0] }}", "b,ca,b"),
        ("{{ 'abc'.startswith('ab') and not 'abc'.endswith(('x', 'y')) }}", "True"),
        ("{{ 'aBc dE'.title() + 'aBc dE'.capitalize() + 'a'.upper() + 'B'.lower() }}", "Abc DeAbc deAb"),
        ("{{ 'abc'.replace('b', 'x') }}{{ 'éab'.find('b') }}", "axc2"),
        ("{% for k, v in {'a': 1}.items() %}{{ k }}={{ v }}{% endfor %}", "a=1"),
        ("{{ messages[0].get('name', 'none') }}{{ messages[0].get('role') }}", "noneuser"),
        ("{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}", "3"),
        ("{% for m in messages %}{% if loop.index == 2 %}{% break %}{% endif %}{{ m.role }}{% endfor %}", "user"),
        ("{% for m in messages[1:] %}{{ m.role }},{% endfor %}{{ messages[-1].content[0] }}", "assistant,user,2"),
        ("{{ {'a': [1, 'é<', none, true]} | tojson }}", "{\"a\": [1, \"é<\", null, true]}"),
        ("{{ [1, {}] | tojson(indent=2) }}", "[\n  1,\n  {}\n]"),
        ("{% macro f(x) %}[{{ x }}]{% endmacro %}{{ f('a') }}", "[a]"),
        ("{% if tools is defined and tools %}x{% else %}y{% endif %}", "y"),
        ("  {% if true %}\n  a\n  {% endif %}\nb\n", "  a\nb"),
        ("{%- generation %}x{%- endgeneration %}", "x"),
    ];
    for (source, want) in cases {
        assert_eq!(render(source), want, "{source}");
    }
    let dated = template("{{ strftime_now('%d %b %Y') if strftime_now is defined else '26 Jul 2024' }}");
    let now = RenderOptions { now_unix_s: Some(1_709_210_096), ..RenderOptions::default() };
    assert_eq!(dated.render(&[], now).unwrap(), "29 Feb 2024");
    assert_eq!(dated.render(&[], RenderOptions::default()).unwrap(), "26 Jul 2024");
}

#[test]
fn templates_cannot_run_away() {
    let endless = "{% for i in range(9999) %}{% for j in range(9999) %}{{ '' }}{% endfor %}{% endfor %}";
    let error = template(endless).render(&[], RenderOptions::default()).unwrap_err().to_string();
    assert!(error.contains("too long"), "{error}");
    let long = "{% set x = 'x' * 100000 %}{% for i in range(9999) %}{{ x }}{% endfor %}";
    let error = template(long).render(&[], RenderOptions::default()).unwrap_err().to_string();
    assert!(error.contains("too much"), "{error}");
    let deep = "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}";
    template(deep).render(&[], RenderOptions::default()).unwrap_err();
    assert!(!ChatTemplate::new(Some(&"x".repeat(1 << 20)), SpecialTexts::default()).is_own());
    assert!(!ChatTemplate::new(Some(&"{{ (".repeat(10_000)), SpecialTexts::default()).is_own());
    for source in ["{% include 'other' %}", "{% import 'x' as y %}", "{% extends 'x' %}", "{% block x %}{% endblock %}"]
    {
        assert!(!ChatTemplate::new(Some(source), SpecialTexts::default()).is_own(), "{source}");
    }
}
