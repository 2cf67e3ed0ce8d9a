//! A DNS server that knows some names and records the requested ones.
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex};
use std::thread;

use hickory_resolver::proto::op::{Message, MessageType, ResponseCode};
use hickory_resolver::proto::rr::rdata::{A, AAAA};
use hickory_resolver::proto::rr::{RData, Record, RecordType};

/// A running DNS server. It ends with the test's process.
pub struct DnsServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl DnsServer {
    /// Starts a server that knows these names; `None` when the address is not available.
    pub fn start(address: &str, known: &[(&str, &[&str])]) -> Option<Self> {
        let socket = UdpSocket::bind(address).ok()?;
        let known: BTreeMap<String, Vec<IpAddr>> = known
            .iter()
            .map(|(name, addresses)| ((*name).to_owned(), addresses.iter().map(|text| text.parse().unwrap()).collect()))
            .collect();
        let server = Self { address: socket.local_addr().unwrap(), asked: Arc::default() };
        let asked = server.asked.clone();
        thread::spawn(move || {
            let mut buffer = [0; 1500];
            while let Ok((length, client)) = socket.recv_from(&mut buffer) {
                let request = Message::from_vec(&buffer[..length]).unwrap();
                asked.lock().unwrap().push(request.queries[0].name().to_string());
                socket.send_to(&answer(&request, &known), client).unwrap();
            }
        });
        Some(server)
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The names that it was asked for, with a dot at the end.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(request: &Message, known: &BTreeMap<String, Vec<IpAddr>>) -> Vec<u8> {
    let query = request.queries[0].clone();
    let mut answer = Message::response(request.metadata.id, request.metadata.op_code);
    answer.metadata.message_type = MessageType::Response;
    match known.get(query.name().to_string().to_ascii_lowercase().trim_end_matches('.')) {
        None => answer.metadata.response_code = ResponseCode::NXDomain,
        Some(addresses) => {
            for address in addresses {
                let data = match (address, query.query_type()) {
                    (IpAddr::V4(v4), RecordType::A) => RData::A(A(*v4)),
                    (IpAddr::V6(v6), RecordType::AAAA) => RData::AAAA(AAAA(*v6)),
                    _ => continue,
                };
                answer.add_answer(Record::from_rdata(query.name().clone(), 60, data));
            }
        }
    }
    answer.add_query(query);
    answer.to_vec().unwrap()
}
