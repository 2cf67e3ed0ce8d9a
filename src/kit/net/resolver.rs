//! Host names to addresses without the C library: `/etc/hosts` first, then the DNS servers of `/etc/resolv.conf`.
//!
//! The C library's resolver loads the machine's name service modules into the process, which crashes a static program
//! (docs/decisions/0016-resolver.md). `clippy.toml` therefore forbids the calls that would use it. Both files are read for every
//! lookup, so a change of the network needs no restart. Connections are kept open, so lookups are rare.
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts, ServerOrderingStrategy,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name;
use hickory_resolver::system_conf::parse_resolv_conf;
use tokio::time::timeout;

/// The machine's own names.
const HOSTS: &str = "/etc/hosts";
/// The machine's DNS servers and search domains.
const RESOLV_CONF: &str = "/etc/resolv.conf";
/// The time limit of a whole lookup.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit of one DNS server, so that the second one is asked while a caller still waits.
const SERVER_TIMEOUT: Duration = Duration::from_secs(2);
/// The most addresses of one name that are used.
const MAX_ADDRESSES: usize = 16;
/// The longest host name, in bytes (RFC 1035).
const LONGEST_NAME: usize = 253;

/// Why a host name has no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The text is not a host name.
    #[error("`{0}` is not a host name")]
    Invalid(String),
    /// The name is neither in `/etc/hosts` nor in DNS.
    #[error("the host name {0} is unknown: it is neither in /etc/hosts nor in DNS")]
    Unknown(String),
    /// The name leads to an address of this machine or of a private network, and must not.
    #[error("the host name {0} leads to an address that is not public")]
    Inside(String),
    /// No DNS server answered in time.
    #[error("the host name {host} can't be looked up: {cause}")]
    Failed {
        host: String,
        /// The resolver's message.
        cause: String,
    },
}

/// The addresses of a host: at least one and at most 16, IPv4 before IPv6. An IP address resolves to itself, `localhost` to this
/// machine.
pub async fn resolve(host: &str) -> Result<Vec<IpAddr>, ResolveError> {
    resolve_with(host, Path::new(HOSTS), || system_config(Path::new(RESOLV_CONF))).await
}

async fn resolve_with(
    host: &str,
    hosts: &Path,
    config: impl FnOnce() -> (ResolverConfig, ResolverOpts),
) -> Result<Vec<IpAddr>, ResolveError> {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    if let Ok(address) = host.trim_start_matches('[').trim_end_matches(']').parse() {
        return Ok(vec![address]);
    }
    if host == "localhost" || host.ends_with(".localhost") {
        return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    }
    let name = Name::from_str_relaxed(&host).ok().filter(|_| !host.is_empty() && host.len() <= LONGEST_NAME);
    let name = name.ok_or_else(|| ResolveError::Invalid(host.clone()))?;
    let (file, wanted) = (hosts.to_owned(), host.clone());
    let known = tokio::task::spawn_blocking(move || addresses_in(&file, &wanted)).await;
    let known = known.ok().and_then(Result::ok).unwrap_or_default();
    if !known.is_empty() {
        return Ok(in_order(known));
    }
    let failed = |cause: String| ResolveError::Failed { host: host.clone(), cause };
    let (servers, options) = config();
    let builder = TokioResolver::builder_with_config(servers, TokioRuntimeProvider::default()).with_options(options);
    let resolver = builder.build().map_err(|cause| failed(cause.to_string()))?;
    match timeout(LOOKUP_TIMEOUT, resolver.lookup_ip(name)).await {
        Ok(Ok(found)) => match in_order(found.iter().collect()) {
            addresses if addresses.is_empty() => Err(ResolveError::Unknown(host)),
            addresses => Ok(addresses),
        },
        Ok(Err(cause)) if cause.is_no_records_found() => Err(ResolveError::Unknown(host)),
        // The library's "no connections available" says nothing about DNS.
        Ok(Err(_)) => Err(failed("no DNS server of /etc/resolv.conf answers".into())),
        Err(_) => Err(failed("the DNS servers took too long".into())),
    }
}

/// The addresses of a name in a file like `/etc/hosts`; none when the file is missing or does not contain the name.
fn addresses_in(hosts: &Path, wanted: &str) -> io::Result<Vec<IpAddr>> {
    let mut found = Vec::new();
    for line in BufReader::new(File::open(hosts)?).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(address) = words.next().and_then(|word| word.parse().ok()) else { continue };
        if words.any(|name| name.trim_end_matches('.').eq_ignore_ascii_case(wanted)) {
            found.push(address);
        }
    }
    Ok(found)
}

/// The DNS servers, search domains and options of a file like `/etc/resolv.conf`. Without a usable file or server, the server
/// of this machine is asked, as the C library does.
fn system_config(file: &Path) -> (ResolverConfig, ResolverOpts) {
    let text = std::fs::read(file).unwrap_or_default();
    let (servers, mut options) = parse_resolv_conf(&text).unwrap_or_else(|_| {
        let local = vec![NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into())];
        (ResolverConfig::from_parts(None, Vec::new(), local), ResolverOpts::default())
    });
    // One server at a time in the order of the file: the first may know names of a private network that the second does not.
    options.server_ordering_strategy = ServerOrderingStrategy::UserProvidedOrder;
    options.num_concurrent_reqs = 1;
    options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
    options.timeout = options.timeout.min(SERVER_TIMEOUT);
    options.use_hosts_file = ResolveHosts::Never;
    options.cache_size = 0;
    (servers, options)
}

/// IPv4 first, each address once: a machine without IPv6 routes then loses no time, and one without IPv4 fails at once.
fn in_order(mut addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    let mut seen = HashSet::new();
    addresses.retain(|address| seen.insert(*address));
    addresses.sort_by_key(IpAddr::is_ipv6);
    addresses.truncate(MAX_ADDRESSES);
    addresses
}

/// [`resolve`] for the HTTP client.
#[derive(Debug, Clone, Copy)]
pub struct HttpResolver;

impl reqwest::dns::Resolve for HttpResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        Box::pin(async move {
            let addresses = resolve(name.as_str()).await?;
            // The client replaces port 0 by its own port.
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}

/// Like [`HttpResolver`], but the names for which the function is true must lead to public addresses.
#[derive(Debug, Clone, Copy)]
pub struct OutsideResolver(pub fn(&str) -> bool);

impl reqwest::dns::Resolve for OutsideResolver {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let is_outside = self.0;
        Box::pin(async move {
            let mut addresses = resolve(name.as_str()).await?;
            if is_outside(name.as_str()) {
                addresses.retain(|address| is_public(*address));
                if addresses.is_empty() {
                    return Err(ResolveError::Inside(name.as_str().to_owned()).into());
                }
            }
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as reqwest::dns::Addrs)
        })
    }
}

/// Whether an address is one of the public internet: not of this machine, a private network, or a special use.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            let is_special = address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_broadcast()
                || address.is_documentation()
                || address.is_multicast();
            // This network, carriers' networks, protocol assignments, benchmarks, reserved.
            let is_reserved = a == 0
                || (a == 100 && (64..128).contains(&b))
                || (a == 192 && b == 0 && c == 0)
                || (a == 198 && (b == 18 || b == 19))
                || a >= 240;
            !is_special && !is_reserved
        }
        IpAddr::V6(address) => {
            let embedded = match address.segments() {
                // Addresses of IPv4 in IPv6: mapped, compatible, NAT64, 6to4.
                [0, 0, 0, 0, 0, 0xffff | 0, high, low]
                | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
                | [0x2002, high, low, ..] => Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))),
                _ => None,
            };
            match embedded {
                Some(address) => is_public(address.into()),
                // Global unicast, except documentation and Teredo, which may lead anywhere.
                None => {
                    let [first, second, ..] = address.segments();
                    first & 0xe000 == 0x2000 && !(first == 0x2001 && matches!(second, 0 | 0xdb8))
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "resolver_tests.rs"]
mod tests;
