//! Other programs beside the server: proxies, systemd, containers, Litestream, the payment provider's
//! client, KOReader.
pub mod billing_operating;
pub mod billing_outside;
pub mod container;
pub mod deploy;
pub mod foreign_root;
mod koreader;
pub mod litestream;
pub mod manual;
mod monitoring;
pub mod other_processor;
pub mod package;
pub mod proxy;
