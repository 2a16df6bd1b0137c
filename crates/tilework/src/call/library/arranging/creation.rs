//! Arrays from a few numbers, triangles and diagonals.

use super::{DTYPE, Function, K, SHAPE, dtype_or, number, says, size, truth, whole, whole_or};
use crate::call::Call;
use crate::{Arange, Array, DType, Endpoint, Meshes, Spacing};
use tilework_core::Result;
use tilework_ops::attrs::{AttrKind, Attribute, Given};

const N_ROWS: Attribute = size("n", "number of rows");
const N_COLS: Attribute = Attribute::optional("m", AttrKind::Size, "number of columns; as many as rows unless told");
const SAME_SHAPE: Attribute =
    Attribute::optional("shape", AttrKind::Sizes, "sizes of the axes; those of x unless told");
const N: Attribute = Attribute::optional("n", AttrKind::Size, "how many; 50 unless told");
const ENDPOINT: Attribute = truth("endpoint", "whether stop is the last of them; true unless told");
const START: Attribute = Attribute::required("start", AttrKind::Number, "first number");
const STOP: Attribute = Attribute::required("stop", AttrKind::Number, "where to stop");

#[rustfmt::skip] // One row per function.
pub(super) static FUNCTIONS: &[Function] = &[
    Function::one("arange", &[], const { &[Attribute::optional("n", AttrKind::Size, "how many integers from 0 on, instead of the others"),
        number("start", "first number; 0 unless told"), number("stop", "where to stop, not included"), number("step", "distance; 1 unless told"), DTYPE] },
        says!("Numbers from start up to stop, step apart: int32 if all are whole, else float32."), arange),
    Function::one("linspace", &[], &[START, STOP, N, ENDPOINT, DTYPE], says!("n numbers evenly spread from start to stop."),
        |c, g| Ok(c.device.linspace_of(g.number("start")?, g.number("stop")?, spacing(g)?))),
    Function::one("logspace", &[], const { &[START, STOP, N, number("base", "10 unless told"), ENDPOINT, DTYPE] }, says!("base to the power of n numbers evenly spread from start to stop."),
        |c, g| Ok(c.device.logspace(g.number("start")?, g.number("stop")?, g.number_or("base", 10.0)?, spacing(g)?))),
    Function::one("geomspace", &[], &[START, STOP, N, ENDPOINT, DTYPE], says!("n numbers from start to stop, each the same multiple of the one before."),
        |c, g| Ok(c.device.geomspace(g.number("start")?, g.number("stop")?, spacing(g)?))),
    Function::one("zeros", &[], &[SHAPE, DTYPE], says!("Zeros."), |c, g| Ok(c.device.full_of(g.required_counts("shape")?, 0.0, dtype_or(g, DType::F32)?))),
    Function::one("ones", &[], &[SHAPE, DTYPE], says!("Ones."), |c, g| Ok(c.device.full_of(g.required_counts("shape")?, 1.0, dtype_or(g, DType::F32)?))),
    Function::one("empty", &[], &[SHAPE, DTYPE], says!("An array that is to be filled: zeros."), |c, g| Ok(c.device.full_of(g.required_counts("shape")?, 0.0, dtype_or(g, DType::F32)?))),
    Function::one("zeros_like", &["x"], &[DTYPE, SAME_SHAPE], says!("Zeros in the shape and type of x."), |c, g| alike(c, g, 0.0)),
    Function::one("ones_like", &["x"], &[DTYPE, SAME_SHAPE], says!("Ones in the shape and type of x."), |c, g| alike(c, g, 1.0)),
    Function::one("empty_like", &["x"], &[DTYPE, SAME_SHAPE], says!("An array in the shape and type of x that is to be filled: zeros."), |c, g| alike(c, g, 0.0)),
    Function::one("full_like", &["x"], const { &[Attribute::required("value", AttrKind::Number, "what every element is"), DTYPE, SAME_SHAPE] },
        says!("A number everywhere, in the shape and type of x."), |c, g| { let value = g.number("value")?; alike(c, g, value) }),
    Function::one("asarray", &["x"], &[DTYPE], says!("x as an array, of another element type if one is named."), |c, g| Ok(crate::call::dtype(g)?.map_or_else(|| c.x().clone(), |dtype| c.x().cast(dtype)))),
    Function::one("astype", &["x"], &[DTYPE], says!("x converted to an element type: floats are truncated to integers, anything but 0 is true."),
        |c, g| Ok(c.x().cast(crate::call::dtype(g)?.ok_or_else(|| super::needs(g, "the attribute \"dtype\""))?))),
    Function::one("eye", &[], &[N_ROWS, N_COLS, K, DTYPE], says!("A matrix of zeros with ones on diagonal k."),
        |c, g| Ok(c.device.eye_of(g.size("n")?, g.size_if_given("m")?, whole_or(g, "k", 0)?, dtype_or(g, DType::F32)?))),
    Function::one("identity", &[], &[N_ROWS, DTYPE], says!("The identity matrix."), |c, g| Ok(c.device.identity(g.size("n")?, dtype_or(g, DType::F32)?))),
    Function::one("indices", &[], &[SHAPE], says!("For each axis of a shape the position along it, as int32: [n_axes, ..shape]."), |c, g| Ok(c.device.indices(g.required_counts("shape")?))),
    Function::many("meshgrid", &["rows…"], const { &[Attribute::optional("indexing", AttrKind::Choice(&["xy", "ij"]), "whether the first row belongs to the second or the first axis; xy unless told")] },
        &["meshes…"], says!("For each row the array that repeats it over all others: coordinates of a grid."),
        |c, g| c.device.meshgrid(&c.list(), g.choice("indexing", &[("xy", Meshes::Cartesian), ("ij", Meshes::Matrix)], Some(Meshes::Cartesian))?)),
    Function::one("tri", &[], &[N_ROWS, N_COLS, K, DTYPE], says!("Ones at and below diagonal k, zeros above."),
        |c, g| Ok(c.device.tri(g.size("n")?, g.size_if_given("m")?, whole_or(g, "k", 0)?, dtype_or(g, DType::F32)?))),
    Function::one("tril", &["x"], &[K], says!("Zeros above diagonal k of the last two axes."), |c, g| Ok(c.x().tril(whole_or(g, "k", 0)?))),
    Function::one("triu", &["x"], &[K], says!("Zeros below diagonal k of the last two axes."), |c, g| Ok(c.x().triu(whole_or(g, "k", 0)?))),
    Function::many("tril_indices", &[], &[N_ROWS, K, N_COLS], &["rows", "columns"], says!("Rows and columns of the elements at and below diagonal k, as int32."),
        |c, g| Ok(c.device.tril_indices(g.size("n")?, whole_or(g, "k", 0)?, g.size_if_given("m")?)?.into())),
    Function::many("triu_indices", &[], &[N_ROWS, K, N_COLS], &["rows", "columns"], says!("Rows and columns of the elements at and above diagonal k, as int32."),
        |c, g| Ok(c.device.triu_indices(g.size("n")?, whole_or(g, "k", 0)?, g.size_if_given("m")?)?.into())),
    Function::one("diag", &["x"], &[K], says!("A matrix with the row x on diagonal k, or diagonal k of the matrix x."), |c, g| Ok(c.x().diag(whole_or(g, "k", 0)?))),
    Function::one("diagflat", &["x"], &[K], says!("A matrix with all elements on diagonal k."), |c, g| Ok(c.x().diagflat(whole_or(g, "k", 0)?))),
    Function::one("diagonal", &["x"], const { &[whole("offset", "diagonal; 0 unless told"), whole("axis1", "axis of the rows; 0 unless told"), whole("axis2", "axis of the columns; 1 unless told")] },
        says!("A diagonal of the matrices in two axes, as the last axis of the result."), |c, g| Ok(c.x().diagonal(whole_or(g, "offset", 0)?, whole_or(g, "axis1", 0)?, whole_or(g, "axis2", 1)?))),
    Function::one("fill_diagonal", &["x", "values"], const { &[truth("wrap", "whether the diagonal of a tall matrix starts again")] }, says!("A copy with values on the main diagonal, repeated as often as needed."),
        |c, g| Ok(if g.truth_or("wrap", false)? { c.x().fill_diagonal_wrapped(&c.inputs[1]) } else { c.x().fill_diagonal(&c.inputs[1]) })),
    Function::one("vander", &["x"], const { &[Attribute::optional("n", AttrKind::Size, "number of columns; as many as elements unless told"), truth("increasing", "lowest power first")] },
        says!("The powers of the elements of a row, one row each, highest first."), |c, g| {
            let n = g.size_if_given("n")?;
            Ok(if g.truth_or("increasing", false)? { c.x().vander_increasing(n) } else { c.x().vander(n) })
        }),
];

fn arange(call: &Call<'_>, given: &Given<'_>) -> Result<Array> {
    let dtype = crate::call::dtype(given)?;
    if given.has("n") {
        let integers = call.device.arange(given.size("n")?);
        return Ok(dtype.map_or_else(|| integers.clone(), |dtype| integers.cast(dtype)));
    }
    let (start, step) = (given.number_or("start", 0.0)?, given.number_or("step", 1.0)?);
    Ok(call.device.arange_of(Arange { start, stop: given.number("stop")?, step, dtype }))
}

fn spacing(given: &Given<'_>) -> Result<Spacing> {
    let endpoint = if given.truth_or("endpoint", true)? { Endpoint::Included } else { Endpoint::Excluded };
    Ok(Spacing { n: given.size_if_given("n")?.unwrap_or(50), endpoint, dtype: dtype_or(given, DType::F32)? })
}

fn alike(call: &Call<'_>, given: &Given<'_>, value: f64) -> Result<Array> {
    let x = call.x();
    x.check()?;
    let dtype = dtype_or(given, x.dtype())?;
    let shape = if given.has("shape") { given.counts("shape")? } else { x.shape().to_vec() };
    Ok(call.device.full_of(shape, value, dtype))
}
