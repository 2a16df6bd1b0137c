//! Short names for what a module imports, and for the closures it exports.
//!
//! wasm-bindgen gives every imported function a name with a hash of sixteen digits, which no compression makes smaller: a
//! hundredth of the download. The names of closures spell out their types, with such hashes in them. Module and JavaScript are
//! made together, so any names will do that they agree on.

use std::fs;
use std::path::Path;

use walrus::{Module, ModuleConfig};

use crate::process::{Failure, Result};

const N_HASH_DIGITS: usize = 16;

/// What the name of an exported closure has in it.
const CLOSURE: &str = "___closures_";

/// Renames the imports and closures of a module, and in its JavaScript what they are there.
pub(crate) fn run(module_file: &Path, javascript_file: &Path) -> Result {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot rename imports: {error:#}"));
    let mut config = ModuleConfig::new();
    config.generate_producers_section(false).generate_name_section(false);
    let mut module = config.parse_file(module_file).map_err(|error| failed(&error))?;
    let javascript = fs::read_to_string(javascript_file).map_err(|error| failed(&error))?;
    let javascript = rename(&mut module, javascript)?;
    module.emit_wasm_file(module_file).map_err(|error| failed(&error))?;
    fs::write(javascript_file, javascript).map_err(|error| failed(&error))
}

fn rename(module: &mut Module, mut javascript: String) -> Result<String> {
    let imports = module.imports.iter_mut().map(|import| &mut import.name).filter(|name| is_hashed(name));
    javascript = shorten(imports, "__i", javascript)?;
    let mut closures: Vec<_> = module.exports.iter_mut().filter(|export| export.name.contains(CLOSURE)).collect();
    // The name of one is the beginning of another's.
    closures.sort_by_key(|export| std::cmp::Reverse(export.name.len()));
    shorten(closures.into_iter().map(|export| &mut export.name), "__c", javascript)
}

/// Gives `names` numbers, in the order they come in.
fn shorten<'a>(names: impl Iterator<Item = &'a mut String>, prefix: &str, mut javascript: String) -> Result<String> {
    for (number, name) in names.enumerate() {
        if !javascript.contains(name.as_str()) {
            return Err(Failure::new(format!("the JavaScript has no function {name}")));
        }
        let short = format!("{prefix}{number}");
        javascript = javascript.replace(name.as_str(), &short);
        *name = short;
    }
    Ok(javascript)
}

fn is_hashed(name: &str) -> bool {
    name.rsplit_once('_')
        .is_some_and(|(_, hash)| hash.len() == N_HASH_DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::ValType;

    #[test]
    fn hashed_imports_get_short_names_on_both_sides() {
        let mut module = Module::default();
        let function = module.types.add(&[ValType::I32], &[]);
        module.add_import_func("wbg", "__wbg_call_0123456789abcdef", function);
        module.add_import_func("wbg", "__wbindgen_throw", function);
        module.add_import_func("wbg", "__wbg_call_fedcba9876543210", function);
        let javascript =
            "a.__wbg_call_0123456789abcdef = b; a.__wbindgen_throw = c; a.__wbg_call_fedcba9876543210 = d;";
        let renamed = rename(&mut module, javascript.to_owned()).unwrap();
        assert_eq!(renamed, "a.__i0 = b; a.__wbindgen_throw = c; a.__i1 = d;");
        let names: Vec<&str> = module.imports.iter().map(|import| import.name.as_str()).collect();
        assert_eq!(names, ["__i0", "__wbindgen_throw", "__i1"]);
        module.imports.iter_mut().for_each(|import| import.name = "__wbg_gone_0123456789abcdef".to_owned());
        assert!(rename(&mut module, renamed).is_err());
    }

    #[test]
    fn a_closure_whose_name_begins_like_another_keeps_its_own() {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        for name in ["a___closures___b", "a___closures___b_1", "memory"] {
            module.exports.add(name, memory);
        }
        let renamed = rename(&mut module, "a___closures___b(); a___closures___b_1(); memory".to_owned()).unwrap();
        assert_eq!(renamed, "__c1(); __c0(); memory");
        let names: Vec<&str> = module.exports.iter().map(|export| export.name.as_str()).collect();
        assert_eq!(names, ["__c1", "__c0", "memory"]);
    }
}
