// Weight and bias by column:  values * weight[col..] + bias[col..]
// For normalisations of one axis. An input that is not there is generated as ones or zeros.
// params: none
// needs: weight_pack(i), bias_pack(i), PACK (generated)
fn affine(row: u32, col: u32, values: array<Num, PACK>) -> array<Num, PACK> {
    var results = values;
    var weights = weight_pack(col);
    var biases = bias_pack(col);
    for (var j = 0u; j < PACK; j++) {
        results[j] = num_add(num_mul(results[j], weights[j]), biases[j]);
    }
    return results;
}
