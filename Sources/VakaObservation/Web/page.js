// SPDX-License-Identifier: Apache-2.0
// Runs in a page: tells the program what the page shows, and does the few things that it is asked to.
(function (settings) {
    "use strict";
    // A frame's elements could answer for others: only the main frame speaks.
    if (window.top !== window || window.vakaObservation) return;
    Object.defineProperty(window, "vakaObservation", {value: true});

    const secretHints = /(^|\s)(current-password|new-password|one-time-code|cc-[a-z-]+)(\s|$)/;
    const buttons = ["button", "submit", "reset", "image"];
    const interactive = "a[href], button, input, textarea, select, summary, label, option, [role], [tabindex], [contenteditable]";
    const skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "TITLE", "BASE"]);

    // Ids are given once and never again, whatever is put in or taken out.
    const names = new WeakMap();
    const elements = new Map();
    let lastName = 0;
    let documentId = randomId();
    let left = false;

    function randomId() {
        return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
    }

    function nameOf(element) {
        let name = names.get(element);
        if (name === undefined) {
            name = "e" + ++lastName;
            names.set(element, name);
            elements.set(name, new WeakRef(element));
        }
        return name;
    }

    // MARK: What is shown

    const isMasked = element => element.closest("[data-vaka-mask]") !== null;
    const isEditor = element => element.isContentEditable;
    const isField = element => ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
    const isButton = element => element.tagName === "INPUT" && buttons.includes(element.type);
    const isSecret = element => element.type === "password" || element.type === "file"
        || secretHints.test((element.getAttribute("autocomplete") || "").toLowerCase());

    function isShown(element, box) {
        if (box.width <= 0 || box.height <= 0) return false;
        if (typeof element.checkVisibility === "function") {
            return element.checkVisibility({
                opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true, checkOpacity: true,
                checkVisibilityCSS: true
            });
        }
        const style = getComputedStyle(element);
        return style.display !== "none" && style.visibility === "visible";
    }

    const isEnabled = element => !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true"
        && element.closest("[inert]") === null;

    // Without what is masked, and what is typed.
    function textOf(node, deep) {
        let text = "";
        for (const child of node.childNodes) {
            if (child.nodeType === Node.TEXT_NODE) text += child.data;
            else if (deep && child.nodeType === Node.ELEMENT_NODE && !skipped.has(child.tagName) && !isField(child)
                && !isEditor(child) && !child.hasAttribute("data-vaka-mask")) text += " " + textOf(child, true);
            if (text.length > settings.text) break;
        }
        return text;
    }

    const tidy = text => text.replace(/\s+/g, " ").trim().slice(0, settings.text) || undefined;

    function labelOf(element) {
        const named = element.getAttribute("aria-label");
        if (named) return tidy(named);
        const by = (element.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean)
            .map(id => document.getElementById(id)).filter(one => one && !isMasked(one) && !isEditor(one) && !isField(one));
        if (by.length > 0) return tidy(by.map(one => textOf(one, true)).join(" "));
        if (isButton(element)) return tidy(element.value || element.alt || element.type);
        if (isField(element)) {
            const labels = Array.from(element.labels || []).filter(one => !isMasked(one)).map(one => textOf(one, true)).join(" ");
            return tidy(labels) || tidy(element.placeholder || element.title || "");
        }
        if (isEditor(element)) return tidy(element.title || "");
        if (element.alt) return tidy(element.alt);
        return tidy(textOf(element, element.matches(interactive))) || tidy(element.title || "");
    }

    function valueOf(element) {
        if (isField(element) && !isButton(element)) {
            if (element.tagName === "SELECT") return Array.from(element.selectedOptions, one => one.label).join(", ");
            if (element.type === "checkbox" || element.type === "radio") return String(element.checked);
            return element.value;
        }
        return isEditor(element) ? element.innerText : undefined;
    }

    function describe(element) {
        const box = element.getBoundingClientRect();
        const told = {
            id: nameOf(element), role: (element.getAttribute("role") || element.tagName).toLowerCase().slice(0, 64),
            bounds: {x: box.x, y: box.y, width: box.width, height: box.height}, enabled: isEnabled(element),
            visible: isShown(element, box), focused: document.activeElement === element
        };
        if (element.tagName === "INPUT") told.inputType = element.type;
        if (isMasked(element)) {
            told.redacted = true;
            return told;
        }
        told.label = labelOf(element);
        const value = valueOf(element);
        // A secret does not even get into the message.
        if (value !== undefined && (settings.redactText || isSecret(element))) told.redacted = value !== "";
        else if (value !== undefined) told.value = value.slice(0, settings.text);
        return told;
    }

    const isTold = element => element.tagName === "IMG" || element.matches(interactive)
        || (!isEditor(element) && Array.from(element.childNodes).some(one => one.nodeType === Node.TEXT_NODE && one.data.trim()));

    // What has left for good is forgotten; its name is not given again.
    function forget() {
        if (elements.size < 4 * settings.elements) return;
        for (const [name, element] of elements) {
            if (element.deref() === undefined) elements.delete(name);
        }
    }

    function snapshot() {
        forget();
        const told = [];
        let truncated = false;
        const walker = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_ELEMENT, one =>
            skipped.has(one.tagName) ? NodeFilter.FILTER_REJECT
                : one.tagName === "INPUT" && one.type === "hidden" ? NodeFilter.FILTER_SKIP
                : isTold(one) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
        for (let one = walker.nextNode(); one; one = walker.nextNode()) {
            if (told.length >= settings.elements) {
                truncated = true;
                break;
            }
            told.push(describe(one));
        }
        const view = window.visualViewport;
        return {
            elements: told, truncated,
            viewport: view ? {x: view.offsetLeft, y: view.offsetTop, width: view.width, height: view.height} : undefined
        };
    }

    // MARK: What is posted

    function message(kind, more) {
        return JSON.stringify({kind, documentId, mainFrame: true, url: location.origin + location.pathname, ...more});
    }

    // Plain text asks for no permission beforehand; who may post is looked at there.
    const send = (body, more) => fetch(settings.address, {
        method: "POST", body, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", ...more
    });

    let posting = false;
    let again = false;
    async function post() {
        again = true;
        if (posting) return;
        posting = true;
        while (again && !left) {
            again = false;
            try {
                const answer = await send(message("snapshot", snapshot()));
                if (answer.status === 410) beginAnew();
            } catch (_) { /* The program is gone; the next change tries again. */ }
        }
        posting = false;
    }

    function beginAnew() {
        documentId = randomId();
        again = true;
    }

    let waiting;
    function postSoon() {
        if (waiting === undefined) waiting = setTimeout(() => { waiting = undefined; post(); }, 100);
    }

    // MARK: What is done

    function setValue(element, text) {
        if (element.tagName !== "INPUT" && element.tagName !== "TEXTAREA") throw new Error("no field");
        const type = element.tagName === "INPUT" ? HTMLInputElement : HTMLTextAreaElement;
        // Frameworks put setters of their own onto the element.
        Object.getOwnPropertyDescriptor(type.prototype, "value").set.call(element, text);
        element.dispatchEvent(new InputEvent("input", {bubbles: true, data: text, inputType: "insertReplacementText"}));
        element.dispatchEvent(new Event("change", {bubbles: true}));
    }

    function select(element, text) {
        if (element.tagName !== "SELECT") throw new Error("nothing to choose from");
        const option = Array.from(element.options).find(one => !one.disabled && (one.value === text || one.label === text));
        if (!option) throw new Error("no such option");
        element.value = option.value;
        element.dispatchEvent(new Event("input", {bubbles: true}));
        element.dispatchEvent(new Event("change", {bubbles: true}));
    }

    const actions = {
        click: element => element.click(),
        focus: element => element.focus(),
        insertText: (element, command) => {
            element.focus();
            if (isEditor(element)) document.execCommand("insertText", false, command.text);
            else setValue(element, element.value + command.text);
        },
        select: (element, command) => select(element, command.text),
        scroll: (element, command) => element.scrollBy(command.delta.x, command.delta.y),
        setValue: (element, command) => setValue(element, command.text),
        clear: element => isEditor(element) ? (element.textContent = "") : setValue(element, ""),
        scrollIntoView: element => element.scrollIntoView({block: "center", inline: "nearest"}),
        submit: element => {
            const form = element.form || element.closest("form");
            if (!form) throw new Error("no form");
            form.requestSubmit();
        }
    };

    function run(command) {
        const element = (elements.get(command.elementId) || {deref() {}}).deref();
        if (!element || !element.isConnected) throw new Error("the element is no longer in the document");
        if (!isEnabled(element)) throw new Error("the element is disabled");
        actions[command.kind](element, command);
    }

    async function work() {
        let pause = 100;
        while (!left) {
            try {
                const answer = await send(message("poll"));
                if (answer.status === 404 || answer.status === 403) return;
                if (answer.status === 410) {
                    beginAnew();
                    await post();
                    await new Promise(done => setTimeout(done, 100));
                } else if (answer.status === 200) {
                    const command = await answer.json();
                    let failed = false;
                    try { run(command); } catch (_) { failed = true; }
                    // It may have been the last thing that the document does.
                    send(message("result", {commandId: command.commandId, failed}), {keepalive: true}).catch(() => {});
                    post();
                }
                pause = 100;
            } catch (_) {
                await new Promise(done => setTimeout(done, pause));
                pause = Math.min(pause * 2, 5000);
            }
        }
    }

    // MARK: When

    new MutationObserver(post).observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true
    });
    for (const event of ["scroll", "focusin", "focusout", "input", "change"]) {
        document.addEventListener(event, postSoon, {capture: true, passive: true});
    }
    window.addEventListener("resize", postSoon);
    if (window.visualViewport) {
        window.visualViewport.addEventListener("resize", postSoon);
        window.visualViewport.addEventListener("scroll", postSoon);
    }
    window.addEventListener("load", post);
    window.addEventListener("pagehide", () => {
        left = true;
        navigator.sendBeacon(settings.address, message("bye"));
    });
    // Out of the cache of pages: another document, as far as the program is concerned.
    window.addEventListener("pageshow", event => {
        if (!event.persisted) return;
        left = false;
        documentId = randomId();
        post();
        work();
    });
    if (document.readyState !== "loading") post();
    else document.addEventListener("DOMContentLoaded", post);
    work();
})
