//! What goes where, decided before anything is read but heads.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use tilework::layers::core::order;
use tilework::{Error, Result};

use super::checksum::Xxh64;
use super::index::{FileEntry, Part};
use super::layout::{self, Item, Layout};
use super::pack::{MAX_ZEROS_BYTES, PackOptions};
use super::parts::{self, FileKind, ModelFile, Piece, Tensor};
use super::tile::{self, Rect, Tile};
use super::{MAX_PAGE_BYTES, damaged};
use crate::gguf::{Gguf, Source};

/// What is where, before anything is read but heads.
pub(super) struct Plan<'a> {
    pub(super) files: Vec<FileEntry>,
    pub(super) tensors: Vec<Planned<'a>>,
    /// Where the compressed pieces come from.
    pub(super) blobs: Vec<Place<'a>>,
    pub(super) layout: Layout,
    pub(super) metadata: Map<String, Value>,
    pub(super) model_id: u64,
}

/// A range of a file.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) start: u64,
    pub(super) size_bytes: u64,
}

pub(super) struct Planned<'a> {
    pub(super) tensor: Tensor,
    pub(super) place: Place<'a>,
    pub(super) row_bytes: u64,
}

impl<'a> Plan<'a> {
    pub(super) fn new(files: &[ModelFile<'a>], options: &PackOptions) -> Result<Plan<'a>> {
        if files.is_empty() {
            return Err(Error::argument("pixels", "there is no file to pack"));
        }
        let layout = Layout { pages: Vec::new(), rects: Vec::new() };
        let (metadata, model_id) = (metadata(files, options)?, 0);
        let mut plan = Plan { files: Vec::new(), tensors: Vec::new(), blobs: Vec::new(), layout, metadata, model_id };
        let mut names = HashSet::new();
        for file in files {
            super::check::file_name(&file.name)?;
            if !names.insert(file.name.as_str()) {
                return Err(Error::argument("pixels", format!("there are two files called {}", file.name)));
            }
            plan.add(file, options)?;
        }
        plan.name_apart();
        plan.place(options.max_page_bytes.min(MAX_PAGE_BYTES));
        plan.model_id = plan.fingerprint()?;
        Ok(plan)
    }

    fn add(&mut self, file: &ModelFile<'a>, options: &PackOptions) -> Result<()> {
        let (kind, pieces) = match options.kind {
            Some(FileKind::Bytes) => (FileKind::Bytes, parts::plain(file)?),
            wish => {
                let (kind, pieces) = parts::cut(file)?;
                if wish.is_some_and(|wish| wish != kind) {
                    let message = format!("{} is {}, not what was asked for", file.name, kind.name());
                    return Err(damaged(message));
                }
                (kind, pieces)
            }
        };
        let mut entry = FileEntry { name: file.name.clone(), kind, size_bytes: file.source.len(), parts: Vec::new() };
        for Piece { start, size_bytes, tensor } in pieces {
            let place = Place { source: file.source, start, size_bytes };
            entry.parts.push(match tensor {
                Some(tensor) => {
                    let row_bytes = tile::row_bytes(&tensor.dtype, &tensor.shape, size_bytes);
                    self.tensors.push(Planned { tensor, place, row_bytes });
                    Part::Tensor(self.tensors.len() - 1)
                }
                None if size_bytes <= MAX_ZEROS_BYTES && place.read()?.iter().all(|&byte| byte == 0) => {
                    Part::Zeros(size_bytes)
                }
                None => {
                    self.blobs.push(place);
                    Part::Blob(self.blobs.len() - 1)
                }
            });
        }
        self.files.push(entry);
        Ok(())
    }

    /// Tensors of several files may have one name: all but the first get that of their file in front.
    fn name_apart(&mut self) {
        let mut names = HashSet::new();
        for file in &self.files {
            for part in &file.parts {
                let Part::Tensor(index) = part else { continue };
                let name = &mut self.tensors[*index].tensor.name;
                while !names.insert(name.clone()) {
                    *name = format!("{}:{name}", file.name);
                }
            }
        }
    }

    fn place(&mut self, max_page_bytes: u64) {
        let mut order: Vec<usize> = (0..self.tensors.len()).collect();
        order::sort_by_key(&mut order, |&index| parts::natural_key(&self.tensors[index].tensor.name));
        let item = |&index: &usize| {
            let Planned { tensor, place, row_bytes } = &self.tensors[index];
            Item {
                width_px: row_bytes.div_ceil(4) as u32,
                n_rows: if *row_bytes == 0 { 0 } else { place.size_bytes.div_ceil(*row_bytes) },
                align_px: if tile::is_aligned(&tensor.dtype) { 4 } else { 1 },
            }
        };
        let placed = layout::layout(&order.iter().map(item).collect::<Vec<_>>(), max_page_bytes);
        let mut rects = vec![Vec::new(); order.len()];
        for (index, placed) in order.into_iter().zip(placed.rects) {
            rects[index] = placed;
        }
        self.layout = Layout { pages: placed.pages, rects };
    }

    /// A number for the model, by names, sizes and the first bytes of every part: pages that belong together have the same.
    fn fingerprint(&self) -> Result<u64> {
        let mut sum = Xxh64::new();
        for file in &self.files {
            sum.add(file.name.as_bytes());
            sum.add(&file.size_bytes.to_le_bytes());
        }
        let places = self.tensors.iter().map(|tensor| tensor.place).chain(self.blobs.iter().copied());
        for place in places {
            let start = Place { size_bytes: place.size_bytes.min(256), ..place };
            sum.add(&start.read()?);
        }
        Ok(sum.value())
    }

    pub(super) fn tiles(&self) -> Vec<Tile> {
        let tile = |(planned, rects): (&Planned<'_>, &Vec<Rect>)| Tile {
            name: planned.tensor.name.clone(),
            shape: planned.tensor.shape.clone(),
            dtype: planned.tensor.dtype.clone(),
            size_bytes: planned.place.size_bytes,
            row_bytes: planned.row_bytes,
            rects: rects.clone(),
            checksum: 0,
        };
        self.tensors.iter().zip(&self.layout.rects).map(tile).collect()
    }
}

impl Place<'_> {
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        let too_large = |_| damaged("a part of the file is larger than this machine can address");
        let mut bytes = vec![0; usize::try_from(self.size_bytes).map_err(too_large)?];
        self.source.read_at(self.start, &mut bytes)?;
        Ok(bytes)
    }
}

/// What describes the model.
fn metadata(files: &[ModelFile<'_>], options: &PackOptions) -> Result<Map<String, Value>> {
    let mut metadata = Map::new();
    let stem = |name: &str| name.rsplit('/').next().unwrap_or(name).split('.').next().unwrap_or(name).to_owned();
    let mut title = files.first().map(|file| stem(&file.name)).unwrap_or_default();
    for file in files.iter().filter(|_| options.kind != Some(FileKind::Bytes)) {
        let mut magic = [0; 4];
        if file.source.len() < 4 || file.source.read_at(0, &mut magic).is_err() || magic != *b"GGUF" {
            continue;
        }
        let gguf = Gguf::read(file.source)?;
        if let Some(name) = gguf.metadata.string("general.name")?.filter(|name| !name.is_empty()) {
            title = name.to_owned();
        }
        if let Some(architecture) = gguf.metadata.string("general.architecture")? {
            metadata.insert("architecture".to_owned(), json!(architecture));
        }
        break;
    }
    if !options.title.is_empty() {
        title.clone_from(&options.title);
    }
    metadata.insert("title".to_owned(), json!(title));
    metadata.insert("software".to_owned(), json!(concat!("Tilework ", env!("CARGO_PKG_VERSION"))));
    Ok(metadata)
}
