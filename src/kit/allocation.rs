//! Large allocations that leave no memory behind.
//!
//! glibc gives an allocation back to the system when it is freed only if the allocation was mapped on its own. It raises the size
//! from which it does so up to 32 MiB, each time a smaller mapped allocation is freed (`M_MMAP_THRESHOLD` in mallopt(3)); what is
//! smaller stays with the heap of the thread that used it. A larger allocation is always given back, and its pages take no memory
//! before they are written.

/// The size of an allocation that is returned to the system as soon as it is freed, in bytes.
pub const RETURNED_WHEN_FREED: usize = 33 * 1024 * 1024;
/// From this length on, in bytes, [`reserve_returned`] moves a growing buffer into such an allocation.
const LARGE: usize = 1024 * 1024;

/// Moves a growing buffer into an allocation that is returned to the system when it is freed, once the buffer is longer than 1 MiB.
pub fn reserve_returned(buffer: &mut Vec<u8>) {
    if buffer.len() > LARGE && buffer.capacity() < RETURNED_WHEN_FREED {
        buffer.reserve_exact(RETURNED_WHEN_FREED - buffer.len());
    }
}

/// The memory that a buffer uses, in bytes: unwritten pages of a large one take none.
pub fn used(buffer: &Vec<u8>) -> usize {
    if buffer.capacity() < RETURNED_WHEN_FREED { buffer.capacity() } else { buffer.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_above_a_mebibyte_moves_and_counts_what_is_written() {
        let mut buffer = vec![7; LARGE];
        reserve_returned(&mut buffer);
        assert!(buffer.capacity() < RETURNED_WHEN_FREED && used(&buffer) >= LARGE);
        buffer.extend_from_slice(&[8; 1000]);
        reserve_returned(&mut buffer);
        assert!(buffer.capacity() >= RETURNED_WHEN_FREED);
        assert_eq!((used(&buffer), buffer[LARGE - 1], buffer[LARGE]), (LARGE + 1000, 7, 8));
    }
}
