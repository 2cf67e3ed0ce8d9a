//! Other programs beside the server: proxies, systemd, Litestream, the payment provider's client.
pub mod billing_operating;
pub mod billing_outside;
pub mod deploy;
pub mod foreign_root;
pub mod litestream;
pub mod proxy;
