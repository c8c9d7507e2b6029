// SPDX-License-Identifier: Apache-2.0
//
// Bugs by number: tables.rs BUG RUN.
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

static SINK: AtomicI64 = AtomicI64::new(0);

fn note(value: i64) {
    SINK.fetch_add(value, Ordering::Relaxed);
}

mod config {
    use super::*;

    pub fn load(values: &HashMap<String, i64>, name: &str) -> i64 {
        let value = *values.get(name).unwrap();
        note(value);
        value
    }

    pub fn reload(values: &HashMap<String, i64>, name: &str) -> i64 {
        let value = *values.get(name).unwrap();
        note(-value);
        value + 1
    }

    pub fn require(values: &HashMap<String, i64>, name: &str) -> i64 {
        let value = *values.get(name).expect("a value");
        note(value);
        value
    }
}

mod table {
    use super::*;

    pub fn row(rows: &[i64], index: usize) -> i64 {
        let value = rows[index];
        note(value);
        value
    }

    pub fn share(total: i64, count: i64) -> i64 {
        let value = total / count;
        note(value);
        value
    }

    pub fn cut(text: &str, at: usize) -> &str {
        let part = &text[at..];
        note(part.len() as i64);
        part
    }
}

struct Engine {
    state: RefCell<Vec<i64>>,
}

impl Engine {
    fn step(&self, number: i64) -> i64 {
        if self.state.borrow().len() < 1000 {
            panic!("no state at step {number}");
        }
        number
    }

    fn back(&self, number: i64) -> i64 {
        if self.state.borrow().len() < 1000 {
            panic!("no state at step {number}");
        }
        -number
    }

    fn feed(&self) -> usize {
        let all = self.state.borrow();
        self.state.borrow_mut().push(1);
        note(all.len() as i64);
        all.len()
    }
}

struct Holder<T> {
    place: *const T,
}

impl<T: Copy> Holder<T> {
    fn open(&self) -> T {
        let value = unsafe { std::ptr::read_volatile(self.place) };
        note(std::mem::size_of::<T>() as i64);
        value
    }
}

fn apply(values: &[i64], action: &dyn Fn(i64) -> i64) -> i64 {
    let sum = values.iter().map(|value| action(*value)).sum();
    note(sum);
    sum
}

fn nothing() -> HashMap<String, i64> {
    HashMap::new()
}

fn engine() -> Engine {
    Engine { state: RefCell::new(vec![1]) }
}

/// One bug of the generic function, for two types.
fn open_either(run: i64) -> i64 {
    if run % 2 == 0 {
        Holder::<i64> { place: 16 as *const i64 }.open()
    } else {
        Holder::<u8> { place: 16 as *const u8 }.open() as i64
    }
}

fn divide(run: i64) -> i64 {
    apply(&[run, 0], &|value| {
        let part = 100 / (value - run);
        note(part);
        part
    })
}

fn main() {
    let bugs: [fn(i64) -> i64; 11] = [
        |run| config::load(&nothing(), &format!("name {run}")),
        |run| config::reload(&nothing(), &format!("name {run}")),
        |run| config::require(&nothing(), &format!("name {run}")),
        |run| table::row(&[1, 2, 3], 3 + run as usize),
        |run| table::share(run, nothing().len() as i64),
        |run| table::cut("a\u{e4}\u{f6}", 2 * (run as usize % 2) + 2).len() as i64,
        |run| engine().step(run),
        |run| engine().back(run),
        |_| engine().feed() as i64,
        open_either,
        divide,
    ];
    let numbers: Vec<i64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if numbers.len() == 2 {
        note(bugs[numbers[0] as usize](numbers[1]));
    }
}
