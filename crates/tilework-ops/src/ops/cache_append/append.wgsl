// Keys and values into a cache:  y[part, head, n_past + i, c] = new[part, head, i, c]; all else stays
// y: [2, n_heads, n_places, d]; key and value: [n_heads, n_new, d]. One invocation per WIDTH elements that are new, by which d is divided;
// those outside are left out.
// params: n_half, n_heads, n_places, n_new, d
// needs: key_pack(i), value_pack(i), past(i), y_pack(i, results), WIDTH (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = (id.x + id.y * groups.x * 256u) * WIDTH;
    if at >= 2u * params.n_half {
        return;
    }
    let part = select(0u, 1u, at >= params.n_half);
    let source = at - part * params.n_half;
    let head = source / (params.n_new * params.d);
    let place = i32(past(0u)) + i32(source / params.d % params.n_new);
    if place < 0 || place >= i32(params.n_places) {
        return;
    }
    let row = (part * params.n_heads + head) * params.n_places + u32(place);
    let place_of_first = row * params.d + source % params.d;
    if part == 0u {
        y_pack(place_of_first, key_pack(source));
    } else {
        y_pack(place_of_first, value_pack(source));
    }
}
