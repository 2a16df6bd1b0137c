// The points of a line as they are.
// params: none
// needs: input_point(line, j)
fn load_point(line: u32, j: u32) -> vec2<f32> {
    return input_point(line, j);
}
