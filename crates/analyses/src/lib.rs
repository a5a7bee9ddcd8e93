//! What Plumbline finds out about programs: one folder per verb, each with one public function of the verb's name.

pub mod conform;
pub mod infer;
pub mod prove;
pub mod reach;
pub mod repair;
pub mod represent;
pub mod symmetry;
mod until;

pub use until::Until;
