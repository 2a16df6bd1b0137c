// chirp(j) = exp(-pi i * j^2 / n) for j < n, where n is params.n_chirp < 2^26: Bluestein's sequence.
// params: n_chirp
// needs: root(k, n) of complex.wgsl

fn chirp(j: u32) -> vec2<f32> {
    return root(square_modulo(j, 2u * params.n_chirp), 2u * params.n_chirp);
}

// j * j modulo n without leaving 32 bits: one doubling per bit of j.
fn square_modulo(j: u32, n: u32) -> u32 {
    var sum = 0u;
    for (var bit = 32u - countLeadingZeros(j); bit > 0u; bit--) {
        sum = (2u * sum) % n;
        if ((j >> (bit - 1u)) & 1u) != 0u {
            sum = (sum + j) % n;
        }
    }
    return sum;
}
