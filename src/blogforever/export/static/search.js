// Offline search: loads the words of the posts part by part and shows what holds all the words asked for.
// Archived words are only ever put into the page as text, never as mark-up.
(function () {
  "use strict";
  var form = document.getElementById("form"), box = document.getElementById("q");
  var list = document.getElementById("found"), told = document.getElementById("told");
  // Each file of words: where it lies, and of which blog it is where there are several.
  var parts = JSON.parse(list.dataset.shelves).flatMap(function (shelf) {
    return Array.from({ length: shelf[1] }, function (_, n) { return { folder: shelf[0], name: "search/" + n + ".js", blog: shelf[2] }; });
  });
  // What is said here, in the language of the page.
  var said = JSON.parse(list.dataset.words), plural = new Intl.PluralRules(said.locale);
  var total = parts.length, kept = {}, turn = 0, KEEP = 12, SHOWN = 100, AROUND = 90;

  function fold(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  // Each folded character with the place it came from, so that what was found can be marked in the real text.
  function places(text) {
    var plain = "", from = [], at = 0;
    for (var char of text) {
      var part = fold(char);
      for (var i = 0; i < part.length; i++) from.push(at);
      plain += part;
      at += char.length;
    }
    from.push(at);
    return { plain: plain, from: from };
  }

  function terms(query) {
    var found = [], match, pattern = /"([^"]+)"?|[^\s"]+/g;
    while ((match = pattern.exec(query))) {
      var word = fold(match[1] || match[0]).replace(/\s+/g, " ").trim();
      if (word && found.indexOf(word) < 0) found.push(word);
    }
    return found;
  }

  function count(text, word) {
    var n = 0, at = text.indexOf(word);
    while (at >= 0 && n < 20) { n++; at = text.indexOf(word, at + word.length); }
    return n;
  }

  function score(row, words) {
    if (!row.f) row.f = [fold(row.t), fold(row.n), fold(row.x), fold(row.c)];
    var sum = 0;
    for (var word of words) {
      var one = 10 * count(row.f[0], word) + 5 * count(row.f[1], word) + Math.min(5, count(row.f[2], word)) + Math.min(2, count(row.f[3], word));
      if (!one) return 0;
      sum += one;
    }
    return sum;
  }

  function marked(element, text, words, whole) {
    var map = places(text), spots = [];
    for (var word of words) {
      for (var at = map.plain.indexOf(word); at >= 0 && spots.length < 200; at = map.plain.indexOf(word, at + word.length))
        spots.push([map.from[at], map.from[at + word.length - 1] + 1]);
    }
    spots.sort(function (a, b) { return a[0] - b[0]; });
    var start = 0, end = text.length;
    if (!whole) {
      start = spots.length ? Math.max(0, spots[0][0] - AROUND) : 0;
      if (start) { var space = text.indexOf(" ", start); start = space >= 0 && space < spots[0][0] ? space + 1 : start; }
      end = Math.min(text.length, start + 3 * AROUND);
    }
    var place = start;
    if (start) element.append("… ");
    for (var spot of spots) {
      if (spot[0] < place || spot[1] > end) continue;
      element.append(text.slice(place, spot[0]));
      var mark = document.createElement("mark");
      mark.textContent = text.slice(spot[0], spot[1]);
      element.append(mark);
      place = spot[1];
    }
    element.append(text.slice(place, end) + (end < text.length ? " …" : ""));
    return element;
  }

  function make(tag, name) {
    var element = document.createElement(tag);
    if (name) element.className = name;
    return element;
  }

  function say(name, places) {
    return said[name].replace(/\{(\w+)\}/g, function (_, place) { return places[place]; });
  }

  function number(value, style) {
    return value.toLocaleString(said.locale, { numberingSystem: "latn", style: style || "decimal" });
  }

  function posts(value) {
    return (said.posts[plural.select(value)] || said.posts.other).replace("{n}", number(value));
  }

  // As far as a date goes; always by the calendar that dates are kept in.
  function day(iso) {
    var m = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/.exec(iso);
    if (!m) return said.no_date;
    var at = new Date(0), form = { timeZone: "UTC", calendar: "gregory", numberingSystem: "latn", year: "numeric" };
    at.setUTCFullYear(Number(m[1]), m[2] ? Number(m[2]) - 1 : 0, m[3] ? Number(m[3]) : 1);
    if (m[2]) form.month = "long";
    if (m[3]) form.day = "numeric";
    return at.toLocaleDateString(said.locale, form);
  }

  function card(hit, words) {
    var row = hit.row, outer = make("article", "card"), inner = make("div"), when = make("p", "when");
    var heading = make("h2"), link = make("a");
    outer.dir = "auto";
    // The words of the page stand in its language; the direction of a card is that of the post.
    when.lang = document.documentElement.lang;
    when.dir = document.documentElement.dir;
    when.append(day(row.d));
    if (hit.part.blog) when.append(" · " + hit.part.blog);
    if (row.n) { when.append(" · "); marked(when, row.n, words, true); }
    link.href = hit.part.folder + row.p;
    heading.append(marked(link, row.t, words, true));
    var inText = words.some(function (word) { return row.f[2].indexOf(word) >= 0; });
    var inComments = words.some(function (word) { return row.f[3].indexOf(word) >= 0; });
    inner.append(when, heading, marked(make("p"), inText || !inComments ? row.x : row.c, words, false));
    outer.append(inner);
    return outer;
  }

  function show(hits, words, searched) {
    hits.sort(function (a, b) { return b.score - a.score || (a.row.d < b.row.d ? 1 : -1); });
    list.replaceChildren.apply(list, hits.slice(0, SHOWN).map(function (hit) { return card(hit, words); }));
    var text = posts(hits.length);
    if (hits.length > SHOWN) text += " \u00b7 " + say("search_best", { number: number(SHOWN) });
    if (searched < total) text += " (" + say("search_so_far", { share: number(searched / total, "percent") }) + ")";
    told.textContent = text;
  }

  function load(number, then) {
    if (kept[number]) return then(kept[number]);
    var script = make("script");
    script.onload = function () {
      var rows = kept[number] || [];
      if (total > KEEP) delete kept[number];
      script.remove();
      then(rows);
    };
    script.onerror = function () { told.textContent = say("search_missing", { file: script.getAttribute("src") }); };
    script.dataset.part = number;
    script.src = parts[number].folder + parts[number].name;
    document.head.append(script);
  }

  // Files of several blogs have the same numbers: which one speaks is told by the element that loaded it.
  window.blogforeverPart = function (_number, rows) { kept[document.currentScript.dataset.part] = rows; };

  function search() {
    var words = terms(box.value), mine = ++turn, hits = [];
    try { history.replaceState(null, "", "?q=" + encodeURIComponent(box.value)); } catch (error) { /* some browsers forbid it on disk */ }
    if (!words.length) { list.replaceChildren(); told.textContent = ""; return; }
    (function next(number) {
      if (mine !== turn) return;
      if (number >= total) return show(hits, words, total);
      load(number, function (rows) {
        for (var row of rows) {
          var points = score(row, words);
          if (points) hits.push({ row: row, score: points, part: parts[number] });
        }
        if (total > KEEP && mine === turn) show(hits, words, number + 1);
        next(number + 1);
      });
    })(0);
  }

  var waiting;
  form.addEventListener("submit", function (event) { event.preventDefault(); search(); });
  box.addEventListener("input", function () { clearTimeout(waiting); waiting = setTimeout(search, 150); });
  box.value = new URLSearchParams(location.search).get("q") || "";
  if (box.value) search();
})();
