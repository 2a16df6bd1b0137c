//! Pictures in and out: files that are opened, checked and saved.

use serde_json::json;
use tilework::{Error, ErrorKind, Result};

use super::weights::Painted;
use crate::pixels::{Encoding, ModelFile, PackOptions, PixelFile, pack_to_vec};
use crate::served::Answer;

/// First bytes of every PNG file.
const SIGNATURE: &[u8] = b"\x89PNG";

/// Opens pages of a picture, which must be intact, or makes one of another file; and what it was.
pub(super) fn picture(mut pages: Vec<Vec<u8>>, name: &str) -> Result<(&'static str, PixelFile)> {
    if pages.iter().all(|page| page.starts_with(SIGNATURE)) {
        let file = PixelFile::from_bytes(pages)?;
        let verified = file.verify(&mut |_, _| Ok(()))?;
        if verified.is_intact() {
            // What has to be decoded is decoded once, not with every look at it.
            let is_plain = file.encoding() == Encoding::Stored && file.pages().iter().all(|page| !page.is_rewritten);
            let file = if is_plain { file } else { PixelFile::from_bytes(packed(&file, Encoding::Stored)?)? };
            return Ok(("png", file));
        }
        let wrong: Vec<&str> =
            verified.wrong_tensors.iter().chain(&verified.wrong_files).map(String::as_str).take(4).collect();
        let words = verified.damage.map_or("it differs from what was packed", |damage| damage.explanation());
        let message = format!("{words} (wrong: {}, {} in all)", wrong.join(", "), verified.wrong_tensors.len());
        return Err(Error::new(ErrorKind::Io, "pixels", message));
    }
    let model = pages.swap_remove(0);
    let source = if model.starts_with(b"GGUF") { "gguf" } else { "safetensors" };
    let is_known = source == "gguf" || model.get(8) == Some(&b'{');
    if !is_known || !pages.is_empty() {
        let message = "this is neither a PNG, a safetensors nor a GGUF file (several files are pages of one picture)";
        return Err(Error::new(ErrorKind::Io, "pixels", message));
    }
    // By its name a damaged file is told from one that is something else.
    let name = format!("{}.{source}", name.trim_end_matches(&format!(".{source}")));
    let packed = pack_to_vec(&[ModelFile { name, source: &model }], &PackOptions::default())?;
    drop(model);
    Ok((source, PixelFile::from_bytes(packed)?))
}

/// The picture with what was painted.
pub(super) fn save(painted: &mut Painted, encoding: Encoding) -> Result<Answer> {
    for (&index, bytes) in &painted.edited {
        painted.file.replace(index, 0, bytes.clone())?;
    }
    let pages = packed(&painted.file, encoding);
    painted.file.restore();
    let (mut file, mut ends) = (Vec::new(), Vec::new());
    for page in pages? {
        file.extend(page);
        ends.push(file.len());
    }
    Ok(Answer { value: json!({ "ends": ends }), file, ..Answer::default() })
}

/// The files of a picture, packed again.
fn packed(file: &PixelFile, encoding: Encoding) -> Result<Vec<Vec<u8>>> {
    let sources = file.sources();
    let files: Vec<ModelFile<'_>> = sources.iter().map(|(name, file)| file.as_model_file(name)).collect();
    let options = PackOptions { encoding, title: file.title().to_owned(), ..PackOptions::default() };
    pack_to_vec(&files, &options)
}

/// What the checksums say of the picture as it was opened.
pub(super) fn verified(file: &PixelFile) -> Result<Answer> {
    let verified = file.verify(&mut |_, _| Ok(()))?;
    let words = verified.damage.map_or("", |damage| damage.explanation());
    let tensors = file.tensors().iter().map(|tile| {
        let is_wrong = verified.wrong_tensors.contains(&tile.name);
        json!({ "name": tile.name, "intact": !is_wrong, "problem": if is_wrong { words } else { "" } })
    });
    Ok(Answer { value: json!({ "tensors": tensors.collect::<Vec<_>>() }), ..Answer::default() })
}
