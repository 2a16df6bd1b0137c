// Elements of the images of a convolution by their coordinates; strides may be negative, sums wrap around.
// params: x_start, x_image, x_channel, x_y, x_x
// needs: x_element(i) (generated)
fn x_at(image: u32, channel: u32, y: u32, x: u32) -> Num {
    let plane = params.x_start + image * params.x_image + channel * params.x_channel;
    return x_element(plane + y * params.x_y + x * params.x_x);
}
