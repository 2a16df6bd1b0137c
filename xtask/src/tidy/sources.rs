//! Rules about one file at a time: length, left-over macros, kernel headers.

use super::{Findings, SourceFile};

/// From here on a file is worth splitting.
const SOFT_LIMIT_LINES: usize = 400;
/// Above this it must be split.
const HARD_LIMIT_LINES: usize = 600;

/// Text that must not stay in a Rust file, and why.
const LEFT_OVER: &[(&str, &str)] = &[
    ("todo!(", "finish it or return an error"),
    ("unimplemented!(", "return an error instead"),
    ("dbg!(", "remove it"),
    ("#[ignore", "a test runs or is deleted"),
];

/// These rules name the text they forbid.
const OWN_FOLDER: &str = "xtask/src/tidy/";

/// Where the hand-written kernels are.
const KERNEL_FOLDER: &str = "crates/tilework-ops/src/";
const KERNEL_HEADER_LINES: usize = 2;

/// All rules that look at a single file.
pub(super) fn check(file: &SourceFile, findings: &mut Findings) {
    check_length(file, findings);
    if file.path.ends_with(".rs") && !file.path.starts_with(OWN_FOLDER) {
        check_left_over(file, findings);
    }
    if file.path.ends_with(".wgsl") && file.path.starts_with(KERNEL_FOLDER) {
        check_kernel_header(file, findings);
    }
}

fn check_length(SourceFile { path, text }: &SourceFile, findings: &mut Findings) {
    // Nobody reads or edits what a program writes.
    let n_lines = if path.contains("/generated/") { 0 } else { text.lines().count() };
    if n_lines > HARD_LIMIT_LINES {
        findings.problems.push(format!("{path}: {n_lines} lines, at most {HARD_LIMIT_LINES}; split it"));
    } else if n_lines > SOFT_LIMIT_LINES {
        findings.notes.push(format!("{path}: {n_lines} lines; over {SOFT_LIMIT_LINES} think of splitting"));
    }
}

fn check_left_over(SourceFile { path, text }: &SourceFile, findings: &mut Findings) {
    for (index, line) in text.lines().enumerate() {
        for (left_over, advice) in LEFT_OVER.iter().filter(|(left_over, _)| line.contains(left_over)) {
            findings.problems.push(format!("{path}:{}: `{left_over}` must not stay; {advice}", index + 1));
        }
    }
}

/// A kernel opens with its contract: the formula, the shapes, the work of a thread.
fn check_kernel_header(SourceFile { path, text }: &SourceFile, findings: &mut Findings) {
    let is_header = |line: &&str| line.starts_with("//");
    let n_header_lines = text.lines().take_while(is_header).count();
    if n_header_lines < KERNEL_HEADER_LINES {
        findings.problems.push(format!(
            "{path}: starts with {n_header_lines} comment lines, at least {KERNEL_HEADER_LINES}: formula, shapes, threads"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Findings {
        let mut findings = Findings::default();
        check(&SourceFile { path: path.into(), text: text.into() }, &mut findings);
        findings
    }

    #[test]
    fn length_has_a_soft_and_a_hard_limit() {
        let counts = |n_lines: usize| {
            let found = findings("crates/a/src/lib.rs", &"//\n".repeat(n_lines));
            (found.notes.len(), found.problems.len())
        };
        assert_eq!([counts(400), counts(401), counts(600), counts(601)], [(0, 0), (1, 0), (1, 0), (0, 1)]);
        assert!(findings("packages/a/src/generated/b.ts", &"//\n".repeat(900)).problems.is_empty());
    }

    #[test]
    fn left_over_macros_are_named_with_their_line() {
        let found = findings("crates/a/src/lib.rs", "fn a() {\n    todo!()\n}\n#[ignore = \"slow\"]\n");
        assert_eq!(found.problems.len(), 2);
        assert!(found.problems[0].starts_with("crates/a/src/lib.rs:2: `todo!(`"));
        assert!(findings("site/a.ts", "todo!(").problems.is_empty(), "only Rust has these macros");
    }

    #[test]
    fn kernel_opens_with_a_header() {
        let path = "crates/tilework-ops/src/ops/softmax/softmax.wgsl";
        assert!(findings(path, "// y = x\n// x, y: [n]\noverride WG: u32 = 64;\n").problems.is_empty());
        for text in ["", "// y = x\nstruct Params {}\n", "\n// y = x\n// x: [n]\n", "struct P {}\n// a\n// b\n"] {
            assert_eq!(findings(path, text).problems.len(), 1, "{text:?}");
        }
        assert!(findings("tests/golden/fused.wgsl", "struct P {}\n").problems.is_empty(), "generated");
    }
}
