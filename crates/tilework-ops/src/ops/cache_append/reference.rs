//! The meaning of appending to a cache.

use super::Sizes;
use crate::op::Meta;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn cache_append(inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let cache = &inputs[0];
    let mut values: Vec<_> = (0..out.shape.n_elements()).map(|i| cache.value(i)).collect();
    if let Some(sizes) = Sizes::of(cache.shape(), inputs[1].shape()) {
        let past = inputs[3].f64_at(0) as i64;
        for (part, input) in inputs[1..3].iter().enumerate() {
            for i in 0..input.shape().n_elements() {
                if let Some(place) = sizes.place(part, i / sizes.d, past) {
                    values[place * sizes.d + i % sizes.d] = input.value(i);
                }
            }
        }
    }
    HostBuffer::from_values(out.dtype, values)
}
