// Runs before any script of a page, in each of its frames: nothing may wait for a person or open another window.
(() => {
  const nothing = () => undefined;
  window.alert = window.print = nothing;
  window.confirm = () => false;
  window.prompt = window.open = () => null;
  // Where scripts take a visitor without loading a page is a link like any other.
  const visited = [];
  const note = () => { if (visited.length < 500) visited.push(location.href); };
  for (const name of ["pushState", "replaceState"]) {
    const own = history[name].bind(history);
    history[name] = (...given) => { const result = own(...given); note(); return result; };
  }
  window.addEventListener("hashchange", note);
  Object.defineProperty(window, "__visited", { value: () => visited.slice(), enumerable: false });
  // A visitor sees what stands in a closed shadow root too; the page's own scripts still find it closed.
  const closed = new WeakMap(), attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(...given) {
    const root = attach.apply(this, given);
    if (root.mode === "closed") closed.set(this, root);
    return root;
  };
  Object.defineProperty(window, "__shadow", { value: (el) => el.shadowRoot || closed.get(el), enumerable: false });
})();
