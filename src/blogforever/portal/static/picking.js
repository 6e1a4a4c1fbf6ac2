// On an archived page that rules are picked from, in a frame without an origin: tells the portal what was clicked.
"use strict";

const NUMBER = "data-blogforever-number";
let pointed = null;

function elementAt(event) {
  return event.target.closest?.(`[${NUMBER}]`) ?? null;
}

document.addEventListener("mouseover", (event) => {
  pointed?.removeAttribute("data-blogforever-pointed");
  pointed = elementAt(event);
  pointed?.setAttribute("data-blogforever-pointed", "yes");
});

document.addEventListener("click", (event) => {
  event.preventDefault();
  event.stopPropagation();
  const element = elementAt(event);
  if (element) parent.postMessage({ picked: Number(element.getAttribute(NUMBER)) }, "*");
}, true);

// By our own window alone: scrollIntoView would move the page around us, too, while somebody is about to click there.
const found = document.querySelector("[data-blogforever-found]");
if (found) window.scrollTo({ top: found.getBoundingClientRect().top + window.scrollY - window.innerHeight / 2 });
