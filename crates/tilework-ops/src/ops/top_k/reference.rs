//! The meaning of the k largest: the first k of the sorted axis.

use super::TopK;
use crate::op::Meta;
use crate::ops::sort;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn top_k(op: &TopK, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    sort::reference::sort(&op.sort, x, out)
}
