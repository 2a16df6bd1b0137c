//! Pictures as text, for the examples.

use tilework::{Array, Result};

/// From dark to bright.
const SHADES: &[u8] = b" .:-=+*#%@";

/// A matrix of numbers from 0 to 1 as lines of characters.
pub(crate) async fn picture(brightness: &Array) -> Result<String> {
    let n_columns = brightness.shape().last().copied().unwrap_or(1).max(1);
    let levels = (brightness.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64).round();
    let levels: Vec<f32> = levels.to_f32().to_vec().await?;
    let line = |row: &[f32]| row.iter().map(|&level| char::from(SHADES[level as usize])).collect::<String>();
    Ok(levels.chunks(n_columns).map(line).collect::<Vec<_>>().join("\n"))
}
