// SPDX-License-Identifier: Apache-2.0
// Times as the reader's clock has them. Days are the server's, and stay.

const moment = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];

function distance(time) {
  const passed = time - Date.now();
  for (const [unit, length] of units) {
    if (Math.abs(passed) >= length) return ago.format(Math.trunc(passed / length), unit);
  }
  return "just now";
}

/** Those that the server tells otherwise than by the clock: only what hovering tells is ours. */
const told = new WeakSet([...document.querySelectorAll("time[title]")]);

/** Below `root`: the absolute time, in UTC too, is what hovering tells. */
function showTimes(root) {
  for (const element of root.querySelectorAll("time[datetime*='T']")) {
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const absolute = moment.format(time);
    const text = "ago" in element.dataset ? distance(time) : absolute;
    if (!told.has(element) && element.textContent !== text) element.textContent = text;
    element.title = `${absolute} here, ${element.dateTime} UTC`;
  }
}

showTimes(document);
setInterval(() => { if (!document.hidden) showTimes(document); }, 60_000);
