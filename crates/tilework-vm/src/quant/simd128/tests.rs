use super::super::tests::{rows, vectors};
use super::*;
use tilework_core::quant::Format;

#[test]
fn dots_are_those_of_the_rounded_vectors() {
    for format in Format::all() {
        let Some(packing) = Packing::of(format) else { continue };
        for (n_cols, n_vectors) in [(256, 1), (768, 2), (512, 4), (1792, 3), (256, 9)] {
            let (words, x) = (rows(format, 5, n_cols), vectors(n_vectors, n_cols));
            let all = Rounded::new(format, &x, n_cols);
            let rounded = |vector: usize, col: usize| {
                let first = vector * all.n_padded;
                let code = all.codes[first * GROUP + place(col / GROUP, col % GROUP)];
                let step = all.scales[first + col / GROUP];
                // Half a step of the largest, 1.2, and what a 16-bit scale loses.
                let error = f32::from(code) * step - x[vector * n_cols + col];
                assert!(error.abs() < 1.2 / 254.0 * 1.1, "{format} {col}: off by {error}");
                f64::from(code) * f64::from(step)
            };
            let mut out = vec![f32::NAN; 5 * n_vectors];
            dots(&packing, &words, &all, &mut out);
            let row_words = format.row_words(n_cols).unwrap_or(0);
            for (i, got) in out.iter().enumerate() {
                let row = &words[i / n_vectors * row_words..];
                let term = |col| f64::from(format.packed_weight(row, n_cols, col)) * rounded(i % n_vectors, col);
                let want: f64 = (0..n_cols).map(term).sum();
                let size: f64 = (0..n_cols).map(|col| term(col).abs()).sum();
                assert!((f64::from(*got) - want).abs() < 1e-6 * size, "{format} {n_cols} {i}: {got} {want}");
            }
        }
    }
}

#[test]
fn products_of_integers_are_exact() {
    for format in [Format::Q4_0, Format::Q4_1, Format::Q5_0, Format::Q5_1, Format::Q8_0, Format::Iq4Nl] {
        let Some(packing) = Packing::of(format) else { continue };
        for (n_cols, n_vectors) in [(576, 1), (576, 6), (288, 3), (32, 1)] {
            let mut words = rows(format, 3, n_cols);
            let row_words = packing.row_words(n_cols / GROUP);
            for row in words.chunks_exact_mut(row_words) {
                // Scales and leasts of one: a half has them in its high bits.
                row[packing.scales_at(n_cols / GROUP)..].fill(0x3c00_3c00);
            }
            let number = |i: usize| if i.is_multiple_of(GROUP) { 127.0 } else { (i * 37 % 255) as f32 - 127.0 };
            let x: Vec<f32> = (0..n_vectors * n_cols).map(number).collect();
            let mut out = vec![f32::NAN; 3 * n_vectors];
            dots(&packing, &words, &Rounded::new(format, &x, n_cols), &mut out);
            for (i, got) in out.iter().enumerate() {
                let (row, x) = (&words[i / n_vectors * row_words..], &x[i % n_vectors * n_cols..]);
                let want: f32 = (0..n_cols).map(|col| format.packed_weight(row, n_cols, col) * x[col]).sum();
                assert_eq!(*got, want, "{format} {n_vectors} {i}");
            }
        }
    }
}
