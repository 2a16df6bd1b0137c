//! What stands for pages in modules without pictures: a type without values, so that all that would be done with one is left out.

use crate::value::HostValue;
use std::sync::Arc;
use tilework_core::Result;
use tilework_core::host::HostBuffer;
use tilework_core::pictures::Texels;
use tilework_gpu::{Gpu, Memory};
use tilework_vm::HostSlice;

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum PageValue {}

impl PageValue {
    pub(crate) fn texels(&self) -> Option<Texels> {
        match *self {}
    }

    pub(crate) fn on_gpu(&self, _gpu: &Gpu) -> Result<Memory> {
        match *self {}
    }

    pub(crate) fn on_host(&self) -> Arc<HostValue> {
        match *self {}
    }

    pub(crate) fn is_on_gpu(&self, _gpu: &Gpu) -> bool {
        match *self {}
    }

    pub(crate) fn slice(&self) -> HostSlice<'_> {
        match *self {}
    }

    pub(crate) fn copied(&self) -> HostBuffer {
        match *self {}
    }
}
