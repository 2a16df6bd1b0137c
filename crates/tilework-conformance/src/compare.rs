//! Comparing results, element by element.

use tilework::DType;
use tilework::layers::core::host::HostBuffer;

/// The largest distance of neighboring 16-bit floats, relative to the lesser.
const HALF_STEP: f64 = 1.0 / 1024.0;

/// Agreement of every element, or the first worst one. Floats may differ by `tolerance` relative to the larger of 1 and the
/// largest finite result; everything else must be equal. NaN agrees with NaN and infinities with themselves.
pub(crate) fn worst_difference(got: &HostBuffer, want: &HostBuffer, tolerance: f64) -> Result<(), String> {
    if got.dtype() != want.dtype() || got.len() != want.len() {
        return Err(format!("{} elements of {} for {} of {}", got.len(), got.dtype(), want.len(), want.dtype()));
    }
    let values = |buffer: &HostBuffer| (0..buffer.len()).map(|i| buffer.f64_at(i)).collect::<Vec<_>>();
    let (got_values, want_values) = (values(got), values(want));
    let scale = want_values.iter().filter(|x| x.is_finite()).fold(1.0f64, |scale, x| scale.max(x.abs()));
    // Two results within the tolerance of each other may be rounded to neighboring halves, which differ by 2^−10 at most.
    let tolerance = if got.dtype() == DType::F16 { tolerance + HALF_STEP } else { tolerance };
    let allowed = if got.dtype().is_float() { tolerance * scale } else { 0.0 };
    let mut worst: Option<(usize, f64)> = None;
    for (i, (&g, &w)) in got_values.iter().zip(&want_values).enumerate() {
        let difference = if g == w || (g.is_nan() && w.is_nan()) { 0.0 } else { (g - w).abs() };
        let difference = if difference.is_nan() { f64::INFINITY } else { difference };
        if difference > allowed && worst.is_none_or(|(_, known)| difference > known) {
            worst = Some((i, difference));
        }
    }
    match worst {
        None => Ok(()),
        Some((i, _)) => Err(format!("element {i}: {} for {} (allowed {allowed:.1e})", got_values[i], want_values[i])),
    }
}

/// Distance of `got` from `want` in units of the last place of an `f32` near `want`.
pub(crate) fn ulp_distance(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if (got.is_nan() && want.is_nan()) || (got == rounded && got.is_infinite()) {
        return 0.0;
    }
    if got.is_nan() || want.is_nan() {
        return f64::INFINITY;
    }
    // Beyond the largest float, infinity and the largest float are neighbours.
    let spacing = |x: f32| {
        let x = x.abs().min(f32::MAX);
        let below = if x < f32::MIN_POSITIVE { 0.0 } else { f32::from_bits(x.to_bits() & 0x7f80_0000) };
        if below == 0.0 { f64::from(f32::from_bits(1)) } else { f64::from(below) * f64::from(f32::EPSILON) }
    };
    let finite = |x: f64| x.clamp(-f64::from(f32::MAX), f64::from(f32::MAX));
    let beyond = if got.is_infinite() { spacing(f32::MAX) } else { 0.0 };
    ((finite(f64::from(got)) - finite(want)).abs() + beyond) / spacing(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_in_last_places() {
        assert_eq!(ulp_distance(1.0, 1.0), 0.0);
        assert_eq!(ulp_distance(1.0 + f32::EPSILON, 1.0), 1.0);
        assert_eq!(ulp_distance(f32::NAN, f64::NAN), 0.0);
        assert_eq!(ulp_distance(f32::INFINITY, f64::INFINITY), 0.0);
        assert!(ulp_distance(f32::NAN, 1.0).is_infinite());
        assert!(ulp_distance(f32::INFINITY, 1.0) > 1e6);
        assert_eq!(ulp_distance(f32::from_bits(3), f64::from(f32::from_bits(1))), 2.0);
    }

    #[test]
    fn one_wrong_element_is_found() {
        let want = HostBuffer::F32(vec![1.0, f32::NAN, f32::INFINITY]);
        assert!(worst_difference(&want, &want, 0.0).is_ok());
        let got = HostBuffer::F32(vec![1.0, f32::NAN, f32::NEG_INFINITY]);
        assert!(worst_difference(&got, &want, 1e-3).unwrap_err().starts_with("element 2"));
        assert!(worst_difference(&HostBuffer::I32(vec![1]), &HostBuffer::I32(vec![2]), 1.0).is_err());
        assert!(worst_difference(&HostBuffer::I32(vec![]), &HostBuffer::F32(vec![]), 1.0).is_err());
    }
}
