// SPDX-License-Identifier: Apache-2.0
// Methods of traits, closures and copies of generic functions, inlined into one another.
use std::hint::black_box;

trait Shape {
    fn side(&self, number: usize) -> u64;
}

struct Raw(*const u64);

impl Shape for Raw {
    #[inline(always)]
    fn side(&self, number: usize) -> u64 {
        unsafe { self.0.add(number).read_volatile() }
    }
}

#[inline(always)]
fn apply<T>(number: usize, body: impl Fn(usize) -> T) -> T {
    body(number)
}

#[inline(always)]
fn area<S: Shape>(shape: &S) -> u64 {
    apply(2, |number| {
        shape.side(number) * 3
    })
}

#[inline(always)]
fn twice<S: Shape>(shape: &S) -> u64 {
    area(shape) + 2
}

#[inline(never)]
fn measure(shape: &Raw) -> u64 {
    let found = twice(shape);
    black_box(found)
}

#[inline(never)]
fn start(address: usize) -> u64 {
    let shape = Raw(address as *const u64);
    measure(&shape) + 1
}

fn main() {
    let found = start(black_box(16));
    println!("{found}");
}
