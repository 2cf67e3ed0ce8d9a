//! Teams through the API: created with their plan, filled by invitations, handed over.
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::{PASSWORD, Reader, TeamOwner, TestClient, TestResponse};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

async fn team_of(person: &Reader) -> Value {
    person.get("/api/teams/current").await.expect(200)["team"].clone()
}

async fn seats(person: &Reader) -> Value {
    person.get("/api/teams/seat-usage").await.expect(200)["usage"].clone()
}

async fn plan_of(person: &Reader) -> (Value, Value) {
    let current = person.get("/api/subscriptions/current").await.expect(200);
    (current["subscription"]["plan"].clone(), current["subscription"]["source"].clone())
}

async fn accept(person: &Reader, token: &str) -> TestResponse {
    person.post(&format!("/api/invitations/{token}/accept"), json!({})).await
}

#[tokio::test]
async fn a_team_comes_with_its_plan_and_gives_it_to_its_members() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    let team = team_of(&owner).await;
    assert_eq!(keys(&team), ["id", "invitations", "members", "name", "owner", "role", "subscription"]);
    assert!(team["name"].as_str().unwrap().ends_with("'s Team"));
    assert_eq!(team["subscription"], json!({"status": "active", "billingInterval": null, "plan": "shelfwise_team"}));
    assert_eq!((&team["role"], &team["owner"]["email"]), (&json!("owner"), &json!(owner.email)));
    assert_eq!(keys(&team["members"][1]), ["id", "joinedAt", "role", "user", "userId"]);
    assert_eq!(plan_of(&owner).await, (json!("shelfwise_team"), json!("operator")));
    assert_eq!(plan_of(&members[0]).await, (json!("shelfwise_team"), json!("team")));
    let current = members[0].get("/api/subscriptions/current").await.expect(200);
    assert_eq!(current["team"], json!({"memberCount": 2, "seatLimit": 10}));
    let expected = json!({"currentMembers": 2, "pendingInvitations": 0, "seatLimit": 10, "availableSeats": 8,
        "addonSeats": 0, "baseSeats": 10});
    assert_eq!(seats(&members[0]).await, expected);
    assert_eq!(seats(&server.reader().await).await, Value::Null);
}

#[tokio::test]
async fn an_unpaid_team_remains_and_revives_with_its_owners_plan() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    let token = owner.invite("later@example.org").await;
    server.set_plan(&owner, Plan::Reader).await;
    assert_eq!(plan_of(&members[0]).await, (json!("reader"), json!("none")));
    assert_eq!(team_of(&members[0]).await["subscription"]["status"], "ended");
    let refused = owner.post("/api/teams/invite", json!({"email": "new@example.org"})).await;
    assert_eq!(refused.code(409), "team_unpaid");
    assert_eq!(server.visitor().get(&format!("/api/invitations/{token}")).await.status, 200);
    let before = team_of(&owner).await["id"].clone();
    server.set_plan(&owner, Plan::ShelfwiseTeam).await;
    assert_eq!((&team_of(&owner).await["id"], plan_of(&members[0]).await.1), (&before, json!("team")));
}

#[tokio::test]
async fn an_invitation_is_for_one_address_once() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let (invited, other) = (server.reader().await, server.reader().await);
    let shouted = invited.email.to_uppercase();
    let made = owner.post("/api/teams/invite", json!({"email": format!(" {shouted} ")})).await.expect(201);
    assert_eq!(keys(&made["invitation"]), ["createdAt", "email", "expiresAt", "id", "inviteUrl"]);
    assert_eq!(made["invitation"]["email"], json!(shouted));
    let url = made["invitation"]["inviteUrl"].as_str().unwrap();
    let token = url.strip_prefix("http://127.0.0.1:8080/invite/").unwrap();
    let listed = team_of(&owner).await["invitations"][0].clone();
    assert_eq!(keys(&listed), ["createdAt", "email", "expiresAt", "id"]);
    assert_eq!(seats(&owner).await["pendingInvitations"], 1);

    let found = server.visitor().get(&format!("/api/invitations/{token}")).await.expect(200);
    assert_eq!(keys(&found["invitation"]), ["email", "expiresAt", "inviter", "team"]);
    assert!(!found.to_string().contains(&shouted));
    let wrong = accept(&other, token).await;
    assert_eq!(wrong.code(403), "other_address");
    assert!(!wrong.body.to_string().to_lowercase().contains(&invited.email), "{}", wrong.body);
    assert_eq!(owner.post("/api/teams/invite", json!({"email": owner.email})).await.code(409), "already_member");

    let joined = accept(&invited, token).await.expect(200);
    assert_eq!((&joined["team"]["role"], &joined["team"]["invitations"]), (&json!("member"), &json!([])));
    let clients: [&TestClient; 3] = [&invited, &other, &server.visitor()];
    for person in clients {
        let over = person.get(&format!("/api/invitations/{token}")).await;
        assert_eq!(over.status, 410);
        assert!(over.body["team"].is_string() && over.body["inviter"].is_string(), "{}", over.body);
    }
    assert_eq!(accept(&other, token).await.status, 410);
    let again = owner.post("/api/teams/invite", json!({"email": invited.email})).await;
    assert_eq!(again.code(409), "already_member");
}

#[tokio::test]
async fn a_renewed_invitation_ends_the_former_link_and_holds_the_same_seat() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let invited = server.reader().await;
    let first = owner.invite(&invited.email).await;
    for number in 0..8 {
        owner.invite(&format!("x{number}@example.org")).await;
    }
    assert_eq!(seats(&owner).await["availableSeats"], 0);
    let full = owner.post("/api/teams/invite", json!({"email": "more@example.org"})).await;
    assert_eq!(full.code(409), "no_seats");
    let second = owner.invite(&invited.email).await;
    assert_eq!(accept(&invited, &first).await.status, 404);
    assert_eq!(invited.post(&format!("/api/invitations/{second}/decline"), json!({})).await.status, 204);
    assert_eq!(accept(&invited, &second).await.status, 410);
    assert_eq!(seats(&owner).await["availableSeats"], 1);
}

#[tokio::test]
async fn an_expired_invitation_holds_no_seat_and_is_not_listed() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let token = owner.invite("late@example.org").await;
    server.advance(chrono::TimeDelta::days(7));
    assert_eq!(team_of(&owner).await["invitations"], json!([]));
    assert_eq!(seats(&owner).await["pendingInvitations"], 0);
    assert_eq!(server.visitor().get(&format!("/api/invitations/{token}")).await.status, 410);
    let again = owner.invite("late@example.org").await;
    assert_eq!(server.visitor().get(&format!("/api/invitations/{again}")).await.status, 200);
}

/// How many of the calls answered this.
fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|one| **one == status).count()
}

#[tokio::test]
async fn the_last_seat_goes_to_one_of_fifty_simultaneous_invitations_and_acceptances() {
    let server = TestServer::start().await;
    let (mut owner, invited) = (server.team(0).await.0, server.reader().await);
    let rounds = times("RACES", 4);
    for round in 0..rounds {
        // A team invites so many people a day: fifty rounds, and the next has its turn.
        if round % 50 == 0 {
            if round > 0 {
                owner = server.team(0).await.0;
            }
            for number in 0..8 {
                owner.invite(&format!("x{number}-{round}@example.org")).await;
            }
        }
        assert_eq!(seats(&owner).await["availableSeats"], 1);
        let mut sent = tokio::task::JoinSet::new();
        for number in 0..50 {
            let owner = owner.clone();
            let email = format!("r{round}-{number}@example.org");
            sent.spawn(async move { owner.post("/api/teams/invite", json!({"email": email})).await });
        }
        let answers = sent.join_all().await;
        let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!((count(&statuses, 201), count(&statuses, 409)), (1, 49), "{statuses:?}");
        assert_eq!(seats(&owner).await["availableSeats"], 0);
        let won = answers.iter().find(|answer| answer.status == 201).unwrap();
        let id = &won.body["invitation"]["id"];
        assert_eq!(owner.delete(&format!("/api/teams/invitations/{id}")).await.status, 204);

        let token = owner.invite(&invited.email).await;
        let mut sent = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let (invited, token) = (invited.clone(), token.clone());
            sent.spawn(async move { accept(&invited, &token).await.status });
        }
        let statuses = sent.join_all().await;
        assert_eq!((count(&statuses, 200), count(&statuses, 410)), (1, 49), "{statuses:?}");
        assert_eq!(seats(&owner).await["currentMembers"], 2);
        assert_eq!(owner.delete(&format!("/api/teams/members/{}", invited.id)).await.status, 200);
    }
    row(
        "50 invitations at once to the last seat, then 50 answers at once with its link",
        rounds,
        "one each",
        "exactly the limit",
    );
}

#[tokio::test]
async fn the_owner_sets_seats_and_never_below_those_in_use() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let added = owner.patch("/api/teams/seats", json!({"addonSeats": 2})).await.expect(200);
    assert_eq!((&added["usage"]["seatLimit"], &added["usage"]["baseSeats"]), (&json!(12), &json!(10)));
    for number in 0..10 {
        owner.invite(&format!("x{number}@example.org")).await;
    }
    assert_eq!(owner.patch("/api/teams/seats", json!({"addonSeats": 0})).await.code(409), "seats_in_use");
    assert_eq!(seats(&owner).await["addonSeats"], 2);
    owner.patch("/api/teams/seats", json!({"addonSeats": 1})).await.expect(200);
    assert_eq!(owner.patch("/api/teams/seats", json!({})).await.fields(), ["addonSeats"]);
}

#[tokio::test]
async fn a_team_handed_over_keeps_the_former_owners_plan() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    assert_eq!(owner.delete("/api/account").await.code(409), "team_has_members");
    let path = format!("/api/teams/members/{}/role", members[0].id);
    let changed = owner.patch(&path, json!({"role": "owner"})).await.expect(200);
    assert_eq!(changed["member"]["role"], "owner");
    assert_eq!(
        (&team_of(&owner).await["role"], &team_of(&members[0]).await["role"]),
        (&json!("admin"), &json!("owner"))
    );
    assert_eq!(plan_of(&members[0]).await, (json!("shelfwise_team"), json!("team")));
    assert_eq!(owner.delete("/api/account").await.status, 204);
    assert_eq!(team_of(&members[0]).await["subscription"]["status"], "ended");
    assert_eq!(members[0].delete("/api/account").await.status, 204);
    let left = server.db.read(|conn| Ok(conn.query_row("SELECT count(*) FROM teams", [], |row| row.get::<_, i64>(0))?));
    assert_eq!(left.await.unwrap(), 0);
}

#[tokio::test]
async fn somebody_in_a_team_joins_no_other_but_may_decline() {
    let server = TestServer::start().await;
    let (_, members) = server.team(1).await;
    let (other, _) = server.team(0).await;
    let token = other.invite(&members[0].email).await;
    assert_eq!(accept(&members[0], &token).await.code(409), "in_a_team");
    assert_eq!(members[0].post(&format!("/api/invitations/{token}/decline"), json!({})).await.status, 204);
    let plan = json!({"plan": "shelfwise_team"});
    let refused = server.operator().await.patch(&format!("/api/admin/users/{}", members[0].id), plan).await;
    assert_eq!(refused.code(409), "in_a_team");
    let refused = server.try_command(&["plan", "set", &members[0].email, "shelfwise_team"], "").await;
    assert!(refused.status == 1 && refused.err.contains("another person's team"), "{}", refused.err);
}

#[tokio::test]
async fn with_invite_sign_up_a_link_creates_an_account_only_for_its_address() {
    let server = TestServer::with(|config| config.signup = shelfwise::config::SignupMode::Invite).await;
    let made = server.try_command(&["user", "create", "owner@example.org", "--name", "Owner"], PASSWORD).await;
    assert_eq!(made.status, 0, "{}", made.err);
    let reader = server.visitor().log_in("owner@example.org").await;
    server.set_plan(&reader, Plan::ShelfwiseTeam).await;
    let owner = TeamOwner::of(&reader).await;
    let token = owner.invite("new@example.org").await;
    let form = |email: &str, token: Option<&str>| json!({"email": email, "password": PASSWORD, "displayName": "New", "inviteToken": token});
    let visitor = server.visitor();
    for refused in
        [form("new@example.org", None), form("new@example.org", Some("x")), form("else@example.org", Some(&token))]
    {
        assert_eq!(visitor.post("/api/auth/signup", refused).await.code(403), "signup_closed");
    }
    let answer = visitor.post("/api/auth/signup", form("New@example.org", Some(&token))).await;
    let invited = visitor.signed_up("New@example.org", answer);
    assert_eq!(team_of(&invited).await, Value::Null);
    accept(&invited, &token).await.expect(200);
}

#[tokio::test]
async fn guessing_links_is_delayed_and_using_valid_ones_is_not() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let token = owner.invite("new@example.org").await;
    let visitor = server.visitor();
    for _ in 0..70 {
        visitor.get(&format!("/api/invitations/{token}")).await.expect(200);
    }
    let mut guesses = Vec::new();
    for _ in 0..61 {
        guesses.push(visitor.get("/api/invitations/guess").await.status);
    }
    assert_eq!((guesses[59], guesses[60]), (404, 429));
}
