//! Random arrays: what draw number `draw` (0 unless told) of the generator with this seed gives.

use crate::call::extended::random;
use crate::call::library::{AXIS, Function, says};
use tilework_ops::attrs::{AttrKind, Attribute};

const SHAPE: Attribute = Attribute::required("shape", AttrKind::Sizes, "sizes of the draw");
const SEED: Attribute = Attribute::required("seed", AttrKind::Number, "where the generator starts");
const NUMBER: Attribute = Attribute::optional("draw", AttrKind::Number, "which draw of the generator; 0 unless told");
const SIZE: Attribute = Attribute::required("n", AttrKind::Size, "how many");
const DRAW: &[Attribute] = &[SHAPE, SEED, NUMBER];

#[rustfmt::skip] // One row per function.
pub(in crate::call::library) static FUNCTIONS: &[Function] = &[
    Function::one("random_beta", &["a", "b"], DRAW, says!("Random numbers of the beta distribution."),
        |c, g| Ok(random(c, g)?.beta(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_chisquare", &["df"], DRAW, says!("Random numbers of the chi-square distribution."),
        |c, g| Ok(random(c, g)?.chisquare(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_standard_t", &["df"], DRAW, says!("Random numbers of Student's t distribution."),
        |c, g| Ok(random(c, g)?.standard_t(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_f", &["above", "below"], DRAW, says!("Random numbers of Fisher's F distribution."),
        |c, g| Ok(random(c, g)?.f(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_laplace", &["center", "scale"], DRAW, says!("Random numbers of the Laplace distribution."),
        |c, g| Ok(random(c, g)?.laplace(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_logistic", &["center", "scale"], DRAW, says!("Random numbers of the logistic distribution."),
        |c, g| Ok(random(c, g)?.logistic(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_gumbel", &["center", "scale"], DRAW, says!("Random numbers of the Gumbel distribution."),
        |c, g| Ok(random(c, g)?.gumbel(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_lognormal", &["mean", "deviation"], DRAW, says!("Exponentials of random numbers of the normal distribution."),
        |c, g| Ok(random(c, g)?.lognormal(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_pareto", &["a"], DRAW, says!("Random numbers of the Pareto distribution of the second kind."),
        |c, g| Ok(random(c, g)?.pareto(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_power", &["a"], DRAW, says!("Random numbers over [0, 1] with the density a times x to the power of a - 1."),
        |c, g| Ok(random(c, g)?.power(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_rayleigh", &["scale"], DRAW, says!("Random numbers of the Rayleigh distribution."),
        |c, g| Ok(random(c, g)?.rayleigh(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_weibull", &["a"], DRAW, says!("Random numbers of the Weibull distribution with scale 1."),
        |c, g| Ok(random(c, g)?.weibull(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_standard_cauchy", &[], DRAW, says!("Random numbers of the Cauchy distribution."),
        |c, g| Ok(random(c, g)?.standard_cauchy(g.sizes("shape")?))),
    Function::one("random_triangular", &["left", "mode", "right"], DRAW, says!("Random numbers of the triangular distribution."),
        |c, g| Ok(random(c, g)?.triangular(g.sizes("shape")?, [&c.inputs[0], &c.inputs[1], &c.inputs[2]]))),
    Function::one("random_geometric", &["p"], DRAW, says!("How many tries it takes until one of probability p succeeds."),
        |c, g| Ok(random(c, g)?.geometric(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_poisson", &["rate"], DRAW, says!("Random counts of the Poisson distribution, as int32; -1 for a rate that is negative or NaN."),
        |c, g| Ok(random(c, g)?.poisson(g.sizes("shape")?, &c.inputs[0]))),
    Function::one("random_binomial", &["n", "p"], DRAW, says!("How many of n tries succeed, each with probability p, as int32; -1 for parameters that are out of range."),
        |c, g| Ok(random(c, g)?.binomial(g.sizes("shape")?, &c.inputs[0], &c.inputs[1]))),
    Function::one("random_dirichlet", &["alpha"], DRAW, says!("Random shares along a last axis that sum to 1."),
        |c, g| Ok(random(c, g)?.dirichlet(g.sizes("shape")?, c.x()))),
    Function::one("random_multivariate_normal", &["mean", "covariance"], DRAW, says!("Random vectors along a last axis, normal with this mean and covariance."),
        |c, g| Ok(random(c, g)?.multivariate_normal(g.sizes("shape")?, c.x(), &c.arrays[1]))),
    Function::one("random_choice_weighted", &["x", "p"], &[SHAPE, SEED, NUMBER, AXIS], says!("Elements of an axis, the first unless told, picked with the probabilities p, with replacement."),
        |c, g| Ok(random(c, g)?.choice_weighted(c.x(), g.sizes("shape")?, &c.arrays[1], g.integer("axis")?.unwrap_or(0)))),
    Function::one("random_choice_weighted_distinct", &["x", "p"], &[SIZE, SEED, NUMBER, AXIS], says!("n elements of an axis, the first unless told, no position twice, each picked with the probabilities p of those that are left."),
        |c, g| Ok(random(c, g)?.choice_weighted_distinct(c.x(), g.size("n")?, &c.arrays[1], g.integer("axis")?.unwrap_or(0)))),
    Function::one("random_permuted", &["x"], &[SEED, NUMBER, AXIS], says!("The elements along an axis, the last unless told, in a random order, another one for every row."),
        |c, g| Ok(random(c, g)?.permuted(c.x(), g.integer("axis")?.unwrap_or(-1)))),
    Function::one("random_bytes", &[], &[SIZE, SEED, NUMBER], says!("Random bytes."),
        |c, g| Ok(random(c, g)?.bytes(g.size("n")?))),
];
