// SPDX-License-Identifier: Apache-2.0
// Recordings: <section data-recording> with a list of frames becomes a player that shows one at a time. Nothing moves until it
// is asked to; who prefers less motion gets at most a frame a second. It begins with the "first" frame, or the "last".

function makePlayer(section) {
  const frames = [...section.querySelectorAll(".frames > li")];
  if (frames.length < 2) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const bar = document.createElement("div");
  bar.className = "player";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Player of the recording");
  const button = (words, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "quiet";
    made.textContent = words;
    made.addEventListener("click", action);
    bar.append(made);
    return made;
  };
  let shown = section.dataset.recording === "first" ? 0 : frames.length - 1;
  let timer;

  const show = (index) => {
    shown = Math.max(0, Math.min(frames.length - 1, index));
    frames.forEach((frame, number) => {
      frame.hidden = number !== shown;
    });
    place.value = String(shown);
    place.setAttribute("aria-valuetext", frames[shown].querySelector("figcaption").textContent);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    play.textContent = "Play";
  };
  const step = () => {
    if (shown >= frames.length - 1) return stop();
    show(shown + 1);
    wait();
  };
  const wait = () => {
    if (shown >= frames.length - 1) return stop();
    const time = Number(frames[shown + 1].dataset.at) - Number(frames[shown].dataset.at);
    timer = setTimeout(step, Math.max(calm.matches ? 1000 : 100, Math.min(time, 3000)));
  };

  const play = button("Play", () => {
    if (timer) return stop();
    if (shown >= frames.length - 1) show(0);
    play.textContent = "Pause";
    wait();
  });
  button("Frame before", () => {
    stop();
    show(shown - 1);
  });
  button("Next frame", () => {
    stop();
    show(shown + 1);
  });
  const place = document.createElement("input");
  place.type = "range";
  place.min = "0";
  place.max = String(frames.length - 1);
  place.setAttribute("aria-label", "Frame");
  place.addEventListener("input", () => {
    stop();
    show(Number(place.value));
  });
  bar.append(place);
  section.querySelector(".frames").before(bar);
  section.classList.add("played");
  show(shown);
}

for (const section of document.querySelectorAll("[data-recording]")) makePlayer(section);
