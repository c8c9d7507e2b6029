// SPDX-License-Identifier: Apache-2.0
// Buttons that copy the text of an element: <button hidden data-copy="#id">.

/** Says something to those who do not see it happen. */
function say(text) {
  let region = document.getElementById("said");
  if (!region) {
    region = document.createElement("p");
    region.id = "said";
    region.className = "unseen";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = text;
}

/** Pages without TLS are not given the clipboard: there the text is marked, and copied as by hand. */
async function copyText(element) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(element.textContent);
  getSelection().selectAllChildren(element);
  if (!document.execCommand("copy")) throw new Error("the browser does not let the page copy");
}

function showCopyButtons(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  const source = button && document.querySelector(button.dataset.copy);
  if (!source) return;
  const words = button.textContent;
  try {
    await copyText(source);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not copied: mark it and copy it by hand";
  }
  say(button.textContent);
  button.disabled = true;
  setTimeout(() => {
    button.textContent = words;
    button.disabled = false;
  }, 2000);
});

showCopyButtons(document);
