// Guard words after an output:  y[first_word + lane] = guard
// Run before everything else on a device that looks for writes past the end; one workgroup, one word per invocation.
// params: first_word, guard
// needs: y(i, result) (generated)
@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) lane: u32) {
    y(params.first_word + lane, params.guard);
}
