//! Constants of each type, in modules that are no kernel modules.

/// For `f32`.
pub mod single {
    pub const LEAST: f32 = 0.25;
    pub const WEIGHTS: [f32; 2] = [0.75, 0.125];
}

/// For `f64`.
pub mod double {
    pub const LEAST: f64 = 0.25;
    pub const WEIGHTS: [f64; 2] = [0.75, 0.125];
}
