// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): four random words from a counter of four words and a key of two, by ten
// rounds of wide multiplication.
// params: none
// needs: nothing

fn philox(counter: vec4<u32>, first_key: vec2<u32>) -> vec4<u32> {
    var c = counter;
    var key = first_key;
    for (var round = 0u; round < 10u; round++) {
        let left = 0xD2511F53u * c.x;
        let right = 0xCD9E8D57u * c.z;
        let left_high = philox_high_product(0xD2511F53u, c.x);
        let right_high = philox_high_product(0xCD9E8D57u, c.z);
        c = vec4<u32>(right_high ^ c.y ^ key.x, right, left_high ^ c.w ^ key.y, left);
        key += vec2<u32>(0x9E3779B9u, 0xBB67AE85u);
    }
    return c;
}

// The high word of a * b.
fn philox_high_product(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let cross = a_high * b_low + ((a_low * b_low) >> 16u);
    let middle = a_low * b_high + (cross & 0xffffu);
    return a_high * b_high + (cross >> 16u) + (middle >> 16u);
}
