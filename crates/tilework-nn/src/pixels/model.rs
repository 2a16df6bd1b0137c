//! Models opened from pictures, as from their files.
//!
//! A language model is opened from [`PixelFile::gguf_files`], which are sources like any other.

use tilework::{Array, Device, Result};

use super::damaged;
use super::file::PixelFile;
use super::values::values;
use crate::gguf::Source;
use crate::{Embedder, EmbedderSettings, TokenizerFile, Weights};

impl Weights {
    /// The arrays of a picture, with the types that [`Weights::from_bytes`] gives them; tensors of packed blocks become 32-bit floats.
    ///
    /// Tensors of files that are no models are left out. Fails with [`tilework::ErrorKind::Io`] if the picture is damaged.
    pub fn from_pixels(device: &Device, picture: &PixelFile) -> Result<Weights> {
        let mut weights = Weights::new(device);
        for (index, tile) in picture.tensors().iter().enumerate() {
            if tile.dtype == super::BYTES {
                continue;
            }
            let bytes = picture.read_tensor(index)?;
            let sizes = tile.shape.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<Vec<_>>>();
            let shape = sizes.ok_or_else(|| damaged(format!("`{}` is too large for this machine", tile.name)))?;
            let array: Array = if crate::weights::is_plain(&tile.dtype) {
                crate::weights::array(device, &tile.name, &tile.dtype, &shape, &bytes)?
            } else {
                let elements = values(&tile.dtype, &bytes)?;
                if elements.len() as u64 != tile.n_elements() {
                    return Err(damaged(format!("`{}` has too few or too many bytes for {shape:?}", tile.name)));
                }
                device.array(elements, shape.as_slice())
            };
            weights.insert(tile.name.clone(), array);
        }
        Ok(weights)
    }
}

impl Embedder {
    /// The sentence-embedding model in a picture, which has `config.json`, `tokenizer.json` or `vocab.txt` and, if it needs it,
    /// `sentence_bert_config.json` besides the weights.
    pub async fn from_pixels(device: &Device, picture: &PixelFile) -> Result<Embedder> {
        let has = |name: &str| picture.files().any(|file| file.0 == name);
        let read = |name: &str| picture.file(name).and_then(|file| file.to_vec());
        let config = read("config.json")?;
        let is_json = has("tokenizer.json") || !has("vocab.txt");
        let tokenizer = read(if is_json { "tokenizer.json" } else { "vocab.txt" })?;
        let sentence_config =
            if has("sentence_bert_config.json") { Some(read("sentence_bert_config.json")?) } else { None };
        let settings = EmbedderSettings {
            config: &config,
            tokenizer: if is_json { TokenizerFile::Json(&tokenizer) } else { TokenizerFile::Vocabulary(&tokenizer) },
            sentence_config: sentence_config.as_deref(),
        };
        Embedder::with_weights(settings, &Weights::from_pixels(device, picture)?).await
    }
}

impl PixelFile {
    /// Opens the language model in a picture.
    pub fn language_model(
        &self,
        device: &Device,
        options: crate::llm::ModelOptions,
        progress: &mut dyn FnMut(crate::llm::LoadProgress) -> Result<()>,
    ) -> Result<crate::llm::Model> {
        let files = self.gguf_files();
        if files.is_empty() {
            return Err(damaged("there is no language model in the picture"));
        }
        let sources: Vec<&dyn Source> = files.iter().map(|file| file as &dyn Source).collect();
        crate::llm::Model::open(device, &sources, options, progress)
    }
}
