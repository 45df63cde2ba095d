//! The memory allocator of `gobprove`: the system's, which ends the program with a message when memory runs out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

use super::exit::Exit;

/// The system's allocator. If it refuses memory, the process ends with a message and exit code 4. The standard
/// library would abort the process, which looks like a bug. Files on disk are whole at any time, so a run loses
/// nothing that was saved.
#[derive(Clone, Copy, Default, Debug)]
pub struct Allocator;

// SAFETY: every request goes to the system's allocator unchanged, and every pointer returned is the one it gave.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller answers for the layout.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller answers for the layout.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller answers for pointer and layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller answers for pointer, layout and size.
        given(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

/// The pointer that the system gave. If it is null, the process ends.
fn given(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() { end(bytes) } else { pointer }
}

/// Ends the process at once. Nothing here may allocate, or wait for a lock that another thread holds.
#[cold]
fn end(bytes: usize) -> ! {
    let mut text = [0; 300];
    let mut rest = text.as_mut_slice();
    // The message fits, and one cut short would do.
    let _ = write!(
        rest,
        "error: out of memory: the system refuses {bytes} bytes more\n  next: give the process more memory, \
         ask for fewer --threads, or take a smaller variant; `gobprove estimate` says what one needs\n"
    );
    let left = rest.len();
    to_stderr(&text[..text.len() - left]);
    signal_hook::low_level::exit(Exit::Unavailable.code().into())
}

/// Writes to stderr without the standard library's lock.
#[cfg(unix)]
fn to_stderr(text: &[u8]) {
    use std::fs::File;
    use std::mem::ManuallyDrop;
    use std::os::fd::FromRawFd as _;
    // SAFETY: the descriptor of stderr is not closed, since the file is never dropped.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    let _ = stderr.write_all(text);
}

#[cfg(not(unix))]
fn to_stderr(text: &[u8]) {
    let _ = std::io::stderr().write_all(text);
}
