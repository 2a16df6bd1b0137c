//! Linking WGSL by name.
//!
//! Joining files is linking, because WGSL declarations may come in any order; but a number module has a hundred functions and
//! a kernel uses five. [`link`] cuts a module at its top-level items and keeps those that the program reaches by name, so
//! that a generated kernel stays short enough to read and quick to compile.
//!
//! What a module must look like: items start in column 0 with `fn`, `const`, `alias`, `struct` or `override`; a `fn` or
//! `struct` over several lines ends with a `}` in column 0; comments directly above an item belong to it.

/// The items of `modules` that `program` needs, directly or through each other, in the order they stand there.
pub fn link(program: &str, modules: &[&str]) -> String {
    let items: Vec<Item<'_>> = modules.iter().flat_map(|module| parse_items(module)).collect();
    let mut by_name: Vec<(&str, usize)> = items.iter().enumerate().map(|(i, item)| (item.name, i)).collect();
    by_name.sort_unstable();
    let mut needed = vec![false; items.len()];
    let mut pending: Vec<&str> = vec![program];
    while let Some(text) = pending.pop() {
        for word in words(text) {
            let after = by_name.partition_point(|&(name, _)| name <= word);
            let Some(&(_, i)) = by_name[..after].last().filter(|(name, _)| *name == word) else { continue };
            if !std::mem::replace(&mut needed[i], true) {
                pending.push(items[i].text);
            }
        }
    }
    let mut linked = String::new();
    for (i, item) in items.iter().enumerate() {
        if needed[i] {
            linked.push_str(item.text);
            linked.push('\n');
        }
    }
    linked
}

struct Item<'a> {
    name: &'a str,
    /// With the comment above it.
    text: &'a str,
}

fn parse_items(module: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut start = None; // where the comment or item being collected begins
    let mut open: Option<&str> = None; // name of the item whose closing brace is awaited
    let mut offset = 0;
    for line in module.split_inclusive('\n') {
        let (begin, end) = (offset, offset + line.len());
        offset = end;
        let trimmed = line.trim_end();
        if let Some(name) = open {
            if trimmed == "}" || trimmed == "};" {
                items.push(Item { name, text: &module[start.take().unwrap_or(begin)..end] });
                open = None;
            }
        } else if let Some(name) = item_name(trimmed) {
            let begin = *start.get_or_insert(begin);
            if trimmed.ends_with('{') {
                open = Some(name);
            } else {
                items.push(Item { name, text: &module[begin..end] });
                start = None;
            }
        } else if trimmed.starts_with("//") {
            start.get_or_insert(begin);
        } else {
            start = None;
        }
    }
    items
}

/// The name a top-level declaration declares, if the line is one.
fn item_name(line: &str) -> Option<&str> {
    let rest = ["fn ", "const ", "alias ", "struct ", "override ", "var<private> ", "var<workgroup> "]
        .iter()
        .find_map(|keyword| line.strip_prefix(keyword))?;
    words(rest).next()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(without_comment)
        .flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty()))
}

fn without_comment(line: &str) -> &str {
    let comment = line.as_bytes().windows(2).position(|pair| pair == b"//");
    &line[..comment.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_reached_is_kept() {
        let module = "// A number.\nalias Num = f32;\n\nconst HALF: f32 = 0.5;\n// Halves.\nfn half(x: Num) -> Num {\n    return x * HALF;\n}\nfn unused() {\n}\nfn quarter(x: Num) -> Num {\n    return half(half(x));\n}\n";
        let linked = link("fn main() { _ = quarter(1.0); } // not unused", &[module]);
        for kept in ["// A number.", "alias Num", "const HALF", "// Halves.", "fn half", "fn quarter"] {
            assert!(linked.contains(kept), "{kept} is missing in:\n{linked}");
        }
        assert!(!linked.contains("unused"));
    }
}
