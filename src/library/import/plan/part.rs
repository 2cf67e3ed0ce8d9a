//! Plans the rows of a part of a file, or both halves of a large one at the same time.
use std::cell::Cell;
use std::thread;

use super::problems::MOST_FURTHER;
use super::{Kind, Options, Plan, PlanBuilder};
use crate::library::import::inspect::Inspection;
use crate::library::import::reader::{Part, RowStart, Sheet};

/// The plan of a part, with what is needed beside it until the whole file is planned.
pub(super) struct PlannedPart {
    pub plan: Plan,
    /// The place of each item in the tracker's own order.
    pub positions: Vec<Option<u32>>,
    /// The readings besides the first of each row.
    further: usize,
}

impl PlannedPart {
    /// Plans the rows of one part.
    pub fn read(sheet: &Sheet<'_>, part: Part, inspect: &Inspection, options: &Options) -> Self {
        let columns_read = vec![Cell::new(false); inspect.header.names.len()];
        let mut making = PlanBuilder::new(inspect, options, &columns_read);
        let mut header = part.is_first() && !inspect.headerless;
        if making.plan.mapped {
            // Room for the whole file, so that neither these lists nor both halves together are copied while they grow.
            making.plan.rows.reserve(inspect.rows);
            match options.kind {
                Kind::Books => making.plan.books.reserve(inspect.rows),
                Kind::Tbr => making.plan.items.reserve(inspect.rows),
            }
            sheet.rows_of(part, |row| {
                if !std::mem::take(&mut header) {
                    making.take(row);
                }
                true
            });
        }
        let PlanBuilder { mut plan, positions, further, .. } = making;
        plan.columns_read = columns_read.iter().map(Cell::get).collect();
        PlannedPart { plan, positions, further }
    }

    /// Plans both halves of a file, of which the second begins at `row`, at the same time. `None` if the file may have too many further
    /// reads: which of them have room depends on all rows before them. Also `None` if the system has no thread.
    pub fn in_halves(sheet: &Sheet<'_>, row: RowStart, inspect: &Inspection, options: &Options) -> Option<Self> {
        let [first, second] = sheet.parts_at(row);
        let (mut first, second) = thread::scope(|scope| {
            let second = thread::Builder::new()
                .name("import".to_owned())
                .spawn_scoped(scope, || Self::read(sheet, second, inspect, options))
                .ok()?;
            let first = Self::read(sheet, first, inspect, options);
            Some((first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
        })?;
        if first.further + second.further > MOST_FURTHER {
            return None;
        }
        first.append(second);
        Some(first)
    }

    /// Adds the plan of the rows that follow. What was found out about the whole file is the same in both.
    fn append(&mut self, second: PlannedPart) {
        let plan = &mut self.plan;
        let (rows, mut more) = (plan.rows.len(), second.plan);
        more.books.iter_mut().for_each(|book| book.row += rows);
        more.items.iter_mut().for_each(|item| item.row += rows);
        more.notes.iter_mut().for_each(|note| note.row += rows);
        plan.rows.append(&mut more.rows);
        plan.books.append(&mut more.books);
        plan.items.append(&mut more.items);
        plan.left_out.append(&mut more.left_out);
        plan.rejected.append(&mut more.rejected);
        plan.rejected_books.append(&mut more.rejected_books);
        plan.notes.append(&mut more.notes);
        plan.columns_read.iter_mut().zip(more.columns_read).for_each(|(is_read, more)| *is_read |= more);
        plan.earlier_reads += more.earlier_reads;
        plan.titled.extend(more.titled.into_iter().map(|row| row + rows));
        plan.other_shelves.append(&mut more.other_shelves);
        plan.waiting.extend(more.waiting.into_iter().map(|(row, draft)| (row + rows, draft)));
        self.positions.extend(second.positions);
        self.further += second.further;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::import::plan::plan;

    /// Everything in a plan, in one order.
    fn shown(part: PlannedPart) -> String {
        let PlannedPart { plan: Plan { titled, waiting, .. }, .. } = &part;
        let (mut titled, mut waiting): (Vec<_>, Vec<_>) = (titled.iter().collect(), waiting.iter().collect());
        titled.sort();
        waiting.sort_by_key(|(row, _)| *row);
        let sets = format!("{titled:?} {waiting:?} {:?} {}", part.positions, part.further);
        let plan = Plan { titled: Default::default(), waiting: Default::default(), ..part.plan };
        format!("{plan:#?}\n{sets}")
    }

    /// Both halves and the whole of a file.
    fn both(text: &str, options: &Options) -> (Option<PlannedPart>, PlannedPart) {
        let sheet = Sheet::open(text.as_bytes()).unwrap();
        let inspect = Inspection::of(&sheet, &options.columns, options.date_order).unwrap();
        let row = inspect.middle.expect("a large file has a row in its middle");
        let halves = PlannedPart::in_halves(&sheet, row, &inspect, options);
        (halves, PlannedPart::read(&sheet, sheet.whole(), &inspect, options))
    }

    /// Rows of every kind: books and items, with series, shelves, cells that can't be read, lines in cells, and header lines between.
    fn file(rows: usize, end: &str) -> String {
        let header = "Book Id,Title,Author,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,My Review,Read Count,Author";
        let mut text = header.to_owned() + end;
        for number in 0..rows {
            let row = match number % 11 {
                0 => format!("{number},\"Part {number} (Saga, #{number})\",A,4,9,2020/01/02,,read,,1,"),
                1 => format!("{number},Later {number},B,0,,,\"to-read, owned\",to-read,,0,"),
                2 => format!("{number},Unrated {number},C,many,x,2020/02/03,drama,read,\"Two{end}lines\",2,"),
                3 => format!("{number},,D,4,9,2020/01/02,,read,,1,"),
                4 => format!("{number},Custom {number},E,4,9,2020/01/02,my-shelf,my-shelf,,1,"),
                5 => header.to_owned(),
                6 => String::new(),
                7 => format!("{number},Undated {number},F,3,100,never,sci-fi,read,,3,"),
                8 => format!("{number},Now {number},G,0,,2020/05/06,,currently-reading,,1,"),
                9 => format!("{number},Wide {number},H,3,100,2020/07/08,,read,,1,,,,beyond"),
                _ => format!("{number},Short {number},I,3"),
            };
            text += &(row + end);
        }
        text
    }

    #[test]
    fn both_halves_of_a_file_make_the_plan_of_the_whole() {
        for end in ["\n", "\r\n", "\r"] {
            for (earlier_reads, waiting_books) in [(false, true), (true, false)] {
                let options = Options { earlier_reads, waiting_books, ..Options::default() };
                let (halves, whole) = both(&file(3_000, end), &options);
                let kinds = [whole.plan.books.len(), whole.plan.items.len(), whole.plan.rejected.len()];
                assert!(
                    kinds.iter().chain([&whole.plan.notes.len(), &whole.plan.left_out.len()]).all(|made| *made > 200)
                );
                assert!(shown(halves.unwrap()) == shown(whole), "{end:?} {options:?}");
            }
        }
    }

    #[test]
    fn further_reads_are_counted_through_the_whole_file() {
        let reads: Vec<String> = (0..81).map(|day| format!("20{:02}/01/{:02}", day % 20, day / 20 + 1)).collect();
        let row = |number| format!("Book {number},A,read,\"{}\"\n", reads.join(", "));
        let file =
            |rows| (0..rows).fold("Title,Authors,Read Status,Dates Read\n".to_owned(), |text, at| text + &row(at));
        let reads = (reads.len() - 1) * 250;
        assert_eq!(reads, MOST_FURTHER);
        assert!(both(&file(250), &Options::default()).0.is_some());
        assert!(both(&file(251), &Options::default()).0.is_none());
        let plan = plan(file(253).as_bytes(), &Options::default()).unwrap();
        assert_eq!(plan.rejected.iter().map(|row| row.line).collect::<Vec<_>>(), [252, 253, 254]);
    }

    #[test]
    fn a_file_with_a_misplaced_quote_and_a_small_one_are_read_in_one() {
        let middle = |text: &str| {
            let sheet = Sheet::open(text.as_bytes()).unwrap();
            Inspection::of(&sheet, &Options::default().columns, None).unwrap().middle
        };
        let text = file(3_000, "\n");
        assert!(middle(&text).is_some() && middle(&file(30, "\n")).is_none());
        assert_eq!(middle(&(text + "1,\"Open,A,3\n")), None);
    }
}
