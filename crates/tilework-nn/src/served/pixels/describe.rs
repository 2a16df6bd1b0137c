//! What a picture holds, in words and places for a page.

use serde_json::{Value, json};
use tilework::Result;

use super::weights::{Grain, is_editable};
use crate::gguf::{Gguf, Value as Fact};
use crate::pixels::{PixelFile, Tile};

/// A tensor and its place, for pages.
pub(super) fn described(tile: &Tile, scale: f32) -> Value {
    let grain = Grain::of(tile);
    let n = tile.n_elements();
    let n_cols = tile.n_cols().max(1);
    let mut line = 0;
    let mut rects = Vec::with_capacity(tile.rects.len());
    for rect in &tile.rects {
        rects.push(json!({
            "page": rect.page, "x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height, "line": line,
        }));
        line += u64::from(rect.height);
    }
    json!({
        "name": tile.name, "shape": tile.shape, "dtype": tile.dtype, "count": n, "bytes": tile.size_bytes,
        "columns": n_cols, "rows": n / n_cols, "editable": is_editable(&tile.dtype), "scale": scale, "rects": rects,
        // A type without numbers has pixels all the same.
        "perLine": grain.map_or(0, |grain| grain.per_line), "perPixel": grain.map_or(1.0, |grain| grain.per_pixel),
    })
}

/// What files say about the model, as far as a page shows it.
pub(super) fn metadata(file: &PixelFile) -> Result<Value> {
    let mut found = serde_json::Map::new();
    for (key, value) in file.metadata() {
        found.insert(key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned).into());
    }
    for source in file.gguf_files() {
        let gguf = Gguf::read(&source)?;
        for (key, value) in gguf.metadata.iter() {
            let words = match value {
                Fact::String(text) if text.len() <= 200 => text.clone(),
                other => match other.as_i128() {
                    Some(number) => number.to_string(),
                    None => continue,
                },
            };
            found.insert(key.to_owned(), words.into());
        }
    }
    Ok(Value::Object(found))
}
