//! Tests through the public interface: a real listener, a real database file, real requests.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests say what they expect")]
#![expect(clippy::disallowed_methods, reason = "tests run beside the C library that they were built with")]
mod architecture;
mod attacks;
mod cli;
mod documents;
mod faults;
mod features;
mod outside;
mod support;
