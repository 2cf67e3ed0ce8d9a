//! Exports rows that made nothing as a CSV file that can be corrected and imported again.
use csv::{ReaderBuilder, StringRecord, Writer};

use super::formats::named;
use super::formats::own::{ADDED, own_width};
use super::values;
use crate::kit::error::{Error, Result};
use crate::library::import::escaping::{escaped, restored};
use crate::library::import::history::model::StoredRows;

/// The file's own columns, followed by the line and the reason of each row.
pub fn csv(file: &StoredRows) -> Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let width = own_width(&file.header);
    let returned = width < file.header.len();
    let names = file.header.iter().take(width).cloned().chain(ADDED.map(str::to_owned));
    write(&mut writer, names)?;
    let format = named(&file.format);
    let ours = returned || format.escaped;
    for row in &file.rows {
        let cells = cells(&row.raw, file.delimiter, format.quotes);
        let line = row.line.to_string();
        let own = columns(&cells, width, file.header.len())
            .into_iter()
            .map(|cell| if ours { restored(&cell).into_owned() } else { cell });
        write(&mut writer, own.chain([line, row.reason.clone()]))?;
    }
    writer.into_inner().map_err(|cause| Error::internal(cause.to_string()))
}

fn write(writer: &mut Writer<Vec<u8>>, cells: impl Iterator<Item = String>) -> Result<()> {
    writer
        .write_record(cells.map(|cell| escaped(&cell).into_owned()))
        .map_err(|cause| Error::internal(cause.to_string()))
}

/// One cell for each of the file's own columns. Additional cells are joined into the last, so that nothing is lost.
fn columns(cells: &StringRecord, width: usize, whole: usize) -> Vec<String> {
    let cell = |at| values::unwrapped(cells.get(at).unwrap_or_default()).to_owned();
    let mut columns: Vec<String> = (0..width).map(cell).collect();
    if let Some(last) = columns.last_mut() {
        for more in cells.iter().skip(whole) {
            last.push(',');
            last.push_str(more);
        }
    }
    columns
}

/// The cells of a stored row, separated as when the file was read.
fn cells(raw: &str, delimiter: u8, quotes: bool) -> StringRecord {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .quoting(quotes)
        .from_reader(raw.as_bytes());
    let mut record = StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(true) => record,
        _ => StringRecord::from(vec![raw]),
    }
}
