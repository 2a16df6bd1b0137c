// rows = J·v: one number for every residual of every instance of every group, in one dispatch.
// jacobian: [residual][column][instance] group by group; vector: [n_directions]; rows: [residual][instance] group by group.
// work: [n_workgroups] of (group, first instance, residual): one workgroup does 64 instances, one invocation each.
// tangents: [argument][instance] group by group, where the block's directions begin; FIXED if it does not move.
// params: n_workgroups
// needs: work(w), tables(word), tangents(i), jacobian(i), vector(direction), rows(i, sum), is_idle()
@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let w = id.x + id.y * groups.x;
    if w >= params.n_workgroups || is_idle() {
        return;
    }
    let item = work(w);
    let words = item.x * GROUP_WORDS;
    let instance = item.y + local;
    let n_instances = tables(words);
    if instance >= n_instances {
        return;
    }
    let n_columns = tables(words + 1u);
    var at = tables(words + 3u) + item.z * n_columns * n_instances + instance;
    var tangent = tables(words + 5u) + instance;
    let first_dim = tables(words + 7u);
    let n_args = tables(words + 6u);
    var sum = num_of(0.0f);
    for (var arg = 0u; arg < n_args; arg++) {
        let first = tangents(tangent);
        let dim = tables(first_dim + arg);
        for (var k = 0u; k < dim; k++) {
            if first != FIXED {
                sum = num_add(sum, num_mul(jacobian(at), vector(first + k)));
            }
            at += n_instances;
        }
        tangent += n_instances;
    }
    rows(tables(words + 4u) + item.z * n_instances + instance, sum);
}
