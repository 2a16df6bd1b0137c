// The vectors that a direction is made of: the remembered steps, then the changes of the gradient, then the gradient.
// params: n
// needs: steps(i), changes(i), gradient(d)
const BASIS: u32 = 2u * MEMORY + 1u;

fn basis(j: u32, d: u32) -> Num {
    if j < MEMORY {
        return steps(j * params.n + d);
    }
    if j < 2u * MEMORY {
        return changes((j - MEMORY) * params.n + d);
    }
    return gradient(d);
}
