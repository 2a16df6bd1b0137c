// The points of a line as they are.
fn store_point(line: u32, k: u32, value: vec2<f32>) {
    output_point(line, k, value);
}
