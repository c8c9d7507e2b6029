// SPDX-License-Identifier: Apache-2.0
// Parses a manifest with a line that has no version.

#[inline(never)]
fn parse_version(line: &str) -> u32 {
    let version = line.split('=').nth(1).expect("a manifest line without a version");
    version.parse().unwrap_or(0)
}

#[inline(never)]
fn parse_manifest(text: &str) -> u32 {
    let mut sum = 0;
    for line in text.lines() {
        sum += parse_version(line);
    }
    sum
}

fn main() {
    let total = parse_manifest("alpha=1\nbeta=2\ngamma");
    println!("{total}");
}
