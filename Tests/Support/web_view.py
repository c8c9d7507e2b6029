# SPDX-License-Identifier: Apache-2.0
"""A program's web view, played by a headless browser.

    web_view.py FOLDER

Serves a shop's pages on loopback and prints `origin http://127.0.0.1:PORT`; waits for FOLDER/script.js, has it run at the start of
each document (of frames, too), and opens the shop. Each word that is appended as a line to FOLDER/steps is done: `scroll`, `pinch`,
`burst` (60 frames, each of which scrolls),
`resize`, `reload`, `elsewhere` (another origin), `page` (the shop again), `stop`.
"""

import http.server
import os
import sys
import threading
import time

from playwright.sync_api import sync_playwright

folder = sys.argv[1]
SHOP = """<!doctype html><title>Shop</title><meta name=viewport content="width=device-width">
<h1>Shop</h1>
<form onsubmit="event.preventDefault(); said.textContent = 'sent ' + q.value">
<label for=q>Search</label><input id=q type=search value="shoes">
<input id=p type=password value="hunter2-correct-horse" aria-label=Password>
<input autocomplete=cc-number value="hunter2-correct-horse" aria-label=Card>
</form>
<select id=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<button onclick="said.textContent = 'clicked'; this.before(document.createElement('button'))">Buy</button>
<button onclick="said.textContent = 'no'" disabled>Sold out</button>
<button style="visibility:hidden">Invisible</button><button style="display:none">Absent</button>
<button id=leaver onclick="this.remove()">Leave</button>
<div data-vaka-mask>hunter2-correct-horse <button>hunter2-correct-horse</button></div>
<div contenteditable aria-label=Editor style="min-height:20px">draft</div>
<p id=said>nothing</p>
<a href="/next">Next</a>
<iframe src="/framed"></iframe>
<div style="height:3000px"></div><button id=far onclick="said.textContent = 'far'">Far away</button>"""
# Names that hide what a form, and what the document, would say of itself.
FORM = ["title", "alt", "type", "form", "tagName", "nodeType", "childNodes", "getAttribute", "hasAttribute", "closest", "matches",
        "isContentEditable", "isConnected", "getBoundingClientRect", "checkVisibility", "innerText", "requestSubmit"]
DOCUMENT = ["body", "activeElement", "getElementById", "createTreeWalker"]
SHOP += (
    "<form role=search onsubmit=\"event.preventDefault(); said.textContent = 'trapped'\">Traps"
    + "".join(f"<input name={name} aria-label='{name} trap'>" for name in FORM)
    + "</form>"
    + "".join(f"<img name={name} alt='{name} trap'>" for name in DOCUMENT))
PAGES = {"/": SHOP, "/next": "<!doctype html><title>Next</title><h1>Next page</h1>", "/framed": "<button>Framed</button>"}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PAGES.get(self.path.split("?")[0], "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_address[1]
print(f"origin http://127.0.0.1:{port}", flush=True)

script = os.path.join(folder, "script.js")
while not os.path.exists(script):
    time.sleep(0.02)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    context = browser.new_context(viewport={"width": 400, "height": 600})
    page = context.new_page()
    page.on("pageerror", lambda error: print("error", error, flush=True))
    page.add_init_script(path=script)
    devtools = context.new_cdp_session(page)
    page.goto(f"http://127.0.0.1:{port}/?token=hunter2-correct-horse#top")
    done = 0
    while True:
        path = os.path.join(folder, "steps")
        steps = open(path).read().split() if os.path.exists(path) else []
        for step in steps[done:]:
            done += 1
            if step == "scroll":
                page.evaluate("window.scrollTo(0, 500)")
            elif step == "burst":
                page.evaluate("""new Promise(done => {
                    let frames = 0;
                    const scroll = () => {
                        window.scrollTo(0, 340 + ++frames);
                        if (frames < 60) requestAnimationFrame(scroll); else done();
                    };
                    requestAnimationFrame(scroll);
                })""")
            elif step == "pinch":
                devtools.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2})
            elif step == "resize":
                page.set_viewport_size({"width": 300, "height": 500})
            elif step == "reload":
                page.reload()
            elif step == "elsewhere":
                page.goto(f"http://localhost:{port}/")
            elif step == "page":
                page.goto(f"http://127.0.0.1:{port}/")
            elif step == "stop":
                browser.close()
                sys.exit(0)
            print("did", step, flush=True)
        page.wait_for_timeout(20)
