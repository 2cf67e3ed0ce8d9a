//! Folded titles of earlier versions, which had no limit.
use shelfwise::kit::db::pool::Db;
use shelfwise::library::text::fold;

use crate::support::schema;

#[tokio::test]
async fn an_upgrade_cuts_long_folded_titles_as_the_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shelfwise.db");
    schema::earlier(&path, 15, 3);
    // One character that folds to eighteen, one of three bytes that does not end at the limit, and one of exactly the limit.
    let titles = ["\u{fdfa}".repeat(200), format!("x{}", "漢".repeat(499)), "a".repeat(500)];
    let stored = ["صلى الله عليه وسلم".repeat(200), format!("x{}", "漢".repeat(1_999)), "a".repeat(4_000)];
    let conn = rusqlite::Connection::open(&path).unwrap();
    for (number, (title, key)) in (1..).zip(titles.iter().zip(&stored)) {
        let sql = "UPDATE books SET title = ?2, title_key = ?3, author_key = ?3 WHERE id = 1 << 24 | ?1";
        conn.execute(sql, (number, title, key)).unwrap();
    }
    conn.close().unwrap();
    let db = Db::open(&path).unwrap();
    let kept = db
        .read(|conn| {
            let mut query = conn.prepare("SELECT title_key, author_key FROM books ORDER BY id")?;
            let rows = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
        })
        .await
        .unwrap();
    assert_eq!(kept[0].0, fold(&titles[0]), "a second import finds the book");
    assert_eq!(kept[1].0, format!("x{}", "漢".repeat(1_333)));
    assert_eq!(kept[2].0, stored[2]);
    for ((title, author), stored) in kept.iter().zip(&stored) {
        assert!(title.len() <= 4_000 && title == author && stored.starts_with(title));
    }
    db.close();
}
