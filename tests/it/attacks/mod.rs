//! Attacks of strangers, neighbours and thieves.
pub mod amplified;
pub mod canaries;
mod devices;
pub mod erasure;
pub mod greedy;
pub mod guessing;
pub mod malformed;
pub mod permissions;
pub mod redirects;
pub mod reuse;
pub mod stolen;
mod trusted_header;
