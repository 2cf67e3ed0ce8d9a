//! Filters of the dashboard that are kept under names.
use serde_json::json;

use crate::support::harness::TestServer;

#[tokio::test]
async fn a_filter_is_kept_under_a_name_which_is_there_once() {
    let server = TestServer::start().await;
    let (reader, other) = (server.reader().await, server.reader().await);
    let long = json!({"name": " Long ones ", "query": "minWords=100000&genres=Sci-Fi"});
    let made = reader.post("/api/views", long).await.expect(201)["view"].clone();
    assert_eq!(made, json!({"name": "Long ones", "query": "minWords=100000&genres=Sci-Fi", "position": null}));
    let twice = reader.post("/api/views", json!({"name": "LONG ones", "query": ""})).await;
    assert_eq!((twice.code(409), &twice.body["error"]), ("view_exists", &json!("You have a view of that name.")));
    other.post("/api/views", json!({"name": "Long ones", "query": ""})).await.expect(201);

    reader.post("/api/views", json!({"name": "A", "query": "", "position": 2})).await.expect(201);
    let pinned = reader.patch("/api/views/long%20ones", json!({"position": 1})).await.expect(200);
    assert_eq!(pinned["view"]["position"], 1);
    let names = async || {
        let list = reader.get("/api/views").await.expect(200);
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|view| view["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["Long ones", "A"]);
    reader.patch("/api/views/A", json!({"name": "long Ones"})).await.code(409);
    reader.patch("/api/views/A", json!({"name": "a", "position": null})).await.expect(200);
    assert_eq!(names().await, ["Long ones", "a"]);
    reader.patch("/api/views/Nothing", json!({})).await.code(404);
    for (sent, field, sentence) in [
        (json!({"query": ""}), "name", "The name is required."),
        (json!({"name": "N"}), "query", "The filter is required."),
        (json!({"name": "N", "query": 1}), "query", "The filter must be a text."),
        (json!({"name": "N", "query": "x".repeat(201)}), "query", "The filter can have at most 200 characters."),
        (json!({"name": "N", "query": "", "position": "1"}), "position", "The position must be a whole number."),
    ] {
        let refused = reader.post("/api/views", sent).await;
        refused.code(422);
        assert_eq!(refused.body["fields"][field], sentence);
    }

    reader.delete("/api/views/A").await.expect(204);
    reader.delete("/api/views/A").await.code(404);
    for at in 0..49 {
        reader.post("/api/views", json!({"name": at.to_string(), "query": ""})).await.expect(201);
    }
    assert_eq!(reader.post("/api/views", json!({"name": "51", "query": ""})).await.code(409), "too_many_views");

    reader.delete("/api/account/data").await.expect(204);
    assert_eq!(names().await, [""; 0]);
    assert_eq!(other.get("/api/views").await.expect(200)["data"].as_array().unwrap().len(), 1);
}
