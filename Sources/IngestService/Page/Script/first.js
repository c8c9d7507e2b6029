// SPDX-License-Identifier: Apache-2.0
// The page that waits for a program's first crash.

for (const place of document.querySelectorAll("[data-first]")) {
  poll(place.dataset.first, 2000, ({ event }) => {
    if (!event) return false;
    const link = document.createElement("a");
    link.href = `/events/${encodeURIComponent(event.id)}`;
    link.textContent = event.title;
    place.className = "arrived";
    place.replaceChildren("Your first crash is here: ", link);
    return true;
  });
}
