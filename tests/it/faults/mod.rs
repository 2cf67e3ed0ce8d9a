//! Kills, power cuts, full and failing disks, slow peers, many readers.
pub mod billing_faults;
pub mod crash;
pub mod io_errors;
pub mod kills;
pub mod many;
pub mod power;
pub mod slow;
