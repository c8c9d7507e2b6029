# SPDX-License-Identifier: Apache-2.0
"""Walks pages in a real browser, as readers of several kinds.

    browse.py URL TOKEN FOLDER PATH…

Logs in with the token, then opens each path at 390 and 1280 pixels, light and dark, and leaves a screenshot of each in
FOLDER. Prints a line for each finding: what the browser's console says, what runs out of the page sideways, what axe finds
serious, and a script that ran though none is there. Then it goes from the list to an issue and resolves it by the keyboard
alone. The last line is `done`, with the number of pages that were seen.
"""

import importlib.resources
import os
import sys

from playwright.sync_api import sync_playwright

url, token, folder, *paths = sys.argv[1:]
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
FOUND = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .map(one => [one.impact, one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" ")])"""


def log_in(context):
    page = context.new_page()
    page.goto(url + "/login")
    page.fill("#token", token)
    page.press("#token", "Enter")
    page.wait_for_selector("nav")
    page.close()


def look(page, path, width, theme, said):
    """What is wrong with a page."""
    said.clear()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    answer = page.goto(url + path)
    findings = list(said) + ([] if answer.ok else [f"status {answer.status}"])
    name = path.strip("/").replace("/", "-").split("?")[0][:60] or "issues"
    page.screenshot(path=os.path.join(folder, f"{name}-{width}-{theme}.png"), full_page=True)
    # Folded parts are looked at, too.
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    sideways = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    if sideways > 0:
        findings.append(f"{sideways} pixels run out sideways")
    if page.evaluate("document.querySelectorAll('script:not([src^="/vaka.js?"]), img, iframe, style').length") > 0:
        findings.append("markup of the data is part of the page")
    page.evaluate(AXE)
    for impact, rule, nodes in page.evaluate(FOUND):
        if impact in ("serious", "critical"):
            findings.append(f"axe: {rule} ({impact}): {nodes}")
    return [f"{path} at {width}, {theme}: {one}" for one in findings]


def press_until(page, wanted, most=80):
    """Goes on by Tab until the focus is where it is wanted; it must be seen there. What is wrong; None where nothing is."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(one => {wanted})(document.activeElement)"):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            return None if outline != "none" else "the focus is not seen"
    return "the keyboard does not lead there"


def by_keyboard(page):
    page.goto(url + "/")
    if problem := press_until(page, "one.matches('.issues a.title')"):
        return [f"keyboard, to the first issue: {problem}"]
    page.keyboard.press("Enter")
    page.wait_for_url("**/issues/*")
    if problem := press_until(page, "one.textContent === 'Resolve'"):
        return [f"keyboard, to the button that resolves: {problem}"]
    with page.expect_navigation():
        page.keyboard.press("Enter")
    if "resolved" not in page.text_content(".badge[class*=status-]"):
        return ["keyboard: the issue was not resolved"]
    return []


def by_choice(page):
    """The reader's own choice of colours stays."""
    page.emulate_media(color_scheme="light")
    page.goto(url + "/releases")
    with page.expect_navigation():
        page.click("text=dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(ground.removeprefix("rgb(").split(",")[0])
    return [] if red < 64 and page.url.endswith("/releases") else [f"dark was chosen, and {page.url} is {ground}"]


with sync_playwright() as playwright:
    # As root the browser has no sandbox; a small /dev/shm is not enough for it.
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    context = browser.new_context(locale="en")
    log_in(context)
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append("a script of the data ran"), dialog.dismiss()))
    seen = 0
    for path in paths:
        for width in (390, 1280):
            for theme in ("light", "dark"):
                for finding in look(page, path, width, theme, said):
                    print(finding, flush=True)
                seen += 1
    for finding in by_keyboard(page) + by_choice(page):
        print(finding, flush=True)
    browser.close()
print("done", seen)
