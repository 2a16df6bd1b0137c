// The points of a line as they are.
// params: none
// needs: output_point(line, k, point)
fn store_point(line: u32, k: u32, value: vec2<f32>) {
    output_point(line, k, value);
}
