// The largest of one float of every invocation of a workgroup of 256.
// All invocations must call it, in uniform control flow, and all get it.
// needs: nothing
const HUGE: f32 = 3.0e38f;
var<workgroup> heights: array<f32, 256>;

fn workgroup_max(local: u32, value: f32) -> f32 {
    heights[local] = value;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half >>= 1u) {
        if local < half {
            heights[local] = max(heights[local], heights[local + half]);
        }
        workgroupBarrier();
    }
    let top = heights[0];
    workgroupBarrier();
    return top;
}
