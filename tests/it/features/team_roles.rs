//! The permissions of roles in a team, which always has exactly one owner.
use proptest::prelude::*;
use proptest::sample::Index;
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Role;
use shelfwise::account::{self, model::NewAccount};
use shelfwise::kit::db::pool::{Tx, open_writer};
use shelfwise::kit::id::UserId;
use shelfwise::teams::model::{Membership, TeamId, TeamRole, may_change_role, may_remove};
use shelfwise::teams::store;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

/// Which statuses a call answers to a member, an admin, the owner, and the owner of another team.
#[tokio::test]
async fn every_call_answers_each_role_as_the_access_matrix_says() {
    let server = TestServer::start().await;
    let (owner, people) = server.team(5).await;
    let [admin, other_admin, member, target, spare] = people.try_into().unwrap_or_else(|_| unreachable!());
    let (admin, other_admin) = (owner.promote(&admin).await, owner.promote(&other_admin).await);
    let (stranger, _) = server.team(0).await;
    owner.invite("pending@example.org").await;
    let pending = owner.get("/api/teams/current").await.expect(200)["team"]["invitations"][0]["id"].clone();
    let on = |id: i64| format!("/api/teams/members/{id}");
    let role = |id: i64| format!("/api/teams/members/{id}/role");
    let mut wrong = Vec::new();
    // The owner last: what they remove is there for the others' attempts.
    for (method, path, body, [at_member, at_admin, at_owner, at_stranger]) in [
        ("GET", "/api/teams/current".to_owned(), Value::Null, [200, 200, 200, 200]),
        ("GET", "/api/teams/seat-usage".to_owned(), Value::Null, [200, 200, 200, 200]),
        ("POST", "/api/subscriptions/cancel".to_owned(), json!({}), [403, 403, 0, 0]),
        ("PATCH", "/api/teams/current".to_owned(), json!({"name": "Ours"}), [403, 200, 200, 200]),
        ("PATCH", "/api/teams/current".to_owned(), json!({"name": " "}), [403, 422, 422, 422]),
        ("PATCH", "/api/teams/seats".to_owned(), json!({"addonSeats": 5}), [403, 403, 200, 200]),
        ("PATCH", "/api/teams/seats".to_owned(), json!({"addonSeats": -1}), [403, 403, 422, 422]),
        ("PATCH", "/api/teams/seats".to_owned(), json!({"addonSeats": "many"}), [403, 403, 422, 422]),
        ("POST", "/api/teams/invite".to_owned(), json!({"email": "new@example.org"}), [403, 201, 201, 201]),
        ("POST", "/api/teams/invite".to_owned(), json!({"email": "nobody"}), [403, 422, 422, 422]),
        ("POST", "/api/teams/invite".to_owned(), json!({"email": 5}), [403, 422, 422, 422]),
        ("DELETE", on(owner.id), Value::Null, [403, 403, 409, 404]),
        ("DELETE", on(other_admin.id), Value::Null, [403, 403, 200, 404]),
        ("PATCH", role(owner.id), json!({"role": "member"}), [403, 403, 409, 404]),
        ("PATCH", role(target.id), json!({"role": "boss"}), [403, 403, 422, 404]),
        ("PATCH", role(target.id), json!({"role": null}), [403, 403, 422, 404]),
        ("PATCH", role(target.id), json!({"role": "owner"}), [403, 403, 0, 404]),
        ("PATCH", role(target.id), json!({"role": "member"}), [403, 403, 200, 404]),
        ("DELETE", on(target.id), Value::Null, [403, 200, 404, 404]),
        ("DELETE", on(spare.id), Value::Null, [403, 0, 200, 404]),
        ("DELETE", format!("/api/teams/invitations/{pending}"), Value::Null, [403, 0, 204, 404]),
        ("DELETE", format!("/api/teams/invitations/{pending}"), Value::Null, [404, 404, 404, 404]),
    ] {
        let people: [(&str, &Reader, u16); 4] = [
            ("stranger", &stranger, at_stranger),
            ("member", &member, at_member),
            ("admin", &admin, at_admin),
            ("owner", &owner, at_owner),
        ];
        for (who, person, status) in people {
            if status == 0 {
                continue;
            }
            let request = person.request(method.parse::<Method>().unwrap(), &path);
            let request = if body.is_null() { request } else { request.json(&body) };
            let answer = person.send(request).await;
            if answer.status != status {
                wrong.push(format!("{method} {path} {body} as {who}: {} instead of {status}", answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(member.delete(&on(member.id)).await.expect(200), json!({"message": "You have left the team."}));
    assert_eq!(admin.delete(&on(admin.id)).await.status, 200);
    assert_eq!(member.get("/api/teams/current").await.expect(200), json!({"team": null}));
}

/// What somebody of the team tries on somebody else, or themselves.
#[derive(Debug, Clone)]
enum Step {
    Role(Index, Index, TeamRole),
    Remove(Index, Index),
    Join(Index),
    Farewell(Index),
}

fn step() -> impl Strategy<Value = Step> {
    let role = prop_oneof![Just(TeamRole::Owner), Just(TeamRole::Admin), Just(TeamRole::Member)];
    prop_oneof![
        4 => (any::<Index>(), any::<Index>(), role).prop_map(|(actor, target, role)| Step::Role(actor, target, role)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(actor, target)| Step::Remove(actor, target)),
        2 => any::<Index>().prop_map(Step::Join),
        1 => any::<Index>().prop_map(Step::Farewell),
    ]
}

const PEOPLE: usize = 5;

fn people(tx: &Tx<'_>) -> Vec<UserId> {
    (0..PEOPLE)
        .map(|number| {
            let email = format!("p{number}@example.org");
            let account = NewAccount::checked(&email, "P", PASSWORD.to_owned(), None, Role::User, "").unwrap();
            account::store::create(tx, &account, None).unwrap().id
        })
        .collect()
}

/// Does what the calls do, as far as the rules let it.
fn take(tx: &Tx<'_>, people: &[UserId], team_id: TeamId, step: &Step) {
    let place = |index: &Index| store::membership(tx, people[index.index(PEOPLE)]).unwrap();
    match step {
        Step::Role(actor, target, role) => {
            if let (Some(actor), Some(target)) = (place(actor), place(target))
                && may_change_role(&actor, &target).is_ok()
            {
                store::set_role(tx, &target, *role).unwrap();
            }
        }
        Step::Remove(actor, target) => {
            if let (Some(actor), Some(target)) = (place(actor), place(target))
                && may_remove(&actor, &target).is_ok()
            {
                store::remove(tx, &target).unwrap();
            }
        }
        Step::Join(who) => {
            let new = Membership { team_id, user_id: people[who.index(PEOPLE)], role: TeamRole::Member };
            let was_in = place(who).is_some();
            assert_eq!(store::join(tx, &new).is_err(), was_in);
        }
        Step::Farewell(who) => {
            let place = place(who);
            let alone = store::members(tx, team_id).unwrap().len() == 1;
            let owns = place.is_some_and(|own| own.role == TeamRole::Owner);
            if owns && !alone {
                assert!(store::delete_team_data(tx, people[who.index(PEOPLE)]).is_err());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn role_changes_leave_a_team_with_exactly_one_owner(steps in proptest::collection::vec(step(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("shelfwise.db")).unwrap();
        let tx = Tx::new(&conn, "2026-01-02T03:04:05Z".parse().unwrap());
        let people = people(&tx);
        store::subscribe(&tx, people[0], None).unwrap();
        let team_id = store::member_of(&tx, people[0]).unwrap().team_id;
        for step in &steps {
            take(&tx, &people, team_id, step);
            let owners = store::members(&tx, team_id).unwrap().iter().filter(|one| one.role == TeamRole::Owner).count();
            prop_assert_eq!(owners, 1, "after {:?}", step);
        }
    }
}

/// The next of a run of numbers that are as good as random, and the same each time.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap_or_default()
}

#[tokio::test]
async fn a_thousand_simultaneous_role_changes_leave_a_team_with_one_owner() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(5).await;
    let mut people: Vec<Reader> = members.iter().map(|member| (**member).clone()).collect();
    people.push((*owner).clone());
    let ids: Vec<i64> = people.iter().map(|one| one.id).collect();
    let (mut seed, mut changed, mut owners) = (20_260_102, 0, std::collections::HashSet::new());
    for _ in 0..50 {
        let mut sent = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let actor = people[next(&mut seed) % people.len()].clone();
            let target = ids[next(&mut seed) % ids.len()];
            let role = TeamRole::ALL[next(&mut seed) % TeamRole::ALL.len()].name();
            let path = format!("/api/teams/members/{target}/role");
            sent.spawn(async move { actor.patch(&path, json!({"role": role})).await.status });
        }
        for status in sent.join_all().await {
            assert!([200, 403, 409].contains(&status), "{status}");
            changed += usize::from(status == 200);
        }
        let found = server.db.read(|conn| {
            let mut query = conn.prepare("SELECT user_id FROM members WHERE role = 'owner'")?;
            Ok(query.query_map([], |row| row.get::<_, i64>(0))?.collect::<rusqlite::Result<Vec<_>>>()?)
        });
        let [owner] = found.await.unwrap()[..] else { panic!("not exactly one owner") };
        owners.insert(owner);
    }
    assert!(changed >= 50 && owners.len() > 2, "{changed} changes, {} owners", owners.len());
}
