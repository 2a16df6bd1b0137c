//! Stanford's PLY: a header that says what follows, then text, or numbers in either byte order.

use super::mesh::{Mesh, push_fan};
use super::words::{bad, list};
use tilework_core::Result;

const FORMAT: &str = "PLY";

/// How the body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Types of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn by_name(name: &str) -> Option<Number> {
        Some(match name {
            "char" | "int8" => Number::I8,
            "uchar" | "uint8" => Number::U8,
            "short" | "int16" => Number::I16,
            "ushort" | "uint16" => Number::U16,
            "int" | "int32" => Number::I32,
            "uint" | "uint32" => Number::U32,
            "float" | "float32" => Number::F32,
            "double" | "float64" => Number::F64,
            _ => return None,
        })
    }

    fn size_bytes(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::F64 => 8,
        }
    }

    /// From bytes of its size, the least significant first.
    fn value(self, b: [u8; 8]) -> f64 {
        match self {
            Number::I8 => f64::from(b[0] as i8),
            Number::U8 => f64::from(b[0]),
            Number::I16 => f64::from(i16::from_le_bytes([b[0], b[1]])),
            Number::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
            Number::I32 => f64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Number::U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Number::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Number::F64 => f64::from_le_bytes(b),
        }
    }
}

struct Property {
    name: String,
    /// The type of a list's length; none for a single number.
    length: Option<Number>,
    number: Number,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

struct Header {
    encoding: Encoding,
    elements: Vec<Element>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Mesh> {
    let mut body = Body { bytes, at: 0, line: 0, encoding: Encoding::Text };
    let header = header(&mut body)?;
    body.encoding = header.encoding;
    body.line += 1;
    let mut mesh = Mesh::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => vertices(&mut body, element, &mut mesh)?,
            "face" => faces(&mut body, element, &mut mesh)?,
            _ => skip(&mut body, element)?,
        }
    }
    let n = mesh.positions.len();
    match mesh.faces.iter().flatten().find(|corner| **corner as usize >= n) {
        Some(corner) => Err(body.error(format!("a face has vertex {corner}, of {n}"))),
        None => Ok(mesh),
    }
}

fn header(body: &mut Body<'_>) -> Result<Header> {
    if body.text_line()? != "ply" {
        return Err(body.error("the file does not begin with `ply`"));
    }
    let mut header = Header { encoding: Encoding::Text, elements: Vec::new() };
    loop {
        let content = body.text_line()?;
        let words: Vec<&str> = content.split_whitespace().collect();
        match words[..] {
            ["format", encoding, _] => {
                header.encoding = match encoding {
                    "ascii" => Encoding::Text,
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => return Err(body.error(format!("there is no format `{encoding}`"))),
                }
            }
            ["element", name, count] => {
                let count = count.parse().map_err(|_| body.error(format!("`{count}` is no count")))?;
                header.elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", ..] => {
                let property = property(body, &words)?;
                let element = header.elements.last_mut();
                element.ok_or_else(|| body.error("a property without an element"))?.properties.push(property);
            }
            ["end_header"] => return Ok(header),
            [] | ["comment" | "obj_info", ..] => {}
            _ => return Err(body.error(format!("`{content}` means nothing in a header"))),
        }
    }
}

fn property(body: &Body<'_>, words: &[&str]) -> Result<Property> {
    let number = |name: &str| Number::by_name(name).ok_or_else(|| body.error(format!("there is no type `{name}`")));
    match words {
        ["property", "list", length, item, name] => {
            Ok(Property { name: name.to_string(), length: Some(number(length)?), number: number(item)? })
        }
        ["property", item, name] => Ok(Property { name: name.to_string(), length: None, number: number(item)? }),
        _ => Err(body.error("a property has a type and a name")),
    }
}

fn vertices(body: &mut Body<'_>, element: &Element, mesh: &mut Mesh) -> Result<()> {
    let find = |name: &str| element.properties.iter().position(|property| property.name == name);
    let (Some(x), Some(y), Some(z)) = (find("x"), find("y"), find("z")) else {
        return Err(body.error("vertices have no x, y and z"));
    };
    mesh.positions = list(element.count, body.bytes.len());
    let mut row = vec![0.0; element.properties.len()];
    for _ in 0..element.count {
        for (number, property) in row.iter_mut().zip(&element.properties) {
            *number = body.property(property, None)?;
        }
        let position = [row[x], row[y], row[z]];
        if !position.iter().all(|coordinate| coordinate.is_finite()) {
            return Err(body.error(format!("a vertex is at {position:?}")));
        }
        mesh.positions.push(position);
    }
    Ok(())
}

fn faces(body: &mut Body<'_>, element: &Element, mesh: &mut Mesh) -> Result<()> {
    mesh.faces = list(element.count, body.bytes.len());
    let mut numbers = Vec::new();
    for _ in 0..element.count {
        for property in &element.properties {
            numbers.clear();
            body.property(property, Some(&mut numbers))?;
            if !matches!(property.name.as_str(), "vertex_indices" | "vertex_index") {
                continue;
            }
            let is_corner = |number: &f64| (0.0..f64::from(u32::MAX)).contains(number) && number.fract() == 0.0;
            if numbers.len() < 3 || !numbers.iter().all(is_corner) {
                return Err(body.error(format!("a face has corners {numbers:?}")));
            }
            let corners: Vec<u32> = numbers.iter().map(|&number| number as u32).collect();
            push_fan(&mut mesh.faces, &corners);
        }
    }
    Ok(())
}

fn skip(body: &mut Body<'_>, element: &Element) -> Result<()> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            body.property(property, None)?;
        }
    }
    Ok(())
}

/// What is left of a file.
struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    encoding: Encoding,
}

impl<'a> Body<'a> {
    fn error(&self, message: impl std::fmt::Display) -> tilework_core::Error {
        match self.encoding {
            Encoding::Text => bad(FORMAT, self.line, message),
            _ => bad(FORMAT, self.line, format!("byte {} of the file: {message}", self.at)),
        }
    }

    /// The next line, without what ends it.
    fn text_line(&mut self) -> Result<&'a str> {
        self.line += 1;
        let rest = &self.bytes[self.at..];
        let Some(len) = rest.iter().position(|byte| *byte == b'\n') else {
            return Err(self.error("the file ends within its header"));
        };
        self.at += len + 1;
        std::str::from_utf8(&rest[..len]).map(str::trim).map_err(|_| self.error("this is no text"))
    }

    /// A number, or the last of a list, whose numbers are all pushed to `into`.
    fn property(&mut self, property: &Property, mut into: Option<&mut Vec<f64>>) -> Result<f64> {
        let Some(length) = property.length else { return self.number(property.number) };
        let count = self.number(length)?;
        if !(0.0..=self.bytes.len() as f64).contains(&count) {
            return Err(self.error(format!("a list of {count} numbers")));
        }
        let mut last = 0.0;
        for _ in 0..count as usize {
            last = self.number(property.number)?;
            into.iter_mut().for_each(|into| into.push(last));
        }
        Ok(last)
    }

    fn number(&mut self, number: Number) -> Result<f64> {
        if self.encoding == Encoding::Text {
            let word = self.word()?;
            return word.parse().map_err(|_| self.error(format!("`{word}` is not a number")));
        }
        let size = number.size_bytes();
        let Some(found) = self.bytes[self.at..].get(..size) else {
            return Err(self.error("the file ends too early"));
        };
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(found);
        if self.encoding == Encoding::BigEndian {
            bytes[..size].reverse();
        }
        self.at += size;
        Ok(number.value(bytes))
    }

    fn word(&mut self) -> Result<&'a str> {
        let is_space = |byte: &u8| byte.is_ascii_whitespace();
        let spaces = self.bytes[self.at..].iter().take_while(|byte| is_space(byte));
        let (n_spaces, n_lines) = spaces.fold((0, 0), |(n, lines), &byte| (n + 1, lines + usize::from(byte == b'\n')));
        self.at += n_spaces;
        self.line += n_lines;
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(is_space).unwrap_or(rest.len());
        if len == 0 {
            return Err(self.error("the file ends too early"));
        }
        self.at += len;
        std::str::from_utf8(&rest[..len]).map_err(|_| self.error("this is no text"))
    }
}

/// Binary, the least significant byte first, coordinates in all their digits.
pub(super) fn write(mesh: &Mesh) -> Vec<u8> {
    let (n_vertices, n_faces) = (mesh.positions.len(), mesh.faces.len());
    let header = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {n_vertices}\nproperty double x\nproperty double y\n\
         property double z\nelement face {n_faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    for coordinate in mesh.positions.iter().flatten() {
        bytes.extend(coordinate.to_le_bytes());
    }
    for face in &mesh.faces {
        bytes.push(3);
        face.iter().for_each(|corner| bytes.extend(corner.to_le_bytes()));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\ncomment hi\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        property uchar red\nelement face 1\nproperty list uchar int vertex_index\nproperty float quality\nelement other 1\n\
        property int n\nend_header\n0 0 0 255\n1 0 0 0\n1 1 0 0\n0 1 0 0\n4 0 1 2 3 .5\n7\n";

    #[test]
    fn text_is_read() {
        let mesh = parse(TEXT.as_bytes()).unwrap();
        assert_eq!(mesh.positions[2], [1.0, 1.0, 0.0]);
        assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn numbers_are_read_in_both_orders() {
        let header = |order: &str| {
            format!(
                "ply\nformat binary_{order}_endian 1.0\nelement vertex 3\nproperty float x\nproperty short y\n\
                 property double z\nelement face 1\nproperty list uchar ushort vertex_indices\nend_header\n"
            )
        };
        let (mut little, mut big) = (header("little").into_bytes(), header("big").into_bytes());
        for k in 0..3i16 {
            little.extend(
                [&(f32::from(k) + 0.5).to_le_bytes()[..], &(-k).to_le_bytes(), &0.25f64.to_le_bytes()].concat(),
            );
            big.extend([&(f32::from(k) + 0.5).to_be_bytes()[..], &(-k).to_be_bytes(), &0.25f64.to_be_bytes()].concat());
        }
        little.extend([3, 0, 0, 1, 0, 2, 0]);
        big.extend([3, 0, 0, 0, 1, 0, 2]);
        let mesh = parse(&little).unwrap();
        assert_eq!(mesh.positions[2], [2.5, -2.0, 0.25]);
        assert_eq!(mesh.faces, [[0, 1, 2]]);
        assert_eq!(parse(&big).unwrap(), mesh);
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
        assert!(message("plx\n").contains("line 1: the file does not begin"));
        assert!(message(&TEXT.replace("float y", "flat y")).contains("line 6: there is no type `flat`"));
        assert!(message(&TEXT.replace("1 1 0 0", "1 1 zero 0")).contains("line 17: `zero` is not a number"));
        assert!(message(&TEXT.replace("4 0 1 2 3", "4 0 1 2 9")).contains("vertex 9, of 4"));
        assert!(message(&TEXT.replace("4 0 1 2 3", "4 0 1 2 -1")).contains("corners"));
        assert!(message(&TEXT.replace("vertex 4", "vertex 4000000000000")).contains("line"));
    }
}
