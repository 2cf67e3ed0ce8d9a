//! A small identity provider on the loopback, which is honest unless a test changes it.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::Utc;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair, RsaPublicKeyComponents,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The number of every test server at this provider, and what proves it.
pub const CLIENT: &str = "shelf";
pub const SECRET: &str = "a secret: with % and colon";

/// How a token is signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signing {
    Rsa,
    Curve,
    /// `alg: none`, without a signature.
    None,
    /// `HS256` with the public key that everybody can read.
    PublicKey,
    /// `HS256` with the client's secret.
    ClientSecret,
    /// A key that the provider never published, under the name of one that it did.
    Forged,
    /// The same, published in the token's own header.
    Embedded,
    /// Signed by the curve's key, and said to be RSA.
    Mislabelled,
}

type Change = Arc<dyn Fn(&mut Value) + Send + Sync>;
/// What is answered at a path in the provider's place.
pub type Turn = Arc<dyn Fn(&str) -> Option<Response> + Send + Sync>;

/// What the provider says and does.
pub struct Manner {
    pub claims: Value,
    pub change: Change,
    pub header: Value,
    pub signing: Signing,
    pub userinfo: Value,
    /// Over the published description.
    pub description: Value,
    /// Answers a path instead of the provider.
    pub turn: Turn,
    /// GitHub's and Facebook's words.
    pub user: Value,
    pub emails: Value,
    /// How often each path was asked.
    pub asked: HashMap<String, usize>,
    /// The form of the last exchange.
    pub form: HashMap<String, String>,
    codes: HashMap<String, Begun>,
    curve_id: String,
    curve: Vec<u8>,
}

struct Begun {
    nonce: String,
    challenge: String,
}

#[derive(Clone)]
pub struct Issuer {
    pub base: String,
    manner: Arc<Mutex<Manner>>,
}

/// A parsed query.
pub fn query(address: &str) -> HashMap<String, String> {
    let query = address.split_once('?').map(|(_, query)| query).unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn curve_key() -> Vec<u8> {
    EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap().as_ref().to_vec()
}

fn rsa() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(include_bytes!("../../fixtures/social/rsa.pk8")).unwrap()
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A public key as a provider publishes it.
fn published(pkcs8: &[u8], id: &str) -> Value {
    let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &SystemRandom::new()).unwrap();
    let point = key.public_key().as_ref();
    json!({"kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": encode(&point[1..33]), "y": encode(&point[33..])})
}

impl Issuer {
    /// A provider that signs Nora in.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let claims = json!({"sub": "nora-1", "email": "nora@example.org", "email_verified": true, "name": "Nora L"});
        let manner = Manner {
            claims,
            change: Arc::new(|_| {}),
            header: json!({}),
            signing: Signing::Rsa,
            userinfo: json!({}),
            description: json!({}),
            turn: Arc::new(|_| None),
            user: json!({"id": 583231, "login": "nora", "name": "Nora L"}),
            emails: json!([
                {"email": "old@example.org", "primary": false, "verified": true},
                {"email": "nora@example.org", "primary": true, "verified": true},
            ]),
            asked: HashMap::new(),
            form: HashMap::new(),
            codes: HashMap::new(),
            curve_id: "curve".into(),
            curve: curve_key(),
        };
        let issuer = Self { base, manner: Arc::new(Mutex::new(manner)) };
        let router = Router::new().fallback(serve).with_state(issuer.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        issuer
    }

    /// What it says and does, to look at and to change.
    pub fn manner(&self) -> MutexGuard<'_, Manner> {
        self.manner.lock().unwrap()
    }

    /// Signs with another key of the curve, under another name.
    pub fn rotate(&self) {
        let mut manner = self.manner();
        (manner.curve, manner.curve_id) = (curve_key(), "rotated".into());
    }

    /// What the person does in the browser: agrees. `out` is where the server sent them; the answer is the query they come back with.
    pub fn agree(&self, out: &str) -> HashMap<String, String> {
        let asked = query(out);
        let get = |key: &str| asked.get(key).cloned().unwrap_or_default();
        assert_eq!((get("client_id").as_str(), get("response_type").as_str()), (CLIENT, "code"));
        assert_eq!(get("code_challenge_method"), "S256");
        let mut manner = self.manner();
        let code = format!("code-{}-{}", manner.codes.len(), get("state"));
        manner.codes.insert(code.clone(), Begun { nonce: get("nonce"), challenge: get("code_challenge") });
        HashMap::from([("code".into(), code), ("state".into(), get("state"))])
    }

    fn token(&self, nonce: &str) -> String {
        let manner = self.manner();
        let now = Utc::now().timestamp();
        let mut claims = json!({"iss": self.base, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce});
        merge(&mut claims, &manner.claims);
        (manner.change)(&mut claims);
        let forged = curve_key();
        let (alg, id) = match manner.signing {
            Signing::Rsa | Signing::Mislabelled => ("RS256", "rsa"),
            Signing::Curve | Signing::Forged | Signing::Embedded => ("ES256", manner.curve_id.as_str()),
            Signing::None => ("none", "rsa"),
            Signing::PublicKey | Signing::ClientSecret => ("HS256", "rsa"),
        };
        let mut head = json!({"alg": alg, "kid": id, "typ": "JWT"});
        if manner.signing == Signing::Embedded {
            head["jwk"] = published(&forged, "embedded");
            head["kid"] = json!("embedded");
        }
        merge(&mut head, &manner.header);
        let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
        let curve = |key: &[u8]| {
            let random = SystemRandom::new();
            let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key, &random).unwrap();
            key.sign(&random, text.as_bytes()).unwrap().as_ref().to_vec()
        };
        let shared =
            |key: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec();
        let signature = match manner.signing {
            Signing::Rsa => {
                let (key, mut signature) = (rsa(), vec![0; 256]);
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
                signature
            }
            Signing::Curve | Signing::Mislabelled => curve(&manner.curve),
            Signing::Forged | Signing::Embedded => curve(&forged),
            Signing::None => Vec::new(),
            Signing::PublicKey => shared(rsa().public_key().as_ref()),
            Signing::ClientSecret => shared(SECRET.as_bytes()),
        };
        format!("{text}.{}", encode(signature))
    }

    fn description(&self) -> Value {
        let base = &self.base;
        let mut description = json!({
            "issuer": base,
            "authorization_endpoint": format!("{base}/authorize"),
            "token_endpoint": format!("{base}/token"),
            "jwks_uri": format!("{base}/jwks"),
            "userinfo_endpoint": format!("{base}/userinfo"),
        });
        merge(&mut description, &self.manner().description);
        description
    }

    fn keys(&self) -> Value {
        let manner = self.manner();
        let public: RsaPublicKeyComponents<Vec<u8>> = rsa().public_key().into();
        let (n, e) = (encode(public.n), encode(public.e));
        json!({"keys": [
            {"kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": n, "e": e},
            published(&manner.curve, &manner.curve_id),
            {"kty": "OKP", "crv": "Ed25519", "kid": "other", "x": "AA"},
        ]})
    }

    /// Takes a code once, from the client that it was made for, with what it was asked for with.
    fn exchange(&self, headers: &HeaderMap, form: HashMap<String, String>) -> Response {
        let get = |key: &str| form.get(key).cloned().unwrap_or_default();
        let basic = headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
        let expected = {
            let part = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            format!("Basic {}", STANDARD.encode(format!("{}:{}", part(CLIENT), part(SECRET))))
        };
        let begun = self.manner().codes.remove(&get("code"));
        self.manner().form = form.clone();
        let known = basic.as_deref() == Some(&expected)
            || (get("client_id") == CLIENT
                && (get("client_secret") == SECRET || get("client_secret").matches('.').count() == 2));
        if !known {
            return (StatusCode::UNAUTHORIZED, axum::Json(json!({"error": "invalid_client"}))).into_response();
        }
        let challenge = encode(Sha256::digest(get("code_verifier")));
        let Some(begun) = begun.filter(|begun| begun.challenge == challenge) else {
            return (StatusCode::BAD_REQUEST, axum::Json(json!({"error": "invalid_grant"}))).into_response();
        };
        let id_token = self.token(&begun.nonce);
        let answer =
            json!({"access_token": "access", "token_type": "Bearer", "id_token": id_token, "refresh_token": "refresh"});
        axum::Json(answer).into_response()
    }
}

/// Puts the keys of one object over another's; null takes one away.
fn merge(into: &mut Value, over: &Value) {
    for (key, value) in over.as_object().unwrap() {
        match value {
            Value::Null => drop(into.as_object_mut().unwrap().remove(key)),
            value => into[key] = value.clone(),
        }
    }
}

async fn serve(State(issuer): State<Issuer>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let path = parts.uri.path().to_owned();
    let turned = {
        let mut manner = issuer.manner();
        *manner.asked.entry(path.clone()).or_default() += 1;
        (manner.turn)(&path)
    };
    if let Some(turned) = turned {
        // What is to hang hangs until its caller has gone away.
        if turned.status() == StatusCode::REQUEST_TIMEOUT {
            std::future::pending::<()>().await;
        }
        return turned;
    }
    let bearer = parts.headers.get(header::AUTHORIZATION).is_some_and(|value| value == "Bearer access");
    let agent = parts.headers.contains_key(header::USER_AGENT);
    match path.as_str() {
        "/.well-known/openid-configuration" | "/common/v2.0/.well-known/openid-configuration" => {
            axum::Json(issuer.description()).into_response()
        }
        "/jwks" => axum::Json(issuer.keys()).into_response(),
        "/token" | "/login/oauth/access_token" | "/v23.0/oauth/access_token" => issuer.exchange(&parts.headers, form),
        "/userinfo" if bearer => axum::Json(issuer.manner().userinfo.clone()).into_response(),
        "/api/v3/user" if bearer && agent => axum::Json(issuer.manner().user.clone()).into_response(),
        "/api/v3/user/emails" if bearer && agent => axum::Json(issuer.manner().emails.clone()).into_response(),
        "/v23.0/me" if bearer => axum::Json(issuer.manner().user.clone()).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A redirection to somewhere that would answer.
pub fn redirect(to: &str) -> Response {
    Redirect::temporary(to).into_response()
}
