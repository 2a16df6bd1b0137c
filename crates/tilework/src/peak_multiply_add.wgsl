// The peak rate of multiply-adds:  x -> x / 2 + 1, n_rounds times, on eight independent vectors of four per invocation
// Nothing is read and one number per invocation is stored, so that no multiply-add can be left out.
// params: n_rounds
// needs: y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let half = vec4(0.5);
    let one = vec4(1.0);
    let x = vec4(f32(id.x));
    var x0 = x;
    var x1 = x + 1.0;
    var x2 = x + 2.0;
    var x3 = x + 3.0;
    var x4 = x + 4.0;
    var x5 = x + 5.0;
    var x6 = x + 6.0;
    var x7 = x + 7.0;
    for (var round = 0u; round < params.n_rounds; round++) {
        x0 = fma(x0, half, one);
        x1 = fma(x1, half, one);
        x2 = fma(x2, half, one);
        x3 = fma(x3, half, one);
        x4 = fma(x4, half, one);
        x5 = fma(x5, half, one);
        x6 = fma(x6, half, one);
        x7 = fma(x7, half, one);
    }
    y(id.x, dot(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7, one));
}
