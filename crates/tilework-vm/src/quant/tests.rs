use super::*;

pub(super) fn rows(format: Format, n_rows: usize, n_cols: usize) -> Vec<u32> {
    (0..n_rows).flat_map(|row| format.sample_row(n_cols, row as u32 + 1)).collect()
}

pub(super) fn vectors(n_vectors: usize, n_cols: usize) -> Vec<f32> {
    (0..n_vectors * n_cols).map(|i| (i as f32 * 0.37).sin() + 0.2 * (i as f32 * 1.3).cos()).collect()
}

#[test]
fn every_format_decodes_to_its_weights() {
    for format in Format::all() {
        for n_cols in [256, 512, 768] {
            let words = rows(format, 3, n_cols);
            let mut out = vec![f32::NAN; 3 * n_cols];
            decode_rows(format, &words, n_cols, &mut out);
            let row_words = format.row_words(n_cols).unwrap_or(0);
            for (i, &got) in out.iter().enumerate() {
                let want = format.packed_weight(&words[i / n_cols * row_words..], n_cols, i % n_cols);
                assert!((got - want).abs() <= 1e-5 * want.abs().max(1.0), "{format} {i}: {got} {want}");
            }
            if let Some(packing) = Packing::of(format) {
                let mut plain = vec![f32::NAN; 3 * n_cols];
                plain::decode_rows(&packing, &words, n_cols, &mut plain);
                assert!(plain.iter().zip(&out).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0)), "{format}");
            }
        }
    }
}

#[test]
fn dots_are_products() {
    for format in Format::all() {
        for (n_cols, n_vectors) in [(256, 1), (768, 2), (512, 4), (1792, 3), (256, 9)] {
            let (words, x) = (rows(format, 5, n_cols), vectors(n_vectors, n_cols));
            let mut out = vec![f32::NAN; 5 * n_vectors];
            dots(format, &words, &Vectors::new(format, &x, n_cols), &mut out);
            let row_words = format.row_words(n_cols).unwrap_or(0);
            for (i, got) in out.iter().enumerate() {
                let (row, x) = (&words[i / n_vectors * row_words..], &x[i % n_vectors * n_cols..]);
                let term = |col| f64::from(format.packed_weight(row, n_cols, col)) * f64::from(x[col]);
                let want: f64 = (0..n_cols).map(term).sum();
                let size: f64 = (0..n_cols).map(|col| term(col).abs()).sum();
                assert!(
                    (f64::from(*got) - want).abs() < error_of(format) * size,
                    "{format} {n_cols} {i}: {got} {want}"
                );
            }
        }
    }
}

/// What a result may be off by, next to the sum of the sizes of its terms.
fn error_of(format: Format) -> f64 {
    // Vectors in 8 bits are off by half a 127th of the largest.
    if cfg!(target_arch = "wasm32") && Packing::of(format).is_some() { 1e-2 } else { 1e-6 }
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_vector_has_the_same_products_alone_and_among_others() {
    for format in Format::all() {
        for n_cols in [256, 1792] {
            let (words, x) = (rows(format, 3, n_cols), vectors(2, n_cols));
            let (mut both, mut one) = ([f32::NAN; 6], [f32::NAN; 3]);
            dots(format, &words, &Vectors::new(format, &x, n_cols), &mut both);
            dots(format, &words, &Vectors::new(format, &x[n_cols..], n_cols), &mut one);
            assert_eq!(one, [both[1], both[3], both[5]], "{format} {n_cols}");
        }
    }
}

#[test]
fn groups_that_do_not_fill_an_eighth_are_all_there() {
    // 576 columns are 18 groups, as in a small language model.
    for format in [Format::Q4_0, Format::Q4_1, Format::Q5_0, Format::Q5_1, Format::Q8_0, Format::Iq4Nl, Format::Mxfp4] {
        for n_cols in [32, 64, 96, 288, 576] {
            let (words, x) = (rows(format, 4, n_cols), vectors(1, n_cols));
            let mut out = vec![f32::NAN; 4];
            dots(format, &words, &Vectors::new(format, &x, n_cols), &mut out);
            let mut weights = vec![0.0; 4 * n_cols];
            decode_rows(format, &words, n_cols, &mut weights);
            for (row, &got) in weights.chunks_exact(n_cols).zip(&out) {
                let want: f32 = row.iter().zip(&x).map(|(w, x)| w * x).sum();
                let size: f32 = row.iter().zip(&x).map(|(w, x)| (w * x).abs()).sum();
                assert!((got - want).abs() < error_of(format) as f32 * size, "{format} {n_cols}: {got} {want}");
            }
        }
    }
}

#[test]
fn results_are_turned_to_lie_by_vector() {
    // Three rows, five vectors: the result of row r and vector v is 10r + v.
    let results: Vec<f32> = (0..15).map(|i| (10 * (i / 5) + i % 5) as f32).collect();
    let mut out = [f32::NAN; 6];
    turn(&results, 5, 3, &mut out);
    assert_eq!(out, [3.0, 13.0, 23.0, 4.0, 14.0, 24.0]);
}

#[test]
fn infinities_and_nan_are_seen_and_zeros_are_zero() {
    let words = rows(Format::Q4_0, 1, 64);
    for bad in [f32::NAN, f32::INFINITY] {
        let mut x = vec![1.0; 64];
        x[40] = bad;
        let mut out = [0.0];
        dots(Format::Q4_0, &words, &Vectors::new(Format::Q4_0, &x, 64), &mut out);
        assert!(!out[0].is_finite());
    }
    let mut out = [1.0];
    dots(Format::Q4_0, &words, &Vectors::new(Format::Q4_0, &[0.0; 64], 64), &mut out);
    assert_eq!(out, [0.0]);
}
