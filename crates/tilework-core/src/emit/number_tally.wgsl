// A number module for tests: x is the value, y counts the operations that made it.
alias Num = vec2<f32>;
fn num_load(x: f32) -> Num { return vec2<f32>(x, 0.0); }
fn num_store(x: Num) -> f32 { return x.y; }
fn num_of(high: f32) -> Num { return vec2<f32>(high, 0.0); }
fn num_of2(high: f32, low: f32) -> Num { return vec2<f32>(high + low, 0.0); }
fn num_add(a: Num, b: Num) -> Num { return vec2<f32>(a.x + b.x, a.y + b.y + 1.0); }
fn num_sub(a: Num, b: Num) -> Num { return vec2<f32>(a.x - b.x, a.y + b.y + 1.0); }
fn num_mul(a: Num, b: Num) -> Num { return vec2<f32>(a.x * b.x, a.y + b.y + 1.0); }
fn num_neg(x: Num) -> Num { return vec2<f32>(-x.x, x.y + 1.0); }
fn num_sin(x: Num) -> Num { return vec2<f32>(sin(x.x), x.y + 1.0); }
fn num_lt(a: Num, b: Num) -> bool { return a.x < b.x; }
fn num_select(condition: bool, if_true: Num, if_false: Num) -> Num { return select(if_false, if_true, condition); }
