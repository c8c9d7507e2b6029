// SPDX-License-Identifier: Apache-2.0
// Parses a manifest with a line that has no version; with the argument "thread" on a thread.

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

const MANIFEST: &str = "alpha=1\nbeta=2\ngamma";

#[inline(never)]
fn parse_on_thread() -> u32 {
    let parser = std::thread::spawn(|| {
        let parsed = parse_manifest(MANIFEST);
        parsed + 1
    });
    parser.join().unwrap_or(0)
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("thread") {
        println!("{}", parse_on_thread());
    }
    let total = parse_manifest(MANIFEST);
    println!("{total}");
}
