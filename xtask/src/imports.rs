//! Short names for what a module imports.
//!
//! wasm-bindgen gives every imported function a name with a hash of sixteen digits, which no compression makes smaller: a
//! hundredth of the download. Module and JavaScript are made together, so any names will do that they agree on.

use std::fs;
use std::path::Path;

use walrus::{Module, ModuleConfig};

use crate::process::{Failure, Result};

const N_HASH_DIGITS: usize = 16;

/// Renames the imports of a module, and the functions of its JavaScript that they are.
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
    for (number, import) in module.imports.iter_mut().filter(|import| is_hashed(&import.name)).enumerate() {
        if !javascript.contains(&import.name) {
            return Err(Failure::new(format!("the JavaScript has no function {}", import.name)));
        }
        let short = format!("__i{number}");
        javascript = javascript.replace(&import.name, &short);
        import.name = short;
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
}
