// SPDX-License-Identifier: Apache-2.0
// Forms that take a file let it be dropped anywhere on the page; those that take time say that they work.

for (const form of document.querySelectorAll("form[data-busy]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button[type=submit]");
    button.textContent = form.dataset.busy;
    say(form.dataset.busy);
    // Once the form is on its way, so that it goes only once.
    setTimeout(() => { button.disabled = true; });
  });
}

for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.remove("over");
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

for (const all of document.querySelectorAll("input[data-all]")) {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    for (const one of all.form.querySelectorAll("ul.issues input[type=checkbox]")) one.checked = all.checked;
  });
}
