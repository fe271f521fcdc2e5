//! The text of the C lowering, run on an OpenCL device.

mod c_dialect_support;

use c_dialect_support::machine::Bare;

imminent_testkit::lowering_cases!(Bare::open());
