// SPDX-License-Identifier: Apache-2.0
// The list of issues while it is open: numbers follow, what is new is announced, and nothing moves until it is asked for.

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function rowsByIssue(list) {
  return new Map([...list.children].map((row) => [Number(row.dataset.issue), row]));
}

function updateRow(row, issue) {
  row.querySelector("[data-fact=events]").textContent = counted(issue.events, "event");
  row.querySelector("[data-fact=users]").textContent = counted(issue.users, "user");
  const last = row.querySelector("time[data-ago]");
  last.dateTime = issue.last_seen;
  showTimes(row);
}

/** Numbers of issues rise: what is beyond the highest that was there is new. */
function announcement(fresh, highest) {
  const unseen = fresh.filter((issue) => issue.id > highest).length;
  const again = fresh.length - unseen;
  return [
    ...(unseen ? [counted(unseen, "new issue")] : []),
    ...(again ? [`${counted(again, unseen ? "other" : "issue")} with new events`] : []),
  ].join(", ");
}

/** Puts the list as it is now in the place of the one shown; what was chosen stays so. */
async function renew(list) {
  const answer = await fetch(location.href);
  const text = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = text.querySelector("ul.issues[data-live]");
  if (!answer.ok || !now) return location.reload();
  const before = rowsByIssue(list);
  if (!before.size) return location.reload();
  const isChosen = (row) => row.querySelector("input[type=checkbox]")?.checked;
  const chosen = new Set([...before].filter(([, row]) => isChosen(row)).map(([id]) => id));
  for (const [id, row] of rowsByIssue(now)) {
    const box = row.querySelector("input[type=checkbox]");
    if (box) box.checked = chosen.has(id);
    row.classList.toggle("fresh", !before.has(id));
  }
  list.replaceChildren(...now.children);
  showTimes(list);
  (list.querySelector(".fresh a.title") ?? list.querySelector("a.title"))?.focus();
}

for (const list of document.querySelectorAll("ul.issues[data-live]")) {
  const news = document.getElementById("news");
  const highest = () => Math.max(0, ...rowsByIssue(list).keys());
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.addEventListener("click", async () => {
    news.replaceChildren();
    await renew(list);
  });
  poll(list.dataset.live, Number(list.dataset.seconds) * 1000, ({ issues }) => {
    const shown = rowsByIssue(list);
    for (const issue of issues) {
      if (shown.has(issue.id)) updateRow(shown.get(issue.id), issue);
    }
    const fresh = issues.filter((issue) => !shown.has(issue.id));
    const words = fresh.length ? `${announcement(fresh, highest())} — show` : "";
    if (button.isConnected ? button.textContent === words : words === "") return false;
    button.textContent = words;
    news.replaceChildren(...(words ? [button] : []));
    return false;
  });
}
