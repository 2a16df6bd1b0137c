// Stable split of a tile by one digit of two bits: pairs (key, index) move so that digit 0 comes first, then 1, 2 and 3.
// A tile is 1024 pairs in workgroup memory, 4 neighbors per invocation. Each invocation counts its digits, 16 bits each in two
// words; the counts are scanned by doubling distances; a pair goes behind all smaller digits and all earlier equal ones.
// params: none
// needs: nothing
const TILE: u32 = 1024u;
const PER_LANE: u32 = 4u;
var<workgroup> keys: array<u32, 1024>;
var<workgroup> indices: array<u32, 1024>;
var<workgroup> counts: array<vec2<u32>, 256>;

// A count of one for this digit.
fn one_of(digit: u32) -> vec2<u32> {
    let word = 1u << ((digit & 1u) * 16u);
    return select(vec2<u32>(0u, word), vec2<u32>(word, 0u), digit < 2u);
}

// The count of this digit.
fn count_of(packed: vec2<u32>, digit: u32) -> u32 {
    return (select(packed.y, packed.x, digit < 2u) >> ((digit & 1u) * 16u)) & 0xffffu;
}

// Called by all invocations of a workgroup together, after a barrier; ends with one.
fn split(lane: u32, shift: u32) {
    var own_keys: array<u32, 4>;
    var own_indices: array<u32, 4>;
    var sum = vec2<u32>(0u, 0u);
    for (var k = 0u; k < PER_LANE; k++) {
        own_keys[k] = keys[lane * PER_LANE + k];
        own_indices[k] = indices[lane * PER_LANE + k];
        sum += one_of((own_keys[k] >> shift) & 3u);
    }
    let own = sum;
    counts[lane] = sum;
    workgroupBarrier();
    for (var distance = 1u; distance < 256u; distance <<= 1u) {
        if lane >= distance {
            sum += counts[lane - distance];
        }
        workgroupBarrier();
        counts[lane] = sum;
        workgroupBarrier();
    }
    let totals = counts[255];
    let zeros = count_of(totals, 0u);
    let ones = count_of(totals, 1u);
    let twos = count_of(totals, 2u);
    // Where the next pair of each digit goes; the largest place, 1023, fits into 16 bits.
    var next = sum - own + vec2<u32>(zeros << 16u, (zeros + ones) | ((zeros + ones + twos) << 16u));
    for (var k = 0u; k < PER_LANE; k++) {
        let digit = (own_keys[k] >> shift) & 3u;
        let place = count_of(next, digit);
        keys[place] = own_keys[k];
        indices[place] = own_indices[k];
        next += one_of(digit);
    }
    workgroupBarrier();
}
