//! The kinds and limits of covers, and why a file is not accepted.
use crate::kit::id::id;
use crate::kit::named::named;

id! {
    /// The number of a cover. It contains the owner's number, see [`owned`](crate::kit::db::pool::owned).
    CoverId
}

/// The largest cover, in bytes.
pub const MOST_BYTES: usize = 200 * 1024;
/// The widest cover, in pixels.
pub const MOST_WIDTH: u32 = 1000;
/// The highest cover, in pixels.
pub const MOST_HEIGHT: u32 = 1500;

named! {
    /// The kind of a picture.
    Kind {
        /// JPEG.
        Jpeg = "jpeg",
        /// PNG.
        Png = "png",
        /// WebP.
        Webp = "webp",
    }
}

impl Kind {
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }

    /// The end of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }
}

named! {
    /// Where a cover comes from.
    #[derive(Default)]
    CoverSource {
        /// A file that the reader chose.
        #[default]
        Upload = "upload",
        /// The reader's EPUB.
        Epub = "epub",
        /// A look-up.
        Lookup = "lookup",
    }
}

/// Why a file is not accepted as a cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It is not a JPEG, PNG or WebP file, or is damaged.
    NotAPicture,
    /// It has more than [`MOST_BYTES`].
    TooManyBytes,
    /// It is wider than [`MOST_WIDTH`] or higher than [`MOST_HEIGHT`].
    TooManyPixels,
}

/// The size of a picture within the limits, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// 1 to [`MOST_WIDTH`].
    pub width: u32,
    /// 1 to [`MOST_HEIGHT`].
    pub height: u32,
}

impl Size {
    /// A size that stands in a file.
    ///
    /// # Errors
    /// [`Unfit::TooManyPixels`] beyond the limits, [`Unfit::NotAPicture`] for a side of 0.
    pub fn of(width: u32, height: u32) -> Result<Self, Unfit> {
        if width > MOST_WIDTH || height > MOST_HEIGHT {
            return Err(Unfit::TooManyPixels);
        }
        if width == 0 || height == 0 {
            return Err(Unfit::NotAPicture);
        }
        Ok(Self { width, height })
    }
}

/// The part of a file that was not read yet.
#[derive(Debug, Clone, Copy)]
pub struct Rest<'b>(pub &'b [u8]);

impl<'b> Rest<'b> {
    /// Takes as many bytes.
    ///
    /// # Errors
    /// [`Unfit::NotAPicture`] where the file is shorter.
    pub fn take(&mut self, count: usize) -> Result<&'b [u8], Unfit> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Unfit::NotAPicture)?;
        self.0 = rest;
        Ok(taken)
    }

    /// Takes an array of bytes.
    pub fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Unfit> {
        self.take(COUNT)?.try_into().map_err(|_| Unfit::NotAPicture)
    }
}
