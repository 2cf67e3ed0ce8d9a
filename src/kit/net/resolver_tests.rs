//! Lookups against the test's own DNS server.
use hickory_resolver::config::ConnectionConfig;

use super::*;
use dns::DnsServer;

#[path = "../../../tests/it/support/dns.rs"]
mod dns;

fn server(known: &[(&str, &[&str])]) -> DnsServer {
    DnsServer::start("127.0.0.1:0", known).unwrap()
}

/// The settings of a file, with the test's server in place of each server.
fn config_of(server: &DnsServer, resolv_conf: &str) -> (ResolverConfig, ResolverOpts) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), resolv_conf).unwrap();
    let (config, options) = system_config(file.path());
    let mut udp = ConnectionConfig::udp();
    udp.port = server.address().port();
    let servers = config.name_servers().iter().map(|known| NameServerConfig::new(known.ip, true, vec![udp.clone()]));
    (ResolverConfig::from_parts(config.domain().cloned(), config.search().to_vec(), servers.collect()), options)
}

async fn look_up(server: &DnsServer, resolv_conf: &str, hosts: &str, name: &str) -> Result<Vec<String>, ResolveError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), hosts).unwrap();
    let found = resolve_with(name, file.path(), || config_of(server, resolv_conf)).await;
    found.map(|addresses| addresses.iter().map(ToString::to_string).collect())
}

const CONF: &str =
    "# written by hand\nsearch home.lan example.org\nnameserver 127.0.0.1\noptions ndots:1 edns0 trust-ad rotate\n";

#[tokio::test]
async fn a_name_has_its_addresses_from_dns_ipv4_first() {
    let server = server(&[("auth.home.lan", &["2001:db8::1", "192.0.2.7"])]);
    assert_eq!(look_up(&server, CONF, "", "auth.home.lan").await.unwrap(), ["192.0.2.7", "2001:db8::1"]);
    assert_eq!(look_up(&server, CONF, "", "AUTH.home.lan.").await.unwrap(), ["192.0.2.7", "2001:db8::1"]);
}

#[tokio::test]
async fn single_words_are_looked_for_in_the_search_domains_and_then_by_themselves() {
    let server = server(&[("auth.home.lan", &["192.0.2.7"]), ("mail_1", &["192.0.2.8"])]);
    assert_eq!(look_up(&server, CONF, "", "auth").await.unwrap(), ["192.0.2.7"]);
    // A container's name, with an underscore, at a DNS server without search domains.
    assert_eq!(look_up(&server, "nameserver 127.0.0.1\n", "", "mail_1").await.unwrap(), ["192.0.2.8"]);
    assert_eq!(look_up(&server, CONF, "", "mail_1").await.unwrap(), ["192.0.2.8"]);
}

#[tokio::test]
async fn the_hosts_file_comes_before_dns_and_its_names_ask_nobody() {
    let server = server(&[("auth.home.lan", &["192.0.2.7", "2001:db8::7"])]);
    let hosts = "127.0.0.1 localhost\n10.0.0.2\tauth.home.lan  Auth # the provider\n10.0.0.3 other\n10.0.0 auth\n";
    for name in ["auth.home.lan", "auth"] {
        assert_eq!(look_up(&server, CONF, hosts, name).await.unwrap(), ["10.0.0.2"], "{name}");
    }
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn localhost_and_addresses_need_no_file_and_no_server() {
    let nowhere = Path::new("/nonexistent");
    for (host, found) in [
        ("localhost", vec!["127.0.0.1", "::1"]),
        ("shelf.localhost", vec!["127.0.0.1", "::1"]),
        ("192.0.2.1", vec!["192.0.2.1"]),
        ("[2001:db8::1]", vec!["2001:db8::1"]),
    ] {
        let addresses = resolve_with(host, nowhere, || unreachable!()).await.unwrap();
        assert_eq!(addresses.iter().map(ToString::to_string).collect::<Vec<_>>(), found, "{host}");
    }
}

#[tokio::test]
async fn what_has_no_address_is_named_with_the_reason() {
    let server = server(&[("empty.home.lan", &[])]);
    for name in ["nobody.home.lan", "empty.home.lan"] {
        assert_eq!(look_up(&server, CONF, "", name).await, Err(ResolveError::Unknown(name.to_owned())));
    }
    for name in ["", "a b.example.org", "a..b", &"a".repeat(300)] {
        assert!(matches!(look_up(&server, CONF, "", name).await, Err(ResolveError::Invalid(_))), "{name}");
    }
}

#[test]
fn a_file_without_a_usable_server_means_the_server_of_this_machine() {
    for text in ["", "nameserver nonsense\nsearch home.lan\n", "\u{feff}\0\0"] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let (config, options) = system_config(file.path());
        assert_eq!(config.name_servers().iter().map(|server| server.ip.to_string()).collect::<Vec<_>>(), ["127.0.0.1"]);
        assert!(options.timeout <= SERVER_TIMEOUT && options.cache_size == 0);
    }
    assert_eq!(system_config(Path::new("/nonexistent")).0.name_servers().len(), 1);
}

#[test]
fn public_addresses_are_distinguished_from_those_of_the_inside() {
    for public in ["207.241.225.95", "8.8.8.8", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808"] {
        assert!(is_public(public.parse().unwrap()), "{public}");
    }
    for inside in [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1",
        "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1",
    ] {
        assert!(!is_public(inside.parse().unwrap()), "{inside}");
    }
}

#[tokio::test]
async fn a_name_of_the_outside_that_leads_to_this_machine_is_refused() {
    use reqwest::dns::Resolve as _;
    let localhost = || "localhost".parse::<reqwest::dns::Name>().unwrap();
    let refused = OutsideResolver(|_| true).resolve(localhost()).await.err().unwrap();
    assert!(refused.to_string().contains("not public"), "{refused}");
    assert!(OutsideResolver(|host| host == "openlibrary.org").resolve(localhost()).await.is_ok());
}
