//! Writers of tables.

pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
