// SPDX-License-Identifier: Apache-2.0
// Reads a frame header through a pointer that the driver never filled in.

#[repr(C)]
struct FrameHeader {
    length: u32,
    kind: u32,
}

#[inline(never)]
unsafe fn read_kind(header: *const FrameHeader) -> u32 {
    let kind = unsafe { std::ptr::read_volatile(&raw const (*header).kind) };
    kind + 1
}

#[inline(never)]
fn decode_frames(headers: &[*const FrameHeader]) -> u32 {
    let mut kinds = 0;
    for header in headers {
        kinds += unsafe { read_kind(*header) };
    }
    kinds
}

fn main() {
    let first = FrameHeader { length: 8, kind: 1 };
    let kinds = decode_frames(&[&raw const first, std::ptr::null()]);
    println!("{kinds} {}", first.length);
}
