// The sum of one number of every invocation of a workgroup of 256, by a tree of fixed shape.
// All invocations must call it, in uniform control flow, and all get the sum.
// needs: nothing but a number module
var<workgroup> lanes: array<Num, 256>;

fn workgroup_sum(local: u32, value: Num) -> Num {
    lanes[local] = value;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half >>= 1u) {
        if local < half {
            lanes[local] = num_add(lanes[local], lanes[local + half]);
        }
        workgroupBarrier();
    }
    let sum = lanes[0];
    workgroupBarrier();
    return sum;
}
