//! Choosing instruction sets at run time.
//!
//! The loops of the vm and of CPU kernels are plain Rust, inlined into [`vectorized`], which compiles them again for AVX2 and for
//! AVX-512 and picks the best version the machine has. On other targets (WASM with SIMD enabled, ARM) the one version is already
//! the right one. No version rounds differently: only those loops that ask for fused multiply-adds use them.

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// Which version of a loop is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What the target guarantees.
    Baseline,
    /// x86-64 with AVX2 and fused multiply-add.
    Avx2,
    /// x86-64 with AVX-512 as of Ice Lake and Zen 4; earlier machines slow down when they use it.
    Avx512,
}

/// The environment variable that lowers the level: `baseline` or `avx2`. Every version can so be tested on one machine.
pub const LEVEL_VARIABLE: &str = "TILEWORK_SIMD";

/// The level this machine runs at.
#[inline]
pub fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        // 0 until it is known.
        static KNOWN: AtomicU8 = AtomicU8::new(0);
        match KNOWN.load(Ordering::Relaxed) {
            1 => Level::Baseline,
            2 => Level::Avx2,
            3 => Level::Avx512,
            _ => {
                let level = detect();
                KNOWN.store(level as u8 + 1, Ordering::Relaxed);
                level
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    Level::Baseline
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn detect() -> Level {
    use std::arch::is_x86_feature_detected as has;
    let has_avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
    let has_avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") && has!("avx512vbmi2");
    let machine = match (has_avx2, has_avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        (false, _) => Level::Baseline,
    };
    let allowed = match std::env::var(LEVEL_VARIABLE).as_deref() {
        Ok("baseline") => Level::Baseline,
        Ok("avx2") => Level::Avx2,
        _ => Level::Avx512,
    };
    machine.min(allowed)
}

/// Runs `work` compiled for the best instruction set of this machine. `work` and what it calls must be `#[inline(always)]`
/// to profit.
#[inline]
pub fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    match level() {
        // SAFETY: the features the function is compiled for were detected.
        Level::Avx512 => return unsafe { avx512(work) },
        // SAFETY: the same.
        Level::Avx2 => return unsafe { avx2(work) },
        Level::Baseline => {}
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}
