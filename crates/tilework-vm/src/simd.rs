//! Choosing instruction sets at run time.
//!
//! The loops of the vm and of CPU kernels are plain Rust, inlined into [`vectorized`], which compiles them a second time for
//! AVX2 and picks the better version the machine has. On other targets (WASM with SIMD enabled, ARM) the one version is
//! already the right one.

/// Which version of a loop is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What the target guarantees.
    Baseline,
    /// x86-64 with AVX2 and fused multiply-add.
    Avx2,
}

/// The level this machine runs at.
pub fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        return Level::Avx2;
    }
    Level::Baseline
}

/// Runs `work` compiled for the best instruction set of this machine. `work` and what it calls must be `#[inline(always)]`
/// to profit.
#[inline]
pub fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if level() == Level::Avx2 {
        // SAFETY: the features the function is compiled for were just detected.
        return unsafe { avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}
