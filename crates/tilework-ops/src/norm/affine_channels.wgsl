// Weight and bias by channel:  values * weight[channel] + bias[channel]
// For rows that are groups of channels: row r is group r % n_groups of a sample, and n_spatial neighbouring columns are one channel.
// An input that is not there is generated as ones or zeros.
// params: n_groups, n_spatial
// needs: weight(i), bias(i), PACK (generated)
fn affine(row: u32, col: u32, values: array<Num, PACK>) -> array<Num, PACK> {
    var results = values;
    let first = (row % params.n_groups) * params.n_cols + col;
    for (var j = 0u; j < PACK; j++) {
        let channel = (first + j) / params.n_spatial;
        results[j] = num_add(num_mul(results[j], weight(channel)), bias(channel));
    }
    return results;
}
