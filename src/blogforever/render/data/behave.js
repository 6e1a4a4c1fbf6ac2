// What the browser does inside one document: measure it, hide banners, open what is folded, click what shows more.
// Evaluated once per frame; everything it knows comes in as data, everything it keeps lives in the object it returns.
(data) => {
  const MOST_ROOTS = 500, MOST_CANDIDATES = 4000, LONGEST_LABEL = 60, LONGEST_BANNER = 2000, BARREN = 3, NEAR = 6;
  const CANDIDATES =
    "button, summary, input[type=button], a, [role=button], [onclick], [tabindex='0']," +
    "[class*='load-more' i], [class*='loadmore' i], [class*='show-more' i], [class*='read-more' i], [class*='more-comments' i]";
  const AROUND = /comment|repl(y|ies)|respon[ds]|discuss|thread|kommentar|commentaire|comentario/i;
  const APART = /share|social|login|signin|signup|subscri|newsletter|cookie|consent|vote|rating|menu|dropdown|carousel/i;
  const NUMBER = /\d/;
  const spaced = /^[\p{L}\p{M}\p{N}'’·‌-]+( [\p{L}\p{M}\p{N}'’·‌-]+)*$/u;
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  const pattern = (words) => {
    if (!words || !words.length) return null;
    const escaped = words.map((w) => {
      const plain = w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return unspaced.test(w) || !spaced.test(w) ? plain : `(?<![\\p{L}\\p{M}])${plain}(?![\\p{L}\\p{M}])`;
    });
    return new RegExp(escaped.join("|"), "iu");
  };
  const languages = Object.fromEntries(
    Object.entries(data.words).map(([name, table]) => [
      name,
      Object.fromEntries(Object.entries(table).map(([kind, words]) => [kind, pattern(words)])),
    ]),
  );
  const spoken = () => {
    const own = (document.documentElement?.lang || data.language || "").toLowerCase().split(/[-_]/)[0];
    const name = { no: "nb", nn: "nb", in: "id", iw: "he", bs: "hr", sl: "hr" }[own] || own;
    const names = languages[name] ? [name, "en"] : Object.keys(languages);
    return names.map((one) => languages[one]);
  };

  // ---------------------------------------------------------------- the document, with its shadow roots

  let known = [document], looked = -Infinity;
  const roots = () => {
    if (performance.now() - looked < 50) return known;
    const found = [document];
    for (let n = 0; n < found.length && found.length < MOST_ROOTS; n++) {
      const walker = document.createTreeWalker(found[n], NodeFilter.SHOW_ELEMENT);
      for (let node = walker.nextNode(); node && found.length < MOST_ROOTS; node = walker.nextNode()) {
        const shadow = window.__shadow ? window.__shadow(node) : node.shadowRoot;
        if (shadow) found.push(shadow);
      }
    }
    [known, looked] = [found, performance.now()];
    return found;
  };
  const all = (css) => roots().flatMap((root) => {
    try { return [...root.querySelectorAll(css)]; } catch { return []; }
  });
  const size = () => roots().reduce((sum, root) => {
    const tops = root === document ? [document.body] : [...root.children];
    return sum + tops.reduce((part, top) => part + (top?.innerText || "").length, 0);
  }, 0);
  const visible = (el) =>
    el.getClientRects().length > 0 && (el.checkVisibility ? el.checkVisibility({ visibilityProperty: true }) : true);
  const around = (el) => {
    const names = [];
    for (let node = el, level = 0; node && level < 12; node = node.parentElement || node.getRootNode()?.host, level++)
      names.push(node);
    return names;
  };
  const named = (node) => `${node.id || ""} ${node.getAttribute?.("class") || ""}`;

  // ---------------------------------------------------------------- what may be clicked

  const stays = (link) => {
    const href = (link.getAttribute("href") || "").trim();
    // What stands after # may be the address of another page to the scripts: the older post, the next one.
    const route = /#(!?\/.*)$/.exec(href);
    if (route && `#${route[1]}` !== location.hash) return false;
    if (!href || href.startsWith("#") || /^javascript:/i.test(href)) return true;
    try {
      const to = new URL(href, document.baseURI), here = new URL(location.href);
      return href.includes("#") && to.origin + to.pathname + to.search === here.origin + here.pathname + here.search;
    } catch { return false; }
  };
  const submits = (el) => {
    const form = el.closest("form");
    return !!form && !(el.tagName === "A" || el.type === "button" || (el.tagName !== "BUTTON" && el.tagName !== "INPUT"));
  };
  const harmless = (el) => {
    const link = el.closest("a");
    if (link && (!stays(link) || link.hasAttribute("download") || link.target === "_blank")) return false;
    if (el.disabled || el.getAttribute("aria-disabled") === "true" || el.getAttribute("aria-expanded") === "true") return false;
    if (el.hasAttribute("aria-haspopup") || submits(el)) return false;
    return visible(el);
  };
  const apart = (el) =>
    around(el).some((node, level) => {
      if (AROUND.test(named(node)) || node === document.body || node === document.documentElement) return false;
      if (["NAV", "HEADER", "FOOTER"].includes(node.tagName)) return node.parentElement === document.body;
      return level < NEAR && APART.test(named(node));
    });
  const label = (el) => {
    const text = clean(el.innerText || el.value || el.textContent);
    return text || clean(el.getAttribute("aria-label") || el.getAttribute("title"));
  };
  const meaning = (text, el) => {
    const beside = around(el).slice(0, 8).some((node) => AROUND.test(named(node)));
    for (const words of spoken()) {
      if (words.avoid?.test(text) || languages.en.avoid.test(text)) continue;
      const has = (kind) => !!words[kind]?.test(text);
      if (has("things") && (has("show") || has("more") || has("hidden") || NUMBER.test(text))) return "comments";
      if (has("hidden") && NUMBER.test(text)) return "comments";
      if (has("fold") && !beside) return "text";
      if (has("fold") || (has("show") && has("more")) || (has("more") && NUMBER.test(text))) return beside ? "comments" : "more";
    }
    return null;
  };

  const state = { done: new WeakSet(), barren: new Map(), current: null };
  const untried = (el, text) => !state.done.has(el) && (state.barren.get(text) || 0) < BARREN;
  const control = () => {
    for (const css of data.controls)
      for (const el of all(css)) {
        const text = label(el);
        if (untried(el, text) && harmless(el)) return { el, text, kind: "comments" };
      }
    return null;
  };
  const recognised = () => {
    for (const el of all(CANDIDATES).slice(0, MOST_CANDIDATES)) {
      if (state.done.has(el)) continue;
      const text = label(el);
      if (!text || text.length > LONGEST_LABEL || !untried(el, text)) continue;
      const kind = meaning(text, el);
      if (kind && harmless(el) && !apart(el)) return { el, text, kind };
    }
    return null;
  };
  const press = (el) => { el.scrollIntoView({ block: "center", behavior: "instant" }); el.click(); };

  // Last in line, so that the page's own handlers run, and what is left of the click leads nowhere.
  window.addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node.tagName === "A" && node.hasAttribute("href"));
    if (link && !stays(link)) event.preventDefault();
  });
  window.addEventListener("submit", (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);

  return {
    size,
    height: () => document.scrollingElement?.scrollHeight || 0,
    seen: (css) => { try { return all(css).length > 0; } catch { return false; } },
    down: () => { // a screen further; at the end, how high the page is
      const page = document.scrollingElement || document.documentElement;
      window.scrollBy({ top: Math.max(innerHeight * 0.9, 200), behavior: "instant" });
      return page.scrollTop + innerHeight >= page.scrollHeight - 4 ? page.scrollHeight : 0;
    },
    up: () => window.scrollTo({ top: 0, behavior: "instant" }),
    hide: () => {
      const words = pattern(data.consent.words);
      const pinned = (el) => ["fixed", "sticky"].includes(getComputedStyle(el).position);
      const asks = (el) => {
        const text = clean(el.innerText);
        return text.length > 0 && text.length < LONGEST_BANNER && words.test(text) && !!el.querySelector("button, a, input, [role=button]");
      };
      // What holds the page itself is no banner, wherever it is pinned and whatever it speaks of.
      const holds = (el) => el.matches("header, nav, main, article") || !!el.querySelector("main, article, h1, [role=main]");
      const found = new Set(data.consent.banners.flatMap((css) => all(css)));
      const tops = [...document.querySelectorAll("body > *, body > * > *, [role=dialog], [role=alertdialog]")].slice(0, 2000);
      for (const el of tops) if (visible(el) && pinned(el) && asks(el)) found.add(el);
      const hidden = [...found].filter((el) => el !== document.body && el !== document.documentElement && visible(el) && !holds(el));
      for (const el of hidden) el.style.setProperty("display", "none", "important");
      if (hidden.length)
        for (const el of [document.body, document.documentElement])
          if (el && getComputedStyle(el).overflowY === "hidden") el.style.setProperty("overflow", "visible", "important");
      return hidden.length;
    },
    unfold: () => {
      const folded = all("details:not([open])").filter((el) => !apart(el)).slice(0, 500);
      for (const el of folded) el.open = true;
      return folded.length;
    },
    click: () => {
      const found = control() || recognised();
      if (!found) return null;
      state.current = { ...found, before: size() };
      state.done.add(found.el);
      press(found.el);
      return { label: found.text, kind: found.kind, before: state.current.before };
    },
    clicked: (grew) => {
      const { el, text, before } = state.current;
      if (grew) {
        state.barren.delete(text);
        if (el.isConnected && label(el) === text) state.done.delete(el); // it may bring the next page
        return;
      }
      state.barren.set(text, (state.barren.get(text) || 0) + 1);
      if (el.isConnected && size() < before) press(el); // a switch: show again what it took away
    },
  };
}
