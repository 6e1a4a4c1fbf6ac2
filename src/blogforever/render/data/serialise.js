// The document as it stands now, as one HTML text that parsers read like any page: shadow roots in the place of
// their hosts' children, slots filled, frames' texts in the place of the frames. No recursion: scripts nest as deep as they like.
({ frames, inside, limit }) => {
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const RAW = new Set("script style xmp noembed noframes plaintext noscript iframe".split(" "));
  const ADDRESSES = { a: "href", area: "href", img: "src", source: "src", video: "src", audio: "src", embed: "src" };
  const texts = new Map(frames.map(({ element, ...rest }) => [element, rest]));
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quote = (text) => text.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/"/g, "&quot;");
  const parts = [];
  let length = 0, cut = false;
  const write = (text) => {
    if (cut || (length += text.length) > limit) { cut = true; return; }
    parts.push(text);
  };
  const address = (el, name, value) => {
    if (!inside || ADDRESSES[el.localName] !== name || value.startsWith("#")) return value;
    try { return new URL(value, document.baseURI).href; } catch { return value; }
  };
  const tag = (el) => (el.localName === "frameset" ? "div" : el.localName);
  const open = (el, name) => {
    let text = `<${name}`;
    for (const { name: key, value } of el.attributes)
      if (/^[^\s"'<>/=\u0000]+$/.test(key) && !(inside && key === "srcset")) text += ` ${key}="${quote(address(el, key, value))}"`;
    write(text + ">");
  };
  const children = (el) => {
    const shadow = window.__shadow ? window.__shadow(el) : el.shadowRoot; // a frame without scripts has no __shadow
    if (shadow) return shadow.childNodes;
    if (el.localName === "template" && el.content) return el.content.childNodes;
    if (el.localName === "slot" && el.getRootNode() instanceof ShadowRoot) {
      const given = el.assignedNodes();
      if (given.length) return given;
    }
    return el.childNodes;
  };
  const frame = (el) => {
    const { url, html, shown } = texts.get(el) || {};
    if (el.localName === "iframe") { open(el, "iframe"); write("</iframe>"); }
    if (html === undefined) return;
    const name = shown ? "div" : "template";
    write(`<${name} data-frame="${quote(url)}">${html}</${name}>`);
  };
  const stack = inside ? [...(document.body?.childNodes || [])].reverse() : [...document.childNodes].reverse();
  while (stack.length && !cut) {
    const node = stack.pop();
    if (typeof node === "string") { write(node); continue; }
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
      write(RAW.has(node.parentNode?.localName) ? node.data : escape(node.data));
    } else if (node.nodeType === Node.COMMENT_NODE) {
      if (!/--|^-?>|-$/.test(node.data)) write(`<!--${node.data}-->`);
    } else if (node.nodeType === Node.DOCUMENT_TYPE_NODE) {
      write(`<!DOCTYPE ${node.name}>`);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      if (["iframe", "frame"].includes(node.localName)) { frame(node); continue; }
      const name = tag(node);
      open(node, name);
      if (VOID.has(name)) continue;
      stack.push(`</${name}>`);
      const below = children(node);
      for (let n = below.length - 1; n >= 0; n--) stack.push(below[n]);
    }
  }
  while (cut && stack.length) { const left = stack.pop(); if (typeof left === "string") parts.push(left); }
  return { html: parts.join(""), cut };
}
