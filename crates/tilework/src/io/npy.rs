//! `.npy`: magic, version, length of the header, header (a Python dictionary), elements. See NumPy's NEP 1.

use super::elements::{ByteOrder, Stored, encode, n_elements};
use super::{Content, damaged};
use tilework_core::Result;
use tilework_core::shape::MAX_RANK;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Elements begin at a multiple of this, so that the file can be mapped into memory.
const ALIGNMENT: usize = 64;

/// The elements and the shape of a `.npy` file of version 1, 2 or 3, in either byte order and either order of axes.
pub fn read_npy(bytes: &[u8]) -> Result<Content> {
    let header =
        Header::new(bytes).ok_or_else(|| damaged("load_npy", "this is no .npy file, or its header is damaged"))?;
    let shape = header.shape;
    let unknown = || damaged("load_npy", format!("elements of the type \"{}\" cannot be read", header.descr));
    let order = match header.descr.get(..1) {
        Some("<" | "|" | "=") => ByteOrder::Little,
        Some(">") => ByteOrder::Big,
        _ => return Err(unknown()),
    };
    let stored = header.descr.get(1..).and_then(Stored::from_numpy).ok_or_else(unknown)?;
    n_elements(&shape, stored.size_bytes(), header.data)
        .ok_or_else(|| damaged("load_npy", format!("there are too few or too many bytes for {shape:?}")))?;
    let reordered = header.is_fortran.then(|| in_row_major(header.data, &shape, stored.size_bytes()));
    let data = stored.decode(reordered.as_deref().unwrap_or(header.data), order);
    let dtype = if stored.is_complex() { data.dtype().complex() } else { data.dtype() };
    Ok(Content { data, shape, dtype })
}

struct Header<'a> {
    descr: &'a str,
    is_fortran: bool,
    shape: Vec<usize>,
    data: &'a [u8],
}

impl<'a> Header<'a> {
    fn new(npy: &'a [u8]) -> Option<Header<'a>> {
        let rest = npy.strip_prefix(MAGIC)?;
        let (length, rest) = match rest.split_first_chunk::<2>()? {
            ([1, _], rest) => {
                let (length, rest) = rest.split_first_chunk()?;
                (usize::from(u16::from_le_bytes(*length)), rest)
            }
            ([2 | 3, _], rest) => {
                let (length, rest) = rest.split_first_chunk()?;
                (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
            }
            _ => return None,
        };
        let (header, data) = rest.split_at_checked(length)?;
        let header = std::str::from_utf8(header).ok()?;
        let after = |key: &str| Some(header.split_once(key)?.1.trim_start_matches([' ', ':']));
        let descr = after("'descr'")?.strip_prefix('\'')?.split_once('\'')?.0;
        let order = after("'fortran_order'")?;
        if !order.starts_with("True") && !order.starts_with("False") {
            return None;
        }
        let sizes = after("'shape'")?.strip_prefix('(')?.split_once(')')?.0;
        let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape = sizes.map(|size| size.parse().ok()).collect::<Option<Vec<usize>>>()?;
        (shape.len() <= MAX_RANK).then_some(Header { descr, is_fortran: order.starts_with("True"), shape, data })
    }
}

/// Elements of `size_bytes` each whose first axis runs fastest, with the last running fastest.
fn in_row_major(bytes: &[u8], shape: &[usize], size_bytes: usize) -> Vec<u8> {
    let mut steps = Vec::with_capacity(shape.len());
    let mut step = size_bytes;
    for &size in shape {
        steps.push(step);
        step *= size.max(1);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0; shape.len()];
    let mut at = 0;
    while out.len() < bytes.len() {
        out.extend_from_slice(&bytes[at..at + size_bytes]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            at += steps[axis];
            if index[axis] < shape[axis] {
                break;
            }
            at -= steps[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    out
}

/// A `.npy` file, of version 1, with the lowest byte first and the last axis running fastest.
pub fn write_npy(content: &Content) -> Result<Vec<u8>> {
    let Content { data, shape, dtype } = content;
    let (stored, bytes) = encode(data, *dtype);
    n_elements(shape, stored.size_bytes(), &bytes)
        .ok_or_else(|| damaged("to_npy", format!("{} elements are not those of {shape:?}", data.len())))?;
    let order = if stored.size_bytes() == 1 { '|' } else { '<' };
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    let sizes = if let [size] = &sizes[..] { format!("{size},") } else { sizes.join(", ") };
    let descr = stored.names().0;
    let mut header = format!("{{'descr': '{order}{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let before = MAGIC.len() + 4;
    let length = (before + header.len() + 1).next_multiple_of(ALIGNMENT) - before;
    header.extend(std::iter::repeat_n(' ', length - 1 - header.len()));
    header.push('\n');
    Ok([MAGIC, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), &bytes].concat())
}
