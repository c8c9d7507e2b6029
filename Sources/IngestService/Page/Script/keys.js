// SPDX-License-Identifier: Apache-2.0
// The list of issues by the keyboard. The page tells the keys, and lets the reader switch them off.

const keysHelp = document.getElementById("keys");
const keysSwitch = document.getElementById("keys-on");

function rowInFocus() {
  return document.activeElement?.closest("ul.issues > li");
}

function step(by) {
  const titles = [...document.querySelectorAll("ul.issues a.title")];
  const here = titles.findIndex((title) => title.closest("li") === rowInFocus());
  const next = titles[here < 0 ? (by > 0 ? 0 : titles.length - 1) : here + by];
  next?.focus();
}

const keyActions = {
  j: () => step(1),
  k: () => step(-1),
  x: () => rowInFocus()?.querySelector("input[type=checkbox]")?.click(),
  "/": () => document.getElementById("query")?.focus(),
  "?": () => {
    keysHelp.open = !keysHelp.open;
    keysHelp.querySelector("summary").focus();
  },
};

function isTyping(element) {
  return element.isContentEditable || element.matches("textarea, select, input:not([type=checkbox])");
}

if (keysHelp && keysSwitch) {
  keysSwitch.checked = localStorage.getItem("keys") !== "off";
  keysSwitch.addEventListener("change", () => localStorage.setItem("keys", keysSwitch.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const action = keyActions[event.key];
    if (!action || !keysSwitch.checked || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.defaultPrevented || isTyping(event.target)) return;
    event.preventDefault();
    action();
  });
}
