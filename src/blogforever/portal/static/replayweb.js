// Shows an archived page in ReplayWeb.page, at the origin of archived things; what is shown stands in the page's data.
const view = document.createElement("replay-web-page")
const asked = document.body.dataset
const how = {embed: "replay-only", replayBase: "/replay/", source: asked.source, url: asked.url, ts: asked.moment}
for (const [name, value] of Object.entries(how)) view.setAttribute(name, value)
document.body.append(view)
