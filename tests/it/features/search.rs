//! The search over a library, checked against what stands in the export.
use serde_json::{Value, json};
use shelfwise::access::Plan;
use unicode_normalization::UnicodeNormalization as _;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

/// Texts in twelve scripts, each as a quote of a book of its own.
const TEXTS: [&str; 14] = [
    "Les Misérables étaient là, déjà vu",
    "Die Straße führt durch große Wälder",
    "İstanbul'da ışık ve gölge",
    "Преступление и наказание, ёлка",
    "Η ΟΔΟΣ της Ιθάκης και ο δρόμος",
    "吾輩は猫である。名前はまだ無い。",
    "كِتَابٌ قديم في المكتبة",
    "שָׁלוֹם לעולם הגדול",
    "한국어 책을 읽는다 강물",
    "हिन्दी में किताब पढ़ना",
    "หนังสือที่ดีที่สุด",
    "道可道，非常道",
    "Սիրելի գիրք եւ լոյս",
    "წიგნი და სინათლე",
];

/// What a person takes for the same letters. Written apart from the server's rules.
fn plain(text: &str) -> String {
    let is_mark = |c: &char| matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}');
    let text: String = text.nfd().filter(|c| !is_mark(c)).nfc().collect();
    text.replace('ẞ', "ss").to_lowercase().replace('ß', "ss").replace('ı', "i").replace('ς', "σ").replace('\u{307}', "")
}

async fn hits(reader: &Reader, query: &str) -> Value {
    let path = format!("/api/search?{}", encoded(query));
    reader.get(&path).await.expect(200)
}

/// `q=` and what follows with its value encoded.
fn encoded(query: &str) -> String {
    let (typed, rest) =
        query.split_once('&').map_or((query, String::new()), |(typed, rest)| (typed, format!("&{rest}")));
    let bytes = typed.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    format!("q={bytes}{rest}")
}

#[tokio::test]
async fn a_search_finds_in_twelve_scripts_what_grep_finds_in_the_export() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (at, text) in TEXTS.iter().enumerate() {
        let book = json!({"title": format!("#{at}"), "author": "A", "status": "undated", "quotes": [text], "impressions": text});
        reader.post("/api/books", book).await.expect(201);
    }
    let export = reader.get("/api/account/export/books.csv").await.bytes;
    let rows: Vec<_> = csv::Reader::from_reader(&*export).records().map(|row| plain(&row.unwrap()[9])).collect();
    assert_eq!(rows.len(), TEXTS.len());
    let words =
        TEXTS.iter().flat_map(|text| text.split([' ', ',', '。', '，', '\''])).filter(|word| word.chars().count() > 1);
    for word in words {
        for typed in [word.to_owned(), word.to_uppercase(), plain(word)] {
            let expected = rows.iter().filter(|quotes| quotes.contains(&plain(&typed))).count();
            assert!(expected > 0, "{typed} is in the export");
            let found = hits(&reader, &format!("{typed}&in=quotes")).await;
            assert_eq!(found["matching"], expected, "{typed}: {found}");
            assert!(
                found["data"].as_array().unwrap().iter().all(|hit| hit["parts"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|part| part["hit"] == true))
            );
            assert_eq!(hits(&reader, &format!("{typed}&in=impressions")).await["matching"], expected, "{typed}");
        }
    }
    // Marks that make another letter are no accents.
    for (typed, expected) in [("はか", 0), ("がである", 0), ("猫て", 0), ("कताब", 0)] {
        assert_eq!(hits(&reader, typed).await["matching"], expected, "{typed}");
    }
}

/// A book of each script: title, author, series, tag, and the note of a passage.
const BOOKS: [[&str; 5]; 13] = [
    ["L’Éducation sentimentale", "Gustave Flaubert", "Œuvres complètes", "à relire", "déjà-vu, vraiment"],
    ["Größenwahn & Straßenbahn", "Jürgen Weiß", "Süße Bücher", "geliehen", "Maße: groß"],
    ["Çalıkuşu İSTANBUL'da", "Reşat Nuri Güntekin", "Işık", "ödünç", "çok güzel bir IRMAK"],
    ["Преступление и наказание", "Фёдор Достоевский", "Собрание", "перечитать", "ещё раз: Ёлка"],
    ["Ο Καπετάν Μιχάλης", "Νίκος Καζαντζάκης", "ΟΔΥΣΣΕΙΑ", "δανεικό", "ο δρόμος της Ιθάκης"],
    ["吾輩は猫である（上）", "夏目 漱石", "日本文学", "積読", "ガラスの仮面とカレー"],
    ["أَلْفُ لَيْلَةٍ وَلَيْلَة", "نجيب محفوظ", "ثلاثية القاهرة", "مستعار", "قَرَأْتُهُ مرتين"],
    ["שִׁירָה", "שמואל יוסף עגנון", "כל סיפוריו", "מושאל", "לקרוא שוב: נִפְלָא"],
    ["채식주의자", "한강", "노벨상 모음", "다시 읽기", "강물이 흐른다"],
    ["गोदान: एक उपन्यास", "मुंशी प्रेमचंद", "हिन्दी साहित्य", "उधार", "किताब बहुत अच्छी है"],
    ["ข้างหลังภาพ", "ศรีบูรพา", "วรรณกรรมไทย", "ยืมมา", "น้ำใจงาม"],
    ["红楼梦·上册", "曹雪芹", "四大名著", "重读", "滿紙荒唐言"],
    ["Սամվել եւ Արա", "Րաֆֆի", "ვეფხისტყაოსანი", "წიგნი", "ձմեռ"],
];

/// What titles, names, series and tags are compared by, apart from the server's rules: [`plain`] without some marks.
fn key(text: &str) -> String {
    let mut key = String::new();
    for sign in plain(&text.nfkc().collect::<String>()).chars() {
        match sign {
            '’' | '\'' | '.' | '·' => {}
            '&' => key.push_str(" and "),
            ':' | ',' | '-' | '(' | ')' | ' ' => key.push(' '),
            other => key.push(other),
        }
    }
    key.replace('œ', "oe").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a name has a query: as it stands, or from the beginning of a word on with other blanks.
fn has(name: &str, query: &str) -> bool {
    let (name, query) = (key(name), key(query));
    let joined = query.replace(' ', "");
    let starts = name.char_indices().filter(|(at, _)| *at == 0 || name[..*at].ends_with(' '));
    name.contains(&query)
        || joined.chars().count() > 2
            && starts.map(|(at, _)| name[at..].replace(' ', "")).any(|rest| rest.starts_with(&joined))
}

#[tokio::test]
async fn names_and_notes_are_found_in_twelve_scripts_by_words_prefixes_and_parts() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for [title, author, series, tag, note] in BOOKS {
        let book = json!({"title": title, "author": author, "status": "undated", "series": {"name": series}, "tags": [tag],
            "passages": [{"text": "?", "note": note}]});
        reader.post("/api/books", book).await.expect(201);
        reader
            .post("/api/tbr", json!({"title": series, "author": author, "notes": note, "tags": [tag]}))
            .await
            .expect(201);
    }
    let table = async |file: &str| {
        let export = reader.get(&format!("/api/account/export/{file}")).await.bytes;
        let mut read = csv::Reader::from_reader(&*export);
        read.deserialize::<std::collections::HashMap<String, String>>().map(Result::unwrap).collect::<Vec<_>>()
    };
    let (books, items) = (table("books.csv").await, table("tbr.csv").await);
    assert_eq!((books.len(), items.len()), (BOOKS.len(), BOOKS.len()));
    let named = |row: &std::collections::HashMap<String, String>, query: &str| {
        let names = ["Title", "Author", "Series", "Tags"].iter().filter_map(|column| row.get(*column));
        names.into_iter().any(|name| has(name, query))
    };
    let mut queries = std::collections::BTreeSet::new();
    for text in BOOKS.as_flattened() {
        queries.insert((*text).to_owned());
        queries.insert(text.to_uppercase());
        for word in text.split(' ') {
            let signs: Vec<_> = word.chars().collect();
            for length in 2..=signs.len().min(4) {
                queries.insert(signs[..length].iter().collect());
                queries.extend(signs.windows(length).step_by(2).map(|part| part.iter().collect::<String>()));
            }
            queries.extend([word.to_owned(), word.to_lowercase(), plain(word)]);
        }
    }
    queries.retain(|query| key(query).chars().count() > 1);
    assert!(queries.len() > 800, "{}", queries.len());
    let mut different = Vec::new();
    for query in queries {
        let note = |cell: &str| key(cell).contains(&key(&query));
        let notes: Vec<Value> =
            books.iter().map(|row| serde_json::from_str::<Value>(&row["Quotes"]).unwrap()).collect();
        let expected = [
            books.iter().filter(|row| named(row, &query)).count(),
            notes.iter().filter(|quotes| note(quotes[0]["note"].as_str().unwrap())).count(),
            items.iter().filter(|row| named(row, &query) || note(&row["Notes"])).count(),
        ];
        let mut found = [0, 0, 0];
        for (place, found) in ["books", "notes", "tbr"].iter().zip(&mut found) {
            let typed = query.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
            let answer = reader.get(&format!("/api/search?q={typed}&in={place}")).await.expect(200);
            *found = answer["matching"].as_u64().unwrap() as usize;
        }
        if found != expected {
            different.push(format!("{query}: {found:?}, not {expected:?}"));
        }
    }
    assert!(different.is_empty(), "books, notes and items: {different:#?}");
}

#[tokio::test]
async fn a_search_looks_everywhere_and_says_where() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let dune = json!({"title": "Dune", "author": "Frank Herbert", "status": "in-progress", "series": {"name": "Sand Worlds"},
        "tags": ["sandy"], "impressions": "All that sand.",
        "passages": [{"text": "A sandworm!", "place": "p. 9", "day": "2026-01-02"}, {"text": "Spice", "note": "like sand"}]});
    let id = reader.post("/api/books", dune).await.expect(201)["book"]["id"].clone();
    let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
    reader.put(&format!("/api/books/{id}/days/{today}"), json!({"percent": 5, "note": "Sand again"})).await.expect(200);
    reader.post("/api/tbr", json!({"title": "Beach", "notes": "with sand"})).await.expect(201);
    reader.post("/api/tbr", json!({"title": "Sandcastles"})).await.expect(201);
    other.post("/api/tbr", json!({"title": "Sandcastles"})).await.expect(201);

    let found = hits(&reader, "sand").await;
    let kinds: Vec<_> = found["data"].as_array().unwrap().iter().map(|hit| hit["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["book", "tbr", "tbr", "quote", "note", "note", "impression"]);
    assert_eq!((&found["matching"], &found["nextCursor"]), (&json!(7), &json!(null)));
    let data = &found["data"];
    assert_eq!(data[0]["book"], json!({"id": id, "work": id, "title": "Dune", "author": "Frank Herbert"}));
    assert_eq!(data[0]["parts"], json!([{"text": "Sand", "hit": true}, {"text": " Worlds", "hit": false}]));
    assert_eq!((&data[1]["item"]["title"], &data[1]["book"]), (&json!("Beach"), &json!(null)));
    assert_eq!((&data[3]["place"], &data[3]["day"]), (&json!("p. 9"), &json!("2026-01-02")));
    assert_eq!((&data[5]["day"], &data[4]["day"]), (&json!(today), &json!(null)));
    assert_eq!(hits(&reader, "sand&in=tbr,notes").await["matching"], 4);
    // Without blanks in titles, names, series and tags alone.
    assert_eq!(hits(&reader, "sandworlds").await["matching"], 1);
    assert_eq!(hits(&reader, "frankherb").await["data"][0]["parts"][0], json!({"text": "Frank Herb", "hit": true}));
    assert_eq!(hits(&reader, "allthat").await["matching"], 0);
    assert_eq!(hits(&other, "sand").await["matching"], 1);

    for (query, field, sentence) in [
        ("q=a", "q", "Type at least two letters."),
        ("q=%3F%21%20a", "q", "Type at least two letters."),
        ("", "q", "Type at least two letters."),
        ("q=ab&in=all", "in", "This must be books, quotes, impressions, notes or tbr."),
        ("q=ab&cursor=x", "cursor", "The cursor must be the nextCursor of the previous page."),
    ] {
        let refused = reader.get(&format!("/api/search?{query}")).await;
        refused.code(422);
        assert_eq!(refused.body["fields"][field], sentence);
    }
}

#[tokio::test]
async fn a_free_reader_finds_what_the_plan_shows_and_pages_end_after_500_hits() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let quotes: Vec<_> = (0..180).map(|at| format!("Needle {at}")).collect();
    for (title, day) in [("Old", "1999-01-02"), ("New", "2026-01-02")] {
        let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
        let day = if title == "New" { today } else { day.to_owned() };
        reader
            .post("/api/books", json!({"title": title, "author": "Needle", "dateCompleted": day, "quotes": quotes}))
            .await
            .expect(201);
    }
    assert_eq!(hits(&reader, "needle").await["matching"], 181);
    assert_eq!(reader.get("/api/quotes").await.expect(200)["matching"], 180);
    server.set_plan(&reader, Plan::ShelfwisePlus).await;
    for title in ["Third", "Fourth"] {
        reader
            .post("/api/books", json!({"title": title, "author": "B", "status": "undated", "quotes": quotes}))
            .await
            .expect(201);
    }
    let (mut seen, mut cursor) = (0, String::new());
    loop {
        let page = hits(&reader, &format!("needle{cursor}")).await;
        assert_eq!(page["matching"], 722);
        seen += page["data"].as_array().unwrap().len();
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, 500);
}
