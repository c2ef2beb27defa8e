//! Models: an abstract twin beside the system, step by step.

use super::model_builder::ModelBuilder;

/// An abstract twin of a system: what `#[model]` implements for a struct.
pub trait Model: Sized + 'static {
    /// The system it models.
    type System: 'static;

    /// The specification: its operations and everything that belongs to them.
    fn methods() -> ModelBuilder<Self, Self::System>;
}
