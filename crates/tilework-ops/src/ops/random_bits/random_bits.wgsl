// Random words:  y[4 * b + part] = philox((b, 0, state[2], state[3]), (state[0], state[1]))[part]
// state: [4] of u32; y: [n_elements] of u32. One invocation per block of four words.
// params: n_elements
// needs: state(i), y(i, result), philox.wgsl (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let block = id.x + id.y * groups.x * 256u;
    if block < (params.n_elements + 3u) / 4u {
        let words = philox(vec4<u32>(block, 0u, state(2u), state(3u)), vec2<u32>(state(0u), state(1u)));
        for (var part = 0u; part < 4u; part++) {
            if 4u * block + part < params.n_elements {
                y(4u * block + part, words[part]);
            }
        }
    }
}
