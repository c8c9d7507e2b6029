#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes and builds the programs that the benchmark looks addresses up in: programs.py FOLDER. What is there stays."""
import os
import pathlib
import subprocess
import sys

UNITS = 11
TYPES = 5

HEAD = """
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
"""

TYPE = """
namespace unit@U@ {
template <typename T, int N> struct Box@T@ {
    T value[N];
    T sum() const { T result{}; for (const auto &item : value) result += item; return result; }
    template <typename F> auto apply(F f) const { std::vector<T> out; for (auto v : value) out.push_back(f(v)); return out; }
};
struct Key@T@ { std::string name; int number; bool operator<(const Key@T@ &o) const { return std::tie(name, number) < std::tie(o.name, o.number); } };
struct Value@T@ { std::variant<int, std::string, Box@T@<long, 3>> content; std::optional<Key@T@> owner; };
int work@T@(const std::vector<std::string> &words) {
    std::map<Key@T@, Value@T@> table;
    std::unordered_map<std::string, std::shared_ptr<Value@T@>> index;
    std::set<Key@T@> keys;
    std::regex pattern("([a-z]+)-([0-9]+)");
    std::function<int(const Value@T@ &)> weight = [&](const Value@T@ &v) { return (int)v.content.index() + (v.owner ? v.owner->number : 0); };
    for (size_t i = 0; i < words.size(); i++) {
        std::smatch match;
        Key@T@ key{words[i], (int)i};
        Value@T@ value{words[i], key};
        if (std::regex_match(words[i], match, pattern)) value.content = (int)match.size() + @T@;
        index[words[i]] = std::make_shared<Value@T@>(value);
        table.emplace(key, std::move(value));
        keys.insert(key);
    }
    std::vector<std::pair<Key@T@, Value@T@>> sorted(table.begin(), table.end());
    std::sort(sorted.begin(), sorted.end(), [&](const auto &a, const auto &b) { return weight(a.second) < weight(b.second); });
    Box@T@<long, 3> box{{1, 2, @T@}};
    auto doubled = box.apply([](long v) { return v * 2; });
    std::stable_sort(doubled.begin(), doubled.end(), std::greater<long>());
    return (int)(sorted.size() + keys.size() + index.size() + doubled.size() + box.sum());
}
}
"""

RUST = """
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
trait Shape: Debug { fn area(&self, scale: u64) -> Result<u64, String>; }
macro_rules! shapes { ($($name:ident $side:expr),*) => { $(
    #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct $name { side: u64, tags: Vec<String> }
    impl Shape for $name {
        fn area(&self, scale: u64) -> Result<u64, String> {
            let base = self.side.checked_mul($side).ok_or_else(|| format!("{} is too large", self.side))?;
            let tags: HashSet<&str> = self.tags.iter().map(|t| t.as_str()).filter(|t| t.len() > 1).collect();
            Ok(base / scale.max(1) + tags.len() as u64)
        }
    }
    impl $name {
        fn count(words: &[String]) -> BTreeMap<$name, Vec<u64>> {
            let mut table: HashMap<String, VecDeque<$name>> = HashMap::new();
            for word in words { table.entry(word.clone()).or_default().push_back($name { side: word.len() as u64, tags: word.split('-').map(String::from).collect() }); }
            let mut result: BTreeMap<$name, Vec<u64>> = BTreeMap::new();
            for (_, list) in table { for item in list { let areas = (1..4).filter_map(|s| item.area(s).ok()).collect::<Vec<_>>(); result.entry(item).or_default().extend(areas); } }
            result
        }
    }
)* } }
shapes!(LIST);
fn main() {
    let words: Vec<String> = std::env::args().collect();
    CALLS
}
"""


def run(*command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


def cxx(folder):
    target = folder / "cxx"
    if target.exists():
        return
    names = []
    for unit in range(UNITS):
        source = HEAD + "".join(TYPE.replace("@U@", str(unit)).replace("@T@", f"{unit * TYPES + i}") for i in range(TYPES))
        names.append(f"unit{unit}")
        (folder / f"unit{unit}.cpp").write_text(source)
    calls = [f"unit{u}::work{u * TYPES + i}" for u in range(UNITS) for i in range(TYPES)]
    declared = "".join(f"namespace unit{c.split('::')[0][4:]} {{ int {c.split('::')[1]}(const std::vector<std::string> &); }}\n" for c in calls)
    (folder / "main.cpp").write_text(
        HEAD + declared + "int main(int n, char **v) { std::vector<std::string> w(v, v + n); return ("
        + " + ".join(f"{c}(w)" for c in calls) + ") > 3; }\n")
    rules = "objects := $(patsubst %.cpp,%.o,$(wildcard *.cpp))\ncxx: $(objects)\n\tg++ -o $@ $^\n%.o: %.cpp\n\tg++ -std=c++17 -O2 -g -c -o $@ $<\n"
    (folder / "Makefile").write_text(rules)
    run("make", "-s", "-j", str(os.cpu_count() or 1), folder=folder)


def rust(folder):
    target = folder / "rust"
    if target.exists():
        return
    shapes = [f"Shape{i}" for i in range(40)]
    calls = "\n    ".join(f"println!(\"{{:?}}\", {s}::count(&words));" for s in shapes)
    source = RUST.replace("LIST", ", ".join(f"{s} {i + 2}" for i, s in enumerate(shapes))).replace("CALLS", calls)
    (folder / "rust.rs").write_text(source)
    run("rustc", "-O", "-g", "-o", "rust", "rust.rs", folder=folder)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cxx(folder)
    rust(folder)


main()
