//! A small GeoIP database file, written as its format says: a binary tree over addresses, records, and what describes them.
use std::net::Ipv4Addr;

use crate::support::harness::TestServer;

/// A single address: the country's two-character code and name, and the city, if any.
type Place = (Ipv4Addr, &'static str, &'static str, Option<&'static str>);

/// A server with a file of these places, behind a proxy that says who calls.
pub async fn server(places: &[Place]) -> TestServer {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), database(places)).unwrap();
    TestServer::with(|config| {
        config.geoip_database = Some(file.path().to_owned());
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await
}

/// The bytes of a file with these places.
pub fn database(places: &[Place]) -> Vec<u8> {
    let (mut nodes, mut data) = (vec![[Record::Empty; 2]], Vec::new());
    for (address, letters, country, city) in places {
        let offset = data.len();
        data.extend(place(letters, country, *city));
        let mut node = 0;
        for bit in (1..32).rev() {
            let side = usize::from(address.to_bits() >> bit & 1 == 1);
            node = match nodes[node][side] {
                Record::Node(next) => next,
                _ => {
                    nodes.push([Record::Empty; 2]);
                    let next = nodes.len() - 1;
                    nodes[node][side] = Record::Node(next);
                    next
                }
            };
        }
        nodes[node][usize::from(address.to_bits() & 1 == 1)] = Record::Data(offset);
    }
    let count = nodes.len();
    let mut file = Vec::new();
    for record in nodes.iter().flatten() {
        let value = match record {
            Record::Empty => count,
            Record::Node(next) => *next,
            Record::Data(offset) => count + 16 + offset,
        };
        file.extend(&u32::try_from(value).unwrap().to_be_bytes()[1..]);
    }
    file.extend([0; 16]);
    file.extend(data);
    file.extend(b"\xab\xcd\xefMaxMind.com");
    file.extend(about(count));
    file
}

#[derive(Clone, Copy)]
enum Record {
    Empty,
    Node(usize),
    Data(usize),
}

fn place(letters: &str, country: &str, city: Option<&str>) -> Vec<u8> {
    let names = |name: &str| map(&[("en", text(name))]);
    let mut parts = vec![("country", map(&[("iso_code", text(letters)), ("names", names(country))]))];
    parts.extend(city.map(|city| ("city", map(&[("names", names(city))]))));
    map(&parts)
}

fn about(count: usize) -> Vec<u8> {
    let short = |number: u8| vec![0b1010_0001, number];
    let count = u32::try_from(count).unwrap().to_be_bytes();
    map(&[
        ("node_count", [&[0b1100_0100], &count[..]].concat()),
        ("record_size", short(24)),
        ("ip_version", short(4)),
        ("database_type", text("Test-City")),
        ("languages", [vec![0b0000_0001, 4], text("en")].concat()),
        ("binary_format_major_version", short(2)),
        ("binary_format_minor_version", short(0)),
        ("build_epoch", vec![0b0000_0001, 2, 1]),
        ("description", map(&[("en", text("A test"))])),
    ])
}

fn text(text: &str) -> Vec<u8> {
    assert!(text.len() < 29);
    [&[0b0100_0000 | u8::try_from(text.len()).unwrap()], text.as_bytes()].concat()
}

fn map(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0b1110_0000 | u8::try_from(pairs.len()).unwrap()];
    for (key, value) in pairs {
        bytes.extend(text(key));
        bytes.extend(value);
    }
    bytes
}
