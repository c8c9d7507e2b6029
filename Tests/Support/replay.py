# SPDX-License-Identifier: Apache-2.0
"""Plays a recording on an event's or its own page in a real browser.

    replay.py URL TOKEN PATH PICTURE

By the keyboard, on a phone, in the dark, with less motion, and without scripts. Leaves a picture of the recording. Prints a line for
each finding, and `done` with the number of frames at the end.
"""

import importlib.resources
import sys

from playwright.sync_api import sync_playwright

url, token, path, picture = sys.argv[1:]
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
FOUND = """async () => (await axe.run(document.querySelector('#recording'), {resultTypes: ["violations"]})).violations
    .map(one => `${one.impact} ${one.id} ${one.nodes[0].html.slice(0, 200)}`)"""
SHOWN = "[...document.querySelectorAll('.frames > li')].findIndex(one => !one.hidden)"
VISIBLE = "[...document.querySelectorAll('.frames > li')].filter(one => one.checkVisibility()).length"


def press_until(page, condition, most=300):
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(one => {condition})(document.activeElement)"):
            return True
    return False


def with_scripts(page):
    page.goto(url + path)
    page.wait_for_selector(".player")
    count = page.locator(".frames > li").count()
    if page.evaluate(VISIBLE) != 1:
        yield "not one frame is shown"
    # An event's begins where it ends.
    begins = page.get_attribute("#recording", "data-recording")
    if page.evaluate(SHOWN) != (count - 1 if begins == "last" else 0):
        yield f"it does not begin with the {begins} frame"
    if not press_until(page, "one.textContent === 'Play' && one.closest('.player') !== null"):
        yield "no way to Play by the keyboard"
    page.keyboard.press("Enter")
    if page.locator(".player button").first.text_content() != "Pause":
        yield "Play does not play"
    for _ in range(200):
        if page.evaluate(SHOWN) >= 1:
            break
        page.wait_for_timeout(100)
    else:
        yield "the second frame does not come"
    page.keyboard.press("Enter")
    if not press_until(page, "one.matches('.player input')"):
        yield "no way to the frames by the keyboard"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    if page.evaluate(SHOWN) != 1:
        yield "the arrow does not lead to the second frame"
    if "Frame 2" not in page.get_attribute(".player input", "aria-valuetext"):
        yield "the frame is not told"
    page.evaluate(AXE + ";0")
    page.keyboard.press("End")
    if page.evaluate(SHOWN) != count - 1:
        yield "the keyboard does not lead to the last frame"
    for width, theme in ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        if page.evaluate("document.querySelector('#recording').scrollWidth > window.innerWidth"):
            yield f"it runs out sideways at {width}"
        for finding in page.evaluate(FOUND):
            yield f"axe at {width}, {theme}: {finding}"
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("End")
    page.locator("#recording").screenshot(path=picture)


with sync_playwright() as playwright:
    # As root the browser has no sandbox; a small /dev/shm is not enough for it.
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    context = browser.new_context(locale="en", reduced_motion="reduce")
    page = context.new_page()
    page.goto(url + "/login")
    page.fill("#token", token)
    page.press("#token", "Enter")
    page.wait_for_selector("nav")
    for finding in with_scripts(page):
        print(finding, flush=True)
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(context.cookies())
    page = plain.new_page()
    page.goto(url + path)
    frames = page.locator(".frames svg[role=img]")
    if frames.count() < 2 or not frames.last.is_visible() or page.locator(".player").count():
        print("without scripts the frames are no list", flush=True)
    print(f"done {frames.count()}", flush=True)
    browser.close()
