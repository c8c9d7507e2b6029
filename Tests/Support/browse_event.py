# SPDX-License-Identifier: Apache-2.0
"""An event's page and what it leads to, by the keyboard alone."""


def _follow(page, press_until, words, where):
    """Goes to a link of these words and follows it. What is wrong; None where nothing is."""
    if problem := press_until(page, f"one.textContent === {words!r}", 200):
        return f"to {words!r}: {problem}"
    page.keyboard.press("Enter")
    page.wait_for_url(where)
    return None


def _open(page, press_until, words):
    """Unfolds a part."""
    if problem := press_until(page, f"one.matches('summary') && one.textContent === {words!r}", 200):
        return f"to {words!r}: {problem}"
    page.keyboard.press("Enter")
    return None


def _machine(page, press_until, path):
    page.goto(path)
    if problem := _follow(page, press_until, "Instructions and memory around them", "**/machine?*"):
        return problem
    if page.locator(".code .current").count() != 1:
        return "no instruction is marked"
    return press_until(page, "one.matches('.code')") and "instructions cannot be scrolled"


def _grouping(page, press_until, path):
    page.goto(path)
    if problem := _follow(page, press_until, "Why it is in this issue", "**/grouping"):
        return problem
    return None if page.locator("text=Functions").count() else "the keys are not told"


def _thread(page, press_until, path):
    """A folded thread is unfolded in its place."""
    page.goto(path)
    if problem := press_until(page, "one.matches('#threads summary')", 200):
        return f"to another thread: {problem}"
    page.keyboard.press("Enter")
    return None if page.locator("#threads [open] .stack").first.is_visible() else "the thread is not unfolded"


def _copy(page, press_until, path):
    page.goto(path)
    if problem := _open(page, press_until, "As text"):
        return problem
    if problem := press_until(page, "one.matches('[data-copy=\"#stack-text\"]')"):
        return f"to the button that copies: {problem}"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    return None if copied.startswith("Crashed thread: ") else f"{copied[:40]!r} was copied"


def _core(page, press_until, path):
    page.goto(path)
    if problem := _open(page, press_until, "A core file for gdb and lldb"):
        return problem
    if problem := press_until(page, "one.textContent === 'Download the core file'"):
        return f"to the core file: {problem}"
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    with open(waiting.value.path(), "rb") as core:
        return None if core.read(4) == b"\x7fELF" else "the core file is none"


def by_event(page, press_until, path):
    """What is wrong, of the event at `path`, which has several threads and code."""
    page.set_viewport_size({"width": 390, "height": 900})
    checks = (_machine, _grouping, _thread, _copy, _core)
    return [f"keyboard, {path}: {problem}" for check in checks if (problem := check(page, press_until, path))]
