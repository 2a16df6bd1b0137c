//! docs/coverage.md: which functions of the array API standard and of NumPy there are, and where. Everything in it but the promised names
//! (tests/coverage/promised.txt) is found out: by asking the engine for a call of that name, and by reading the rows of the library, the goldens of
//! NumPy and the methods of the npm package. Refresh it with `TILEWORK_UPDATE=1`.
//!
//! A promised name that nothing answers to must stand in tests/coverage/absent.txt with its reason, and nothing else may stand there; a refresh
//! takes out what has come.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tilework::layers::core::expr::ScalarOp;
use tilework::layers::ops::Attrs;
use tilework::layers::ops::registry;
use tilework::{Device, Function};

/// A line of the list of promised names.
struct Promised<'a> {
    section: &'a str,
    name: &'a str,
    /// Names of calls, the best first.
    calls: Vec<&'a str>,
    /// The function of Rust, if it is spelled differently.
    rust: Option<&'a str>,
    evidence: Evidence<'a>,
}

/// What shows that a function works, and where it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Evidence<'a> {
    /// Cases that NumPy answered.
    Goldens,
    /// A test of crates/tilework, which runs it on every device.
    Test(&'a str),
    /// A test of crates/tilework; no device computes it.
    Host(&'a str),
}

/// What was found of one of them.
struct Found {
    call: Option<String>,
    rust: Option<String>,
    javascript: Option<String>,
}

/// What NumPy's goldens say of a call.
#[derive(Default)]
struct Goldens {
    n_cases: usize,
    n_gpu: usize,
    n_gradients: usize,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/coverage").join(name)
}

fn promised(text: &str) -> Vec<Promised<'_>> {
    let mut section = "";
    let mut list = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if !line.starts_with('#') {
            let (line, evidence) = match line.split_once('@').map(|(line, place)| (line.trim(), place.trim())) {
                Some((line, place)) => match place.strip_prefix("host ") {
                    Some(file) => (line, Evidence::Host(file.trim())),
                    None => (line, Evidence::Test(place)),
                },
                None => (line, Evidence::Goldens),
            };
            let (rest, rust) = line.split_once(':').map_or((line, None), |(rest, rust)| (rest, Some(rust.trim())));
            let (name, others) = rest.split_once('=').unwrap_or((rest, ""));
            // After "==" our own function of the same name means something else.
            let own = if others.starts_with('=') { None } else { Some(name.trim()) };
            let calls = own.into_iter().chain(others.trim_start_matches('=').split_whitespace()).collect();
            list.push(Promised { section, name: name.trim(), calls, rust, evidence });
        }
    }
    list
}

/// Whether some operation, method or function answers to `name`.
fn is_call(device: &Device, name: &str) -> bool {
    if Function::all().any(|function| function.name == name) {
        return true;
    }
    let answer = device.call(name, &[], &Attrs::default()).check();
    answer.err().is_none_or(|error| !error.to_string().contains("there is no operation of this name"))
}

fn goldens() -> BTreeMap<String, Goldens> {
    let mut found: BTreeMap<String, Goldens> = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("testdata/numpy")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        // A case a line, as the scripts write them; a parser of JSON would be a dependency for three words.
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let Some(name) = line.split("{\"call\":\"").nth(1).and_then(|rest| rest.split('"').next()) else {
                continue;
            };
            let goldens = found.entry(name.to_owned()).or_default();
            goldens.n_cases += 1;
            goldens.n_gpu += usize::from(!line.contains("\"gpu\":false"));
            goldens.n_gradients += usize::from(line.contains("\"grad\":true"));
        }
    }
    found
}

/// All sources below a folder, as one text.
fn sources(folder: &Path, extension: &str) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "wasm") {
            text += &sources(&path, extension);
        } else if path.extension().is_some_and(|found| found == extension) {
            text += &std::fs::read_to_string(path).unwrap();
        }
    }
    text
}

/// `log_softmax` becomes `logSoftmax`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_ascii_uppercase() + &word[1..])
}

/// The texts that names are looked for in.
struct Sources {
    rust: String,
    /// Methods of arrays, of devices and of generators, and how each is written.
    javascript: Vec<(&'static str, String)>,
}

impl Sources {
    fn read() -> Sources {
        let package = root().join("packages/tilework/src");
        let file = |name: &str| std::fs::read_to_string(package.join(name)).unwrap();
        let library = file("generated/library.ts");
        let class = |name: &str| {
            library.split("export abstract class ").find(|part| part.starts_with(name)).unwrap_or_default().to_owned()
        };
        let arrays =
            [file("nd_array.ts"), file("composed.ts"), file("generated/ops.ts"), class("LibraryMethods")].concat();
        let by_hand = ["tilework.ts", "transforms.ts", "file_functions.ts", "type_functions.ts"].map(file).concat();
        let devices = by_hand + &class("LibraryFunctions");
        let generators = file("random.ts") + &class("LibraryDraws");
        let types = std::fs::read_to_string(root().join("crates/tilework-core/src/dtype.rs")).unwrap();
        let rust = sources(&root().join("crates/tilework/src"), "rs") + &types;
        Sources { rust, javascript: vec![("x", arrays), ("tw", devices), ("tw.random(seed)", generators)] }
    }

    fn rust(&self, name: &str) -> Option<String> {
        let mut known =
            ["pub fn ", "pub async fn "].map(|start| [format!("{start}{name}("), format!("{start}{name}<")]).concat();
        // A row of the macro that makes the reductions.
        known.push(format!("\n    {name} {name}_keep "));
        known.iter().any(|words| self.rust.contains(words.as_str())).then(|| name.to_owned())
    }

    /// A method of generators.
    fn draw(&self, name: &str) -> Option<String> {
        let name = self.rust(name.strip_prefix("random_")?)?;
        Some(format!("random(seed).{name}"))
    }

    fn javascript(&self, name: &str) -> Option<String> {
        let find = |name: &str, among: &[(&'static str, String)]| {
            let heads = ["", "async ", "override "].map(|word| format!("\n  {word}{name}("));
            let (owner, _) = among.iter().find(|(_, text)| heads.iter().any(|head| text.contains(head.as_str())))?;
            Some(format!("{owner}.{name}"))
        };
        let drawn = name.strip_prefix("random_").and_then(|name| find(&camel(name), &self.javascript[2..]));
        drawn.or_else(|| find(&camel(name), &self.javascript))
    }

    fn find(&self, device: &Device, promised: &Promised<'_>) -> Found {
        let call = promised.calls.iter().find(|name| is_call(device, name)).map(|&name| name.to_owned());
        let names = || call.iter().map(String::as_str).chain(promised.calls.iter().copied());
        let scalar = names().find_map(ScalarOp::find).map(|op| op.name().to_owned());
        let rust = promised
            .rust
            .and_then(|name| self.rust(name))
            .or_else(|| names().find_map(|name| self.rust(name)))
            .or_else(|| names().find_map(|name| self.draw(name)))
            .or(scalar);
        let javascript = names().chain(promised.rust).find_map(|name| self.javascript(name));
        Found { javascript, call, rust }
    }
}

impl Found {
    fn is_there(&self) -> bool {
        self.call.is_some() || self.rust.is_some() || self.javascript.is_some()
    }

    fn row(&self, promised: &Promised<'_>, goldens: &BTreeMap<String, Goldens>) -> String {
        let none = Goldens::default();
        let names = || self.call.iter().map(String::as_str).chain(promised.calls.iter().copied());
        let cases = names().find_map(|call| goldens.get(call)).unwrap_or(&none);
        let is_smooth = names().find_map(ScalarOp::find).is_some_and(ScalarOp::is_differentiable);
        let gradient = if cases.n_gradients > 0 || is_smooth { "yes" } else { "" };
        let code = |name: &Option<String>| name.as_ref().map_or_else(String::new, |name| format!("`{name}`"));
        let cpu = if self.call.is_some() || self.rust.is_some() { "yes" } else { "" };
        let tested = match promised.evidence {
            Evidence::Test(file) | Evidence::Host(file) => file.to_owned(),
            Evidence::Goldens if cases.n_cases == 0 => String::new(),
            Evidence::Goldens => cases.n_cases.to_string(),
        };
        let (rust, javascript, gpu) = (code(&self.rust), code(&self.javascript), self.gpu(promised, cases));
        format!("| {} | {rust} | {javascript} | {cpu} | {gpu} | {gradient} | {tested} |", promised.name)
    }

    fn gpu(&self, promised: &Promised<'_>, cases: &Goldens) -> &'static str {
        let is_scalar = self.call.as_deref().and_then(ScalarOp::find).is_some();
        match (promised.evidence, self.call.as_deref().and_then(registry::find)) {
            (Evidence::Host(_), _) => "host",
            (Evidence::Test(_), _) => "yes",
            (_, Some(entry)) if entry.kernels.is_empty() => "moved to the CPU",
            (_, Some(_)) => "yes",
            _ if cases.n_gpu > 0 => "yes",
            _ if cases.n_cases > 0 => "moved to the CPU",
            _ if is_scalar => "yes",
            // Nothing here has seen it run there.
            _ => "no case",
        }
    }
}

/// Fails if a test that is named as evidence does not name the function, or does not run on every device.
fn check_evidence(promised: &Promised<'_>, found: &Found) {
    let (Evidence::Test(file) | Evidence::Host(file)) = promised.evidence else { return };
    let text = std::fs::read_to_string(root().join("crates/tilework/tests").join(file)).unwrap();
    let names = || found.call.iter().map(String::as_str).chain(promised.calls.iter().copied()).chain(promised.rust);
    let is_called = |name: &str| {
        let name = name.strip_prefix("random_").unwrap_or(name);
        [".", "::", " "].iter().any(|before| text.contains(&format!("{before}{name}(")))
    };
    let is_named = names().any(|name| text.contains(&format!("\"{name}\"")) || is_called(name));
    let is_everywhere = matches!(promised.evidence, Evidence::Host(_)) || text.contains("devices()");
    assert!(is_named && is_everywhere, "{file} does not test {} everywhere", promised.name);
}

const HEAD: &str = "# Coverage\n\nThe functions of the array API standard 2025.12 and of NumPy that Tilework has. Generated; a test keeps it fresh. \
    Cases are those NumPy itself answered (testdata/numpy): all of them run in Rust and in JavaScript on the CPU, those that a GPU is meant for also \
    there, in JavaScript every tenth. GPU says yes for a scalar operation, for one with kernels and where a case passes there, and no case where \
    neither is known; host stands for what no device computes. A gradient is one that finite differences agree with, or that of a scalar operation; where \
    there is none, the function has none, or one that is 0 everywhere. The last column says how many cases of NumPy's there are, or which of our tests \
    shows it, on every device that can do it.\n";

fn coverage_md(rows: &[(Promised<'_>, Found)], absent: &BTreeMap<&str, &str>) -> String {
    let (goldens, mut text, mut section) = (goldens(), HEAD.to_owned(), "");
    for (promised, found) in rows {
        if promised.section != section {
            section = promised.section;
            _ = writeln!(
                text,
                "\n## {section}\n\n| NumPy | Rust | JavaScript | CPU | GPU | gradient | tested |\n|---|---|---|---|---|---|--:|"
            );
        }
        if found.is_there() {
            check_evidence(promised, found);
            _ = writeln!(text, "{}", found.row(promised, &goldens));
        }
    }
    if !absent.is_empty() {
        text.push_str("\n## Absent\n\n| NumPy | why |\n|---|---|\n");
        absent.iter().for_each(|(name, why)| _ = writeln!(text, "| {name} | {why} |"));
    }
    text
}

/// Names with their reasons.
fn reasons(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).map(|(name, why)| (name.trim(), why.trim())).collect()
}

#[test]
fn coverage_md_is_fresh_and_nothing_promised_is_missing() {
    let is_update = std::env::var_os("TILEWORK_UPDATE").is_some();
    let list = std::fs::read_to_string(here("promised.txt")).unwrap();
    let (device, sources) = (Device::cpu(), Sources::read());
    let rows: Vec<(Promised<'_>, Found)> = promised(&list)
        .into_iter()
        .map(|promised| {
            let found = sources.find(&device, &promised);
            (promised, found)
        })
        .collect();
    let absent_text = std::fs::read_to_string(here("absent.txt")).unwrap_or_default();
    let mut absent = reasons(&absent_text);
    let is_there = |name: &str| rows.iter().any(|(promised, found)| promised.name == name && found.is_there());
    if is_update {
        absent.retain(|name, _| !is_there(name));
        let kept: String =
            absent_text.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let lines: String = absent.iter().map(|(name, why)| format!("{name}: {why}\n")).collect();
        std::fs::write(here("absent.txt"), kept + &lines).unwrap();
    }
    let missing: Vec<&str> = rows
        .iter()
        .filter(|(promised, found)| !found.is_there() && !absent.contains_key(promised.name))
        .map(|(promised, _)| promised.name)
        .collect();
    assert!(missing.is_empty(), "promised, and neither there nor in absent.txt: {}", missing.join(" "));
    let come: Vec<&str> = absent.keys().copied().filter(|name| is_there(name)).collect();
    assert!(come.is_empty(), "in absent.txt, but there: {}", come.join(" "));
    let (file, fresh) = (root().join("docs/coverage.md"), coverage_md(&rows, &absent));
    if is_update {
        std::fs::write(&file, &fresh).unwrap();
    }
    assert!(
        std::fs::read_to_string(&file).unwrap_or_default() == fresh,
        "docs/coverage.md is stale: run TILEWORK_UPDATE=1 cargo test -p tilework-conformance --test coverage"
    );
}
