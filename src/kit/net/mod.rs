//! Other servers: the HTTP client, host names, and the location of IP addresses.
pub mod geoip;
pub mod http_client;
pub mod ping;
pub mod resolver;
