// SPDX-License-Identifier: Apache-2.0
// Asking the server again and again, politely.

const longestPause = 300_000;

/**
 * Gives `take` what is at `address` every so many milliseconds; not while the page is hidden, and ever more seldom while
 * the server does not answer. Ends when `take` returns true, or when the session is over.
 */
function poll(address, every, take) {
  let pause = every;
  let timer = 0;
  let isAsking = false;

  async function ask() {
    if (document.hidden || isAsking) return;
    isAsking = true;
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" }, redirect: "error" });
      if (answer.status === 403) return;
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      pause = every;
      if (take(await answer.json())) return;
    } catch {
      pause = Math.min(pause * 2, longestPause);
    } finally {
      isAsking = false;
    }
    wait();
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  wait();
}
