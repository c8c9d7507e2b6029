// SPDX-License-Identifier: Apache-2.0
// Runs in a page: tells the program what the page shows, and does the few things that it is asked to.
(function (settings) {
    "use strict";
    // A frame's elements could answer for others: only the main frame speaks.
    if (window.top !== window || window.vakaObservation) return;
    Object.defineProperty(window, "vakaObservation", {value: true});

    // A form's controls hide what it is itself, by their names, and so do a document's forms and images: whatever may be
    // one of the two is asked past them.
    const read = (one, name) => Reflect.get(Object.getPrototypeOf(one), name, one);
    const call = (one, name, ...given) => Reflect.apply(read(one, name), one, given);
    const attribute = (element, name) => call(element, "getAttribute", name) || "";
    const tagOf = element => read(element, "tagName");

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

    const isMasked = element => call(element, "closest", "[data-vaka-mask]") !== null;
    const isEditor = element => read(element, "isContentEditable");
    const isField = element => ["INPUT", "TEXTAREA", "SELECT"].includes(tagOf(element));
    const isButton = element => tagOf(element) === "INPUT" && buttons.includes(element.type);
    const isSecret = element => ["password", "file"].includes(read(element, "type"))
        || secretHints.test(attribute(element, "autocomplete").toLowerCase());

    function isShown(element, box) {
        if (box.width <= 0 || box.height <= 0) return false;
        if (typeof read(element, "checkVisibility") === "function") {
            return call(element, "checkVisibility", {
                opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true, checkOpacity: true,
                checkVisibilityCSS: true
            });
        }
        const style = getComputedStyle(element);
        return style.display !== "none" && style.visibility === "visible";
    }

    const isEnabled = element => !call(element, "matches", ":disabled")
        && attribute(element, "aria-disabled") !== "true" && call(element, "closest", "[inert]") === null;

    // Without what is masked, and what is typed.
    function textOf(node, deep) {
        let text = "";
        for (const child of read(node, "childNodes")) {
            const type = read(child, "nodeType");
            if (type === Node.TEXT_NODE) text += child.data;
            else if (deep && type === Node.ELEMENT_NODE && !skipped.has(tagOf(child)) && !isField(child)
                && !isEditor(child) && !call(child, "hasAttribute", "data-vaka-mask")) text += " " + textOf(child, true);
            if (text.length > settings.text) break;
        }
        return text;
    }

    // Elements that a page makes up may say anything of themselves.
    const tidy = text => typeof text === "string"
        ? text.replace(/\s+/g, " ").trim().slice(0, settings.text) || undefined : undefined;

    function labelOf(element) {
        const named = attribute(element, "aria-label");
        if (named) return tidy(named);
        const by = attribute(element, "aria-labelledby").split(/\s+/).filter(Boolean)
            .map(id => call(document, "getElementById", id))
            .filter(one => one && !isMasked(one) && !isEditor(one) && !isField(one));
        if (by.length > 0) return tidy(by.map(one => textOf(one, true)).join(" "));
        if (isButton(element)) return tidy(element.value || element.alt || element.type);
        if (isField(element)) {
            const labels = Array.from(element.labels || []).filter(one => !isMasked(one)).map(one => textOf(one, true)).join(" ");
            return tidy(labels) || tidy(element.placeholder || element.title || "");
        }
        if (isEditor(element)) return tidy(read(element, "title"));
        const alternative = read(element, "alt");
        if (alternative) return tidy(alternative);
        return tidy(textOf(element, call(element, "matches", interactive))) || tidy(read(element, "title"));
    }

    function valueOf(element) {
        if (isField(element) && !isButton(element)) {
            if (tagOf(element) === "SELECT") return Array.from(element.selectedOptions, one => one.label).join(", ");
            if (element.type === "checkbox" || element.type === "radio") return String(element.checked);
            return element.value;
        }
        return isEditor(element) ? read(element, "innerText") : undefined;
    }

    function describe(element) {
        const box = call(element, "getBoundingClientRect");
        const told = {
            id: nameOf(element), role: (attribute(element, "role") || tagOf(element)).toLowerCase().slice(0, 64),
            bounds: {x: box.x, y: box.y, width: box.width, height: box.height}, enabled: isEnabled(element),
            visible: isShown(element, box), focused: read(document, "activeElement") === element
        };
        if (tagOf(element) === "INPUT") told.inputType = element.type;
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

    const isTold = element => tagOf(element) === "IMG" || call(element, "matches", interactive)
        || (!isEditor(element) && Array.from(read(element, "childNodes"))
            .some(one => read(one, "nodeType") === Node.TEXT_NODE && one.data.trim()));

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
        const root = read(document, "body") || read(document, "documentElement");
        const walker = call(document, "createTreeWalker", root, NodeFilter.SHOW_ELEMENT, one =>
            skipped.has(tagOf(one)) ? NodeFilter.FILTER_REJECT
                : tagOf(one) === "INPUT" && one.type === "hidden" ? NodeFilter.FILTER_SKIP
                : isTold(one) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
        for (let one = walker.nextNode(); one; one = walker.nextNode()) {
            if (told.length >= settings.elements) {
                truncated = true;
                break;
            }
            // One that cannot be described does not silence the others.
            try { told.push(describe(one)); } catch (_) { /* It is left out. */ }
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
        if (!["INPUT", "TEXTAREA"].includes(tagOf(element))) throw new Error("no field");
        const type = tagOf(element) === "INPUT" ? HTMLInputElement : HTMLTextAreaElement;
        // Frameworks put setters of their own onto the element.
        Object.getOwnPropertyDescriptor(type.prototype, "value").set.call(element, text);
        element.dispatchEvent(new InputEvent("input", {bubbles: true, data: text, inputType: "insertReplacementText"}));
        element.dispatchEvent(new Event("change", {bubbles: true}));
    }

    function select(element, text) {
        if (tagOf(element) !== "SELECT") throw new Error("nothing to choose from");
        const option = Array.from(element.options).find(one => !one.disabled && (one.value === text || one.label === text));
        if (!option) throw new Error("no such option");
        element.value = option.value;
        element.dispatchEvent(new Event("input", {bubbles: true}));
        element.dispatchEvent(new Event("change", {bubbles: true}));
    }

    const actions = {
        click: element => call(element, "click"),
        focus: element => call(element, "focus"),
        insertText: (element, command) => {
            call(element, "focus");
            if (isEditor(element)) call(document, "execCommand", "insertText", false, command.text);
            else setValue(element, element.value + command.text);
        },
        select: (element, command) => select(element, command.text),
        scroll: (element, command) => call(element, "scrollBy", command.delta.x, command.delta.y),
        setValue: (element, command) => setValue(element, command.text),
        clear: element => isEditor(element) ? call(element, "replaceChildren") : setValue(element, ""),
        scrollIntoView: element => call(element, "scrollIntoView", {block: "center", inline: "nearest"}),
        submit: element => {
            const form = read(element, "form") || call(element, "closest", "form");
            if (!form) throw new Error("no form");
            call(form, "requestSubmit");
        }
    };

    function run(command) {
        const element = (elements.get(command.elementId) || {deref() {}}).deref();
        if (!element || !read(element, "isConnected")) throw new Error("the element is no longer in the document");
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
        call(document, "addEventListener", event, postSoon, {capture: true, passive: true});
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
    if (read(document, "readyState") !== "loading") post();
    else call(document, "addEventListener", "DOMContentLoaded", post);
    work();
})
