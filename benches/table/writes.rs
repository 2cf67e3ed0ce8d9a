//! Row 7: writes that are acknowledged only when they are on the disk.
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use shelfwise::kit::db::pool::{Db, Tx};
use shelfwise::kit::id::UserId;
use shelfwise::library::books::reads::TargetWork;
use shelfwise::library::books::store;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::library;
use crate::measure::Goal::AtLeast;
use crate::measure::{Table, millis, ms, ratio};

const LONG: Duration = Duration::from_millis(500);

/// Measures the requested rows.
pub fn rows(table: &mut Table) {
    if table.wants(7) {
        acknowledged(table);
    }
}

/// Row 7: books added per second, with one commit per book and with the program's writer.
fn acknowledged(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let reader = library::reader(&conn, 150).id;
    drop(conn);
    let sync = sync_ms(folder.path());
    let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let alone = || one_commit_a_write(folder.path(), reader);
    let many = ratio(5, || runtime.block_on(through_the_writer(&db, reader, 64)), alone);
    // 20 times if a sync is slow, 5 times if it is fast, and in proportion in between.
    let goal = 5.0 + 15.0 * ((sync - 0.3) / 0.7).clamp(0.0, 1.0);
    let what = format!("acknowledged writes of 64 writers against one commit a write (a sync takes {sync:.2} ms)");
    table.row(7, &what, many, " ×", AtLeast(goal));
    let bare = || runtime.block_on(through_a_thread(folder.path(), reader));
    let one = ratio(5, || runtime.block_on(through_the_writer(&db, reader, 1)), bare);
    let what = "acknowledged writes of one writer against a bare thread that commits each write for a task that waits";
    table.row(7, what, one, " ×", AtLeast(0.75));
    db.close();
}

/// The duration of a sync on this disk, in milliseconds.
fn sync_ms(folder: &Path) -> f64 {
    let mut file = File::create(folder.join("sync")).unwrap();
    ms(51, || {
        file.write_all(&[1; 4096]).unwrap();
        file.sync_data().unwrap();
    })
}

fn one_commit_a_write(folder: &Path, owner: UserId) -> f64 {
    let conn = library::file(folder);
    let (started, mut count) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        commit_one(&conn, owner, count);
        count += 1;
    }
    a_second(count, started)
}

fn commit_one(conn: &Connection, owner: UserId, count: i64) {
    let transaction = conn.unchecked_transaction().unwrap();
    store::insert(&Tx::new(&transaction, chrono::Utc::now()), owner, &library::book(count), TargetWork::Alone).unwrap();
    transaction.commit().unwrap();
}

/// The part of that which remains when a task hands each write to a thread and waits: the limit of a single writer.
async fn through_a_thread(folder: &Path, owner: UserId) -> f64 {
    let (queue, queued) = mpsc::channel::<oneshot::Sender<()>>();
    let conn = library::file(folder);
    let thread = std::thread::spawn(move || {
        for (count, answer) in (0..).zip(queued) {
            commit_one(&conn, owner, count);
            let _ = answer.send(());
        }
    });
    let started = Instant::now();
    let waiting = async move {
        let mut count = 0;
        while started.elapsed() < LONG {
            let (answer, answered) = oneshot::channel();
            queue.send(answer).unwrap();
            answered.await.unwrap();
            count += 1;
        }
        count
    };
    let count = tokio::spawn(waiting).await.unwrap();
    let speed = a_second(count, started);
    thread.join().unwrap();
    speed
}

async fn through_the_writer(db: &Db, owner: UserId, writers: usize) -> f64 {
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..writers {
        let db = db.clone();
        tasks.spawn(async move {
            let mut count = 0;
            while started.elapsed() < LONG {
                db.write(move |tx| store::insert(tx, owner, &library::book(count), TargetWork::Alone)).await.unwrap();
                count += 1;
            }
            count
        });
    }
    let counts = tasks.join_all().await;
    a_second(counts.into_iter().sum(), started)
}

fn a_second(count: i64, started: Instant) -> f64 {
    1000.0 * f64::from(i32::try_from(count).unwrap()) / millis(started.elapsed())
}
