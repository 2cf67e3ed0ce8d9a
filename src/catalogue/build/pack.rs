//! The short form in which records wait on the disk between the steps of a build.
use std::borrow::Cow;

/// Adds a number.
pub fn put_u32(to: &mut Vec<u8>, number: u32) {
    to.extend_from_slice(&number.to_le_bytes());
}

/// Adds a long number.
pub fn put_u64(to: &mut Vec<u8>, number: u64) {
    to.extend_from_slice(&number.to_le_bytes());
}

/// Adds a text, at most 65,535 bytes of it.
pub fn put_text(to: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(usize::from(u16::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    to.extend_from_slice(&u16::try_from(end).unwrap_or(0).to_le_bytes());
    to.extend_from_slice(&text.as_bytes()[..end]);
}

/// Adds a list of numbers, at most 255 of them.
pub fn put_list(to: &mut Vec<u8>, numbers: &[u32]) {
    let numbers = &numbers[..numbers.len().min(usize::from(u8::MAX))];
    to.push(u8::try_from(numbers.len()).unwrap_or(0));
    numbers.iter().for_each(|number| put_u32(to, *number));
}

/// Reads back what was put, in the same order. `None` at a record that is too short.
pub struct Packed<'a>(pub &'a [u8]);

impl<'a> Packed<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// A number.
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// A long number.
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// A text.
    pub fn text(&mut self) -> Option<Cow<'a, str>> {
        let length = usize::from(u16::from_le_bytes(self.take()?));
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        // Every text was one when it was put.
        std::str::from_utf8(text).ok().map(Cow::Borrowed)
    }

    /// A list of numbers.
    pub fn list(&mut self) -> Option<Vec<u32>> {
        let length = self.byte()?;
        (0..length).map(|_| self.u32()).collect()
    }
}

/// An edition as it waits.
#[derive(Debug, Default, PartialEq)]
pub struct PackedEdition<'a> {
    /// The number of its work; 0 for none.
    pub work: u32,
    /// How much it says, 0 to 255: the best editions of a work come first.
    pub quality: u8,
    /// 1 print, 2 eBook, 3 audio, 0 unknown.
    pub format: u8,
    /// 0 for none, as the following numbers.
    pub pages: u32,
    /// The year in which it appeared.
    pub year: u32,
    /// The number of its cover.
    pub cover: u32,
    /// Its ISBNs as numbers of 13 digits.
    pub isbns: Vec<u64>,
    /// Its authors, for an edition whose work has none.
    pub authors: Vec<u32>,
    /// Its title.
    pub title: Cow<'a, str>,
    /// Its subtitle, or nothing, as the following texts.
    pub subtitle: Cow<'a, str>,
    /// A tag of BCP 47.
    pub language: Cow<'a, str>,
    /// Its first publisher.
    pub publisher: Cow<'a, str>,
}

impl<'a> PackedEdition<'a> {
    /// Adds the edition behind what is there.
    pub fn put(&self, to: &mut Vec<u8>) {
        put_u32(to, self.work);
        to.extend_from_slice(&[self.quality, self.format]);
        [self.pages, self.year, self.cover].iter().for_each(|number| put_u32(to, *number));
        to.push(u8::try_from(self.isbns.len()).unwrap_or(0));
        self.isbns.iter().take(usize::from(u8::MAX)).for_each(|isbn| put_u64(to, *isbn));
        put_list(to, &self.authors);
        [&self.title, &self.subtitle, &self.language, &self.publisher].iter().for_each(|text| put_text(to, text));
    }

    /// Reads an edition.
    pub fn take(from: &'a [u8]) -> Option<Self> {
        let mut from = Packed(from);
        Some(Self {
            work: from.u32()?,
            quality: from.byte()?,
            format: from.byte()?,
            pages: from.u32()?,
            year: from.u32()?,
            cover: from.u32()?,
            isbns: {
                let length = from.byte()?;
                (0..length).map(|_| from.u64()).collect::<Option<_>>()?
            },
            authors: from.list()?,
            title: from.text()?,
            subtitle: from.text()?,
            language: from.text()?,
            publisher: from.text()?,
        })
    }
}

/// A work as it waits.
#[derive(Debug, Default, PartialEq)]
pub struct PackedWork<'a> {
    /// Its number.
    pub id: u32,
    /// The year in which it first appeared; 0 for none.
    pub year: u32,
    /// The number of its cover; 0 for none.
    pub cover: u32,
    /// A bit for each genre.
    pub genres: u32,
    /// The numbers of its authors.
    pub authors: Vec<u32>,
    /// Its title.
    pub title: Cow<'a, str>,
    /// Its subtitle, or nothing.
    pub subtitle: Cow<'a, str>,
}

impl<'a> PackedWork<'a> {
    /// Adds the work behind what is there.
    pub fn put(&self, to: &mut Vec<u8>) {
        [self.id, self.year, self.cover, self.genres].iter().for_each(|number| put_u32(to, *number));
        put_list(to, &self.authors);
        [&self.title, &self.subtitle].iter().for_each(|text| put_text(to, text));
    }

    /// Reads a work.
    pub fn take(from: &'a [u8]) -> Option<Self> {
        let mut from = Packed(from);
        Some(Self {
            id: from.u32()?,
            year: from.u32()?,
            cover: from.u32()?,
            genres: from.u32()?,
            authors: from.list()?,
            title: from.text()?,
            subtitle: from.text()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were_put_and_short_ones_do_not() {
        let edition = PackedEdition {
            work: 7,
            quality: 9,
            isbns: vec![9_780_441_013_593],
            authors: vec![1, 2],
            title: "D\u{fc}ne".into(),
            ..Default::default()
        };
        let mut bytes = Vec::new();
        edition.put(&mut bytes);
        assert_eq!(PackedEdition::take(&bytes), Some(edition));
        assert_eq!(PackedEdition::take(&bytes[..bytes.len() - 1]), None);
        let work = PackedWork { id: 1, genres: 3, title: "x".repeat(70_000).into(), ..Default::default() };
        let mut bytes = Vec::new();
        work.put(&mut bytes);
        assert_eq!(PackedWork::take(&bytes).unwrap().title.len(), 65_535);
    }
}
