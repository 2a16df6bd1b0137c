// One workgroup per row: calls each_row(row, lane), and combines the invocations of a row by trees in workgroup memory.
// Every call of row_sum and row_max of one kernel has a place of its own (0 or 1), so that no barrier is needed between them.
// needs: WG, each_row(row, lane) (the kernel beside it)
var<workgroup> partial: array<array<Num, WG>, 2>;

@compute @workgroup_size(WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    each_row(group.x + group.y * groups.x, lane);
}

fn row_sum(value: Num, place: u32, lane: u32) -> Num {
    partial[place][lane] = value;
    workgroupBarrier();
    for (var width = WG / 2u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[place][lane] = num_add(partial[place][lane], partial[place][lane + width]);
        }
        workgroupBarrier();
    }
    return partial[place][0];
}

fn row_max(value: Num, place: u32, lane: u32) -> Num {
    partial[place][lane] = value;
    workgroupBarrier();
    for (var width = WG / 2u; width > 0u; width >>= 1u) {
        if lane < width {
            partial[place][lane] = num_maximum(partial[place][lane], partial[place][lane + width]);
        }
        workgroupBarrier();
    }
    return partial[place][0];
}
