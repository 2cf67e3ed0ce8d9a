//! Other servers: one HTTP client, and the places of addresses.
pub mod geoip;
pub mod http_client;
pub mod resolver;
