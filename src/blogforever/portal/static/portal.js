// What pages do beyond links and forms; everything works without it.
"use strict";

// Keys: ? shows them; g then a letter goes to a screen; / searches; a adds; j, k, Enter walk through a list (data-keys);
// p, n go to the older and the newer post, u back to the list, v to the archived page.
const places = { h: "/", o: "/output", s: "/sources", r: "/review", l: "/lists", y: "/system", t: "/settings" };
let waitsForPlace = false;

function isTyping(target) {
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

function focusOn(selector) {
  const found = document.querySelector(selector);
  if (found) { found.focus(); found.select?.(); }
  return Boolean(found);
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-keys] > *")].filter((row) => row.querySelector("a, button"));
  if (!rows.length) return false;
  const now = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.min(rows.length - 1, Math.max(0, now + by))];
  // What a row is about is its heading, which need not be its first link: that may lead to the blog.
  (next.querySelector("h2 a, h3 a, th a") ?? next.querySelector("a, button")).focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function follow(selector) {
  const found = document.querySelector(selector);
  if (found) location.href = found.href;
  return Boolean(found);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (waitsForPlace) {
    waitsForPlace = false;
    if (places[event.key]) { location.href = places[event.key]; event.preventDefault(); }
    return;
  }
  const deeds = {
    g: () => { waitsForPlace = true; return true; },
    "/": () => focusOn("input[type=search]"),
    a: () => focusOn("#quick-add"),
    // A post is a place in the list of its blog, newest first: down is older.
    j: () => step(1) || follow("a[rel=prev]"),
    k: () => step(-1) || follow("a[rel=next]"),
    u: () => follow("a[rel=up]"),
    v: () => follow("[data-keys] > :focus-within a[href$='/archived'], .postbar a[href$='/archived']"),
    p: () => follow("a[rel=prev]"),
    n: () => follow("a[rel=next]"),
    "?": () => { document.querySelector("#keys")?.showModal(); return true; },
  };
  if (deeds[event.key]?.()) event.preventDefault();
}

document.addEventListener("keydown", onKey);

// A box that chooses all rows of its table.
document.addEventListener("change", (event) => {
  const box = event.target.closest("input[data-all]");
  if (!box) return;
  for (const one of document.querySelectorAll(`input[name="${box.dataset.all}"]`)) one.checked = box.checked;
});

// What is not filled in does not go into the address of a search: it is to be kept and handed on.
document.addEventListener("formdata", (event) => {
  if (event.target.method !== "get") return;
  for (const name of new Set(event.formData.keys())) {
    if (event.formData.getAll(name).every((value) => value === "")) event.formData.delete(name);
  }
});

// A button that copies what stands before it; browsers give the clipboard to pages of this machine and of https only.
for (const one of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small copy";
  button.textContent = one.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(one.textContent.trim());
    button.textContent = one.dataset.copied;
  });
  one.after(button);
}

// A list shows pictures of posts: smileys and buttons, smaller than this on a side, are none; nor is what did not load.
const smallestPicture = 64;
function weigh(picture) {
  if (Math.min(picture.naturalWidth, picture.naturalHeight) < smallestPicture) picture.remove();
}
for (const one of document.querySelectorAll("img.thumbnail")) {
  if (one.complete && one.naturalWidth) weigh(one);
  one.addEventListener("load", () => weigh(one));
  one.addEventListener("error", () => one.remove());
}

// The menu of the phone closes with Escape.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelector("#menu[open]")?.removeAttribute("open");
});

// A click on an archived page, which is in a frame without an origin: on to what it would mean as a rule.
window.addEventListener("message", (event) => {
  const frame = document.querySelector("iframe[data-picked]");
  const number = event.data?.picked;
  if (!frame || event.source !== frame.contentWindow || !Number.isInteger(number) || number < 0) return;
  location.href = `${frame.dataset.picked}&pick=${number}#picked`;
});

// What somebody has unfolded stays so when the part of the page that lives is fetched anew.
const unfolded = new Set();
document.addEventListener("htmx:beforeSwap", (event) => {
  unfolded.clear();
  for (const one of event.target.querySelectorAll("details[id][open]")) unfolded.add(one.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
});

// A form that takes a while says so, and is not sent twice.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.dataset.busy || event.defaultPrevented) return;
  // After the form was read: a button that is disabled would not be sent.
  setTimeout(() => { button.disabled = true; button.textContent = button.dataset.busy; });
});
// Whoever comes back finds the form as it was.
window.addEventListener("pageshow", (event) => { if (event.persisted && document.querySelector("[data-busy]:disabled")) location.reload(); });

// What was typed into a form that could not be done stands there again for who goes back to it: browsers forget it.
// Passwords and files are typed and chosen anew.
const anew = ["hidden", "password", "file", "submit", "button", "fieldset"];
const typedFields = (form) => [...form.elements].filter((one) => one.name && !anew.includes(one.type));
const thisPage = () => location.pathname + location.search;
function keepTyped(form) {
  const fields = typedFields(form).map((one) => [one.name, one.value, one.checked]);
  const number = [...document.forms].indexOf(form);
  sessionStorage.setItem("typed", JSON.stringify({ page: thisPage(), number, action: form.getAttribute("action"), fields }));
}
function typeAgain() {
  const typed = JSON.parse(sessionStorage.getItem("typed"));
  if (!typed) return;
  const isRefused = Boolean(document.querySelector("[data-refused]"));
  if (isRefused) return sessionStorage.setItem("typed", JSON.stringify({ ...typed, isRefused }));
  sessionStorage.removeItem("typed");
  const form = document.forms[typed.number];
  if (!typed.isRefused || typed.page !== thisPage() || form?.getAttribute("action") !== typed.action) return;
  typedFields(form).forEach((one, place) => {
    const [name, value, checked] = typed.fields[place] ?? [];
    if (one.name !== name) return;
    one.value = value;
    if (checked !== undefined) one.checked = checked;
  });
  form.closest("details")?.setAttribute("open", "");
  form.scrollIntoView({ block: "center" });
}
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
  try { keepTyped(event.target); } catch { /* A text that is too long, or a browser that lets no page keep anything. */ }
});
try { typeAgain(); } catch { /* The same browser. */ }
