//! docs/for_numpy_users.md: every spelling of its Rust column is code here that compiles and, but for files, runs. What the document says and is
//! not here fails the test, and the other way round.

use pollster::block_on;
use tilework::io::TextOptions;
use tilework::linalg::{self, QrMode, Vectors};
use tilework::{
    Arange, Array, Closeness, ConvolveMode, CovOptions, DType, Device, Index, InterpOptions, KeepAxes, Meshes, Norm,
    Pad, PadMode, QuantileOptions, Range, Result, Side, SortOptions, Spacing,
};

const DOCUMENT: &str = include_str!("../../../docs/for_numpy_users.md");

/// The names that the document uses.
macro_rules! operands {
    ($d:ident $x:ident $y:ident $i:ident $m:ident $n:ident $a:ident $p:ident $xp:ident $fp:ident $r:ident; $shape:expr) => {
        let $d = Device::cpu();
        let $x = $d.arange($shape.iter().product()).to_f32().reshape($shape) + 1.0;
        let $y = &$x * 2.0;
        let $i = $d.array(vec![0, 1], if $shape.len() == 1 { vec![2] } else { vec![2, 1] });
        let $m = $d.array(vec![true, false], 2);
        let ($n, $a, $p) = ($m.not(), $d.eye(2) * 2.0, $d.array(vec![1.0f32, -3.0, 2.0], 3));
        let ($xp, $fp) = ($d.array(vec![1.0f32, 2.0], 2), $d.array(vec![5.0f32, 6.0], 2));
        let mut $r = $d.random(1);
        let _ = (&$x, &$y, &$i, &$m, &$n, &$a, &$p, &$xp, &$fp, &mut $r);
    };
}

/// Runs each spelling and notes it.
macro_rules! spelled {
    ($seen:ident, check; $($cell:expr;)*) => { $($cell.check()?; $seen.push(stringify!($cell).to_owned());)* };
    ($seen:ident, run; $($cell:expr;)*) => { $(let _ = $cell; $seen.push(stringify!($cell).to_owned());)* };
    ($seen:ident, compile; $($cell:expr;)*) => {
        $(if $seen.is_empty() { let _ = $cell; } $seen.push(stringify!($cell).to_owned());)*
    };
}

/// Spellings with rows.
async fn of_rows_1(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, check;
        d.array(vec![1, 2], 2);
        d.zeros([2, 3]);
        d.full_of(3, 1.0, DType::I32);
        d.full([2, 3], 7.0);
        x.full_like(7.0);
        d.arange(10);
        d.arange_of(Arange { start: 1.0, stop: 2.0, step: 0.25, dtype: None });
        d.linspace(0.0, 1.0, 5);
        d.geomspace(1.0, 16.0, Spacing { n: 5, ..Spacing::default() });
        d.eye(3);
        d.indices([2, 3]);
        x.diag(0);
        x.cast(DType::F64);
        x.flatten();
        x.expand_dims(0);
        d.concat(&[&x, &y], 0);
        d.concatenate(&[&x, &y], None);
        d.stack(&[&x, &y], 0);
        d.vstack(&[&x, &y]);
        d.hstack(&[&x, &y]);
        x.repeat(2, Some(0));
        x.roll([1], [0]);
        x.flip([0]);
        x.get(0);
        x.get(-1);
        x.get(&i);
        x.get_later(&m).await?;
        x.set(0, 5.0);
        x.set(&m, 0.0);
        x.add_at(&i, &y);
        m.select(&x, &y);
        d.select_first(&[&m, &n], &[&x, &y], 0.0);
        x.delete(&[1], Some(0));
    }
    Ok(())
}

/// Spellings with rows.
async fn of_rows_2(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, check;
        &x + &y;
        &x - &y;
        &x * &y;
        &x / &y;
        x.floor_div(&y);
        &x % &y;
        x.power(&y);
        x.lt(&y);
        x.eq(&y);
        m.and(&n);
        m.or(&n);
        m.not();
        x.exp();
        x.log();
        x.sin();
        x.abs();
        x.sqrt();
        x.square();
        x.maximum(0.0);
        x.clamp(0.0, 1.0);
        x.around(2);
        x.is_nan();
        x.nan_to_num(0.0, None, None);
        x.allclose(&y, &Closeness::default());
        x.sum([]);
        x.sum([0]);
        x.min([]);
        x.max([]);
        x.prod([]);
        x.any([]);
        x.all([]);
        x.std_corrected([], 1.0, KeepAxes::No);
        x.cumsum(0);
    }
    Ok(())
}

/// Spellings with rows.
async fn of_rows_3(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, check;
        x.median([0]);
        x.percentile(90.0, [], &QuantileOptions::default());
        x.average(Some(&y), [], KeepAxes::No);
        x.nanmean([0], KeepAxes::No);
        x.histogram(10, 0.0, 1.0);
        i.bincount_all(None, 0).await?;
        x.digitize(&y, Side::Left);
        x.diff(1, 0);
        x.interp(&xp, &fp, &InterpOptions::default());
        x.convolve(&y, ConvolveMode::Full);
        x.sort(-1);
        x.argsort(-1);
        x.sort_with(SortOptions { axis: None, ..SortOptions::default() });
        d.lexsort(&[&y, &x], -1);
        x.searchsorted(&y, Side::Left);
        x.unique().await?.values;
        x.unique().await?.counts;
        x.isin(&y);
        x.intersect1d(&y).await?;
        x.matmul(&y);
        x.dot(&y);
        linalg::outer(&x, &y);
        d.einsum("ij,j->i", &[&a, &x]);
        linalg::solve(&a, &x);
        linalg::inv(&a);
        linalg::det(&a);
        linalg::norm(&x, linalg::Order::Fro);
        linalg::cholesky(&a);
        p.polyval(&x);
        p.roots().await?;
        x.rfft(-1, Norm::Backward);
        d.fftfreq(8, 1.0);
        d.hanning(8);
    }
    Ok(())
}

/// Spellings with rows.
async fn of_rows_4(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, check;
        x.real();
        x.imag();
        x.angle();
        r.uniform([2, 3]);
        r.normal(5, 0.0, 1.0);
        r.integers(5, 1, 7);
        r.choice(&x, 5, 0);
        r.permutation(10);
        r.shuffle(&x, 0);
    }
    Ok(())
}

/// Spellings with matrices.
async fn of_matrices(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2, 3]);
    spelled! { seen, check;
        x.tril(0);
        x.triu(0);
        x.reshape([3, 2]);
        x.reshape_to([-1, 2]);
        x.t();
        x.permute([1, 0]);
        x.moveaxis([0], [-1]);
        x.squeeze([]);
        x.broadcast_to([4, 2, 3]);
        x.tile([2, 2]);
        x.rot90(1, [0, 1]);
        x.pad(&Pad { widths: vec![(1, 1)], mode: PadMode::Edge });
        x.get((1, Range::ALL.step(2)));
        x.get((.., 1..));
        x.get((Index::Ellipsis, Index::NewAxis));
        x.take(&i, 1);
        x.take_along_axis(&i, Some(1));
        x.mean_keep([0]);
        x.std([0]);
        x.argmax(1);
        x.cov(&CovOptions::default());
        x.corrcoef(&CovOptions::default());
        y.trapezoid_at(&x, -1);
    }
    Ok(())
}

/// Spellings whose results are not single arrays.
async fn of_other_results(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, run;
        d.meshgrid(&[&x, &y], Meshes::Cartesian)?;
        x.shape();
        x.ndim();
        x.size();
        x.split(2, 0)?;
        x.nonzero().await?;
        linalg::lstsq(&a, &x, None);
        linalg::svd(&a, Vectors::Full);
        linalg::eigh(&a);
        linalg::eig(&a);
        linalg::qr(&a, QrMode::Reduced);
        d.random(1);
    }
    Ok(())
}

/// Spellings with files, which are not run.
async fn of_files(seen: &mut Vec<String>) -> Result<()> {
    operands!(d x y i m n a p xp fp r; [2]);
    spelled! { seen, compile;
        d.load_npy_file("x.npy")?;
        x.save_npy_file("x.npy").await?;
        d.load_txt_file("x.txt", &TextOptions::default())?;
    }
    Ok(())
}

/// Spellings that take a function, or more points.
async fn of_functions(seen: &mut Vec<String>) -> Result<()> {
    let d = Device::cpu();
    let x = d.arange(5).to_f32();
    let y = x.square();
    spelled! { seen, check;
        x.polyfit(&y, 2, None);
    }
    let f = |x: &Array| x.square().sum([]);
    spelled! { seen, check;
        d.grad(f, &x)?;
        d.hessian(f, &x)?;
        d.jacobian(f, &x)?;
    }
    let f = |rows: &[Array]| rows[0].square();
    spelled! { seen, check;
        d.vmap(f, &[&x], 0)?;
    }
    Ok(())
}

async fn all(seen: &mut Vec<String>) -> Result<()> {
    of_rows_1(seen).await?;
    of_rows_2(seen).await?;
    of_rows_3(seen).await?;
    of_rows_4(seen).await?;
    of_matrices(seen).await?;
    of_other_results(seen).await?;
    of_files(seen).await?;
    of_functions(seen).await
}

/// The Rust column of all tables, without the names that results are given.
fn documented() -> Vec<String> {
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| NumPy") && !line.starts_with("| | Rust");
    let column = |line: &str| line.replace("\\|", "").split('|').nth(2).unwrap_or_default().to_owned();
    let cells = DOCUMENT.lines().filter(is_row).map(column).collect::<Vec<_>>();
    let spellings = cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
    spellings
        .map(|cell| if cell.starts_with("let ") { cell.split_once(" = ").unwrap().1 } else { cell }.to_owned())
        .collect()
}

#[test]
fn the_document_spells_what_compiles() {
    let mut seen = Vec::new();
    block_on(all(&mut seen)).unwrap();
    let plain = |spellings: Vec<String>| {
        let mut plain: Vec<String> = spellings.iter().map(|text| text.split_whitespace().collect()).collect();
        plain.sort();
        plain.dedup();
        plain
    };
    assert_eq!(plain(documented()), plain(seen));
}
