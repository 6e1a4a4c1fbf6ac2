// A list whose entries are no links, but open on a click: which they are, and a click on one of them.
// They look alike, say different things, hold no link and are to be clicked; whatever stands once, or says the same
// each time (a vote, a reply, a share), is no entry.
() => {
  const MOST_ELEMENTS = 20000, FEWEST = 3, SHORTEST = 12, LONGEST = 2000;
  const APART = /comment|repl(y|ies)|share|social|login|sign|subscri|newsletter|cookie|consent|vote|rating|menu|nav|dropdown|carousel|tab/i;
  const CONTROLS = "a[href], button, input, select, textarea, form, label, summary, video, audio, iframe";
  const named = (el) => `${el.id} ${el.getAttribute("class") || ""} ${el.getAttribute("role") || ""}`;
  const opens = (el) =>
    el.hasAttribute("onclick") || el.getAttribute("role") === "link" || getComputedStyle(el).cursor === "pointer";
  const says = (el) => (el.innerText || "").replace(/\s+/g, " ").trim();
  const look = (el) => `${el.parentElement.localName}.${el.parentElement.className}>${el.localName}.${el.className}`;
  const apart = (el) => {
    for (let node = el, level = 0; node && level < 4; node = node.parentElement, level++)
      if (APART.test(named(node)) || ["NAV", "HEADER", "FOOTER"].includes(node.tagName)) return true;
    return false;
  };
  const entry = (el) =>
    el.parentElement && opens(el) && !opens(el.parentElement) && el.getClientRects().length > 0 &&
    !el.closest(CONTROLS) && !el.querySelector(CONTROLS) && !apart(el);
  const groups = () => {
    const found = new Map();
    for (const el of [...document.body.getElementsByTagName("*")].slice(0, MOST_ELEMENTS))
      if (entry(el)) found.set(look(el), [...(found.get(look(el)) || []), el]);
    return [...found.entries()];
  };
  const told = (els) => els.map(says).filter((text) => text.length >= SHORTEST && text.length <= LONGEST);
  const list = () => groups()
    .filter(([, els]) => els.length >= FEWEST && told(els).length === els.length && new Set(told(els)).size === els.length)
    .sort((one, other) => other[1].length - one[1].length)[0];
  const [kind, first] = list() || ["", []];
  const again = () => (groups().find(([name]) => name === kind) || ["", []])[1];
  return {
    count: () => first.length,
    there: (n) => again().length > n,
    click: (n) => { const el = again()[n]; el?.scrollIntoView({ block: "center", behavior: "instant" }); el?.click(); return !!el; },
  };
}
