//! Random words on the CPU: pieces of whole blocks, shared out among threads.

use crate::cpu::{CpuCx, CpuInput, GRAIN, for_each_word};
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::philox::{self, Stream};

/// Key and stream in the four words of a state.
pub(crate) fn stream_of(input: &CpuInput<'_>) -> Stream {
    let mut words = Vec::with_capacity(4);
    for_each_word(&mut input.evaluator::<f32>(), 0..4, |_, chunk| words.extend_from_slice(chunk));
    Stream { key: [words[0], words[1]], stream: [words[2], words[3]] }
}

pub(super) fn fill(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let stream = stream_of(&cx.inputs[0]);
    let HostBuffer::U32(out) = out else { return Err(Error::dtype("random_bits", "gives uint32")) };
    cx.threads.for_each_piece(out, GRAIN, |start, piece| philox::fill(stream, (start / 4) as u32, piece));
    Ok(())
}
