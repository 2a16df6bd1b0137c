// Adds the products of four pairs of numbers:  sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
// One product a statement: each becomes a multiply-add.
// needs: nothing
fn add_four(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
    var result = sum;
    result += a.x * b.x;
    result += a.y * b.y;
    result += a.z * b.z;
    result += a.w * b.w;
    return result;
}
