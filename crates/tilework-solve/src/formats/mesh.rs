//! Triangle meshes, and the files they come in.

use super::{obj, off, ply};
use tilework_core::{Error, ErrorKind, Result};

/// Points of space and triangles between them, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Where vertices are.
    pub positions: Vec<[f64; 3]>,
    /// The vertices of each triangle.
    pub faces: Vec<[u32; 3]>,
}

/// Formats of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshFormat {
    /// Wavefront's text format.
    Obj,
    /// Stanford's format, read as text and binary, written binary.
    Ply,
    /// The object file format of Geomview.
    Off,
}

impl MeshFormat {
    /// The format of files whose names end this way (`obj`, `ply`, `off`, in any case).
    pub fn by_extension(extension: &str) -> Option<MeshFormat> {
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Some(MeshFormat::Obj),
            "ply" => Some(MeshFormat::Ply),
            "off" => Some(MeshFormat::Off),
            _ => None,
        }
    }

    /// Reads a file. Polygons of more than three corners become fans of triangles.
    pub fn parse(self, bytes: &[u8]) -> Result<Mesh> {
        match self {
            MeshFormat::Obj => obj::parse(text("OBJ", bytes)?),
            MeshFormat::Ply => ply::parse(bytes),
            MeshFormat::Off => off::parse(text("OFF", bytes)?),
        }
    }

    /// The bytes of a file.
    pub fn write(self, mesh: &Mesh) -> Vec<u8> {
        match self {
            MeshFormat::Obj => obj::write(mesh).into_bytes(),
            MeshFormat::Ply => ply::write(mesh),
            MeshFormat::Off => off::write(mesh).into_bytes(),
        }
    }
}

fn text<'a>(format: &str, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Error::new(ErrorKind::Io, format, format!("line {line}: this is no text"))
    })
}

/// Appends the fan of triangles of a polygon.
pub(super) fn push_fan(faces: &mut Vec<[u32; 3]>, corners: &[u32]) {
    faces.extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [MeshFormat; 3] = [MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Off];

    fn tetrahedron() -> Mesh {
        let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.0, 1.0, -1e-20], [0.25, 0.0, 1e7 / 3.0]];
        Mesh { positions, faces: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }
    }

    #[test]
    fn what_is_written_is_read() {
        for format in ALL {
            assert_eq!(format.parse(&format.write(&tetrahedron())).unwrap(), tetrahedron(), "{format:?}");
            assert_eq!(format.parse(&format.write(&Mesh::default())).unwrap(), Mesh::default(), "{format:?}");
        }
    }

    #[test]
    fn cut_off_files_never_panic() {
        for format in ALL {
            let bytes = format.write(&tetrahedron());
            (0..bytes.len()).for_each(|end| drop(format.parse(&bytes[..end])));
        }
    }

    #[test]
    fn endings_name_formats() {
        assert_eq!(MeshFormat::by_extension("PLY"), Some(MeshFormat::Ply));
        assert_eq!(MeshFormat::by_extension("stl"), None);
    }

    proptest! {
        #[test]
        fn changed_files_never_panic(format in 0usize..3, at in 0usize..400, byte: u8) {
            let mut bytes = ALL[format].write(&tetrahedron());
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Ok(mesh) = ALL[format].parse(&bytes) {
                let n = mesh.positions.len() as u32;
                prop_assert!(mesh.faces.iter().flatten().all(|&corner| corner < n));
            }
        }

        #[test]
        fn garbage_never_panics(format in 0usize..3, bytes: Vec<u8>) {
            drop(ALL[format].parse(&bytes));
        }
    }
}
