# SPDX-License-Identifier: Apache-2.0
"""Walks pages in a real browser, as readers of several kinds.

    browse.py URL TOKEN KEY FOLDER PATH…

Logs in with the token, then opens each path at 390 and 1280 pixels, light and dark, and leaves a screenshot of each in
FOLDER. Prints a line for each finding: what the browser's console says, what runs out of the page sideways, what axe finds
serious, and a script that ran though none is there. Then it goes from the list to an issue and resolves it by the keyboard
alone, goes through the last path, an event of several threads, in the same way, works on the list by its keys, and watches it and the page of the first steps follow what is sent with the key. The
last line is `done`, with the number of pages that were seen.
"""

import datetime
import importlib.resources
import json
import os
import sys
import urllib.request

from playwright.sync_api import sync_playwright

from browse_event import by_event

url, token, key, folder, *paths = sys.argv[1:]
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
FOUND = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .map(one => [one.impact, one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(" ")])"""

FOREIGN = """document.querySelectorAll('script:not([src^="/vaka.js?"]), img, iframe, style').length"""


def log_in(context):
    page = context.new_page()
    page.goto(url + "/login")
    page.fill("#token", token)
    page.press("#token", "Enter")
    page.wait_for_selector("nav")
    page.close()


def look(page, path, said):
    """What is wrong with a page, which is loaded once. Four ways to see it are counted."""
    said.clear()
    answer = page.goto(url + path)
    findings = [] if answer.ok else [f"status {answer.status}"]
    name = path.strip("/").replace("/", "-").split("?")[0][:60] or "issues"
    if page.evaluate(FOREIGN) > 0:
        findings.append("markup of the data is part of the page")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=os.path.join(folder, f"{name}-{width}-{theme}.png"), full_page=True)
        # Folded parts are looked at, too.
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        sideways = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if sideways > 0:
            findings.append(f"{sideways} pixels run out sideways at {width}")
    # Widths change the layout, themes the colours: these two have all of it.
    for width, theme in ((1280, "dark"), (390, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE)
        for impact, rule, nodes in page.evaluate(FOUND):
            if impact in ("serious", "critical"):
                findings.append(f"axe at {width}, {theme}: {rule} ({impact}): {nodes}")
    return [f"{path}: {one}" for one in findings + said]


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


def send_crash(number):
    """A crash of its own issue, as a program sends it."""
    frame = {"instruction_address": hex(0x1000 + 32 * number), "trust": "context", "function": f"crash{chr(96 + number)}()", "in_app": True}
    event = {
        "schema_version": 1, "event_id": f"{number:032x}", "type": "crash", "level": "fatal", "arch": "x86_64",
        "timestamp": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"), "threads": [{"id": 1, "crashed": True, "frames": [frame]}],
    }
    item = {"kind": "event", "id": event["event_id"], "payload": event}
    request = urllib.request.Request(url + "/api/v1/ingest", json.dumps({"schema_version": 1, "items": [item]}).encode())
    request.add_header("Authorization", f"Bearer {key}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 202


def by_keys(page):
    """The list's own keys, and that they are nobody's who writes."""
    page.goto(url + "/")
    for pressed in "jjx":
        page.keyboard.press(pressed)
    chosen = page.evaluate("[...document.querySelectorAll('.choose')].map(one => one.checked).indexOf(true)")
    page.keyboard.press("/")
    page.keyboard.type("jx")
    written = page.input_value("#query")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    opened = page.evaluate("document.getElementById('keys').open")
    return [f"keys: {chosen} chosen, {written!r} written, help {opened}"] if (
        chosen != 1 or "jx" not in written or not opened) else []


def live(page):
    """What is new is announced, and comes when it is asked for; until then nothing moves."""
    page.clock.install()
    page.goto(url + "/?query=&sort=first_seen")
    rows = page.locator("ul.issues > li")
    before = rows.count()
    send_crash(1)
    button = page.locator("#news button")
    for _ in range(100):
        page.clock.fast_forward(11_000)
        page.wait_for_timeout(50)
        if button.count():
            break
    findings = []
    if not button.count() or button.text_content() != "1 new issue — show" or rows.count() != before:
        findings.append(f"live: {button.all_text_contents()} is said, {rows.count()} rows of {before} are shown")
        return findings
    button.click()
    rows.nth(before).wait_for()
    if page.locator(".fresh a.title:focus").count() != 1:
        findings.append("live: the focus is not at what is new")
    return findings


def first_steps(page):
    """The page that waits for a program's crash, and copies what is written on it."""
    page.goto(url + "/start")
    with page.expect_navigation():
        page.click("text=Make a key")
    page.click("button[data-copy='#key']")
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    findings = [] if copied.startswith("vk_") else [f"first steps: {copied!r} was copied"]
    send_crash(2)
    for _ in range(100):
        page.clock.fast_forward(3_000)
        page.wait_for_timeout(50)
        if page.locator(".arrived a").count():
            return findings
    return findings + ["first steps: the crash is not told"]


def upload(page):
    """A file that is dropped is sent, and the page says what became of it."""
    page.goto(url + "/images")
    page.evaluate("""() => {
        const files = new DataTransfer();
        files.items.add(new File(["no image"], "dropped <b>.debug"));
        for (const type of ["dragover", "drop"])
            document.querySelector("main").dispatchEvent(
                new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }));
    }""")
    page.wait_for_selector(".problem")
    told = page.text_content(".problem")
    return [] if told.startswith("dropped <b>.debug was not taken") else [f"upload: {told}"]


def without_script(browser, cookies):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(url + "/start")
    findings = [] if page.locator(".waiting a").count() else ["without script: the latest crash is not linked"]
    if page.locator("button[data-copy]").first.is_visible():
        findings.append("without script: a button that does nothing is shown")
    page.goto(url + "/settings/limits")
    page.fill("[name=keep_days]", "many")
    page.click("text=Save")
    if "takes a number of days" not in page.text_content(".problem") or page.input_value("[name=keep_days]") != "many":
        findings.append("without script: what is wrong in a form is not told")
    context.close()
    return findings


def zone(page):
    """Times are the reader's own, and the absolute one is told."""
    page.goto(url + "/operation")
    page.goto(url + "/settings/keys")
    shown = page.locator("td time").first
    utc = shown.get_attribute("datetime")[:16].replace("T", " ")
    return [] if utc not in shown.text_content() and utc[:4] in shown.get_attribute("title") else ["times are not the reader's"]


with sync_playwright() as playwright:
    # As root the browser has no sandbox; a small /dev/shm is not enough for it.
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    context = browser.new_context(
        locale="en", timezone_id="Asia/Kolkata", permissions=["clipboard-read", "clipboard-write"])
    log_in(context)
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append("a script of the data ran"), dialog.dismiss()))
    seen = 0
    for path in paths:
        for finding in look(page, path, said):
            print(finding, flush=True)
        seen += 4
    said.clear()
    for check in (by_keyboard, by_choice, zone, by_keys, live, first_steps, upload):
        for finding in check(page):
            print(finding, flush=True)
    # The file that is no image is refused as it should be, which the console takes for an error.
    said[:] = [one for one in said if "status of 400" not in one]
    for finding in by_event(page, press_until, url + paths[-1]) + without_script(browser, context.cookies()) + said:
        print(finding, flush=True)
    browser.close()
print("done", seen)
