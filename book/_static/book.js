// The ledger's filter, the tracing of arrows on the map, the colours of the plots, and a sign of what can be scrolled.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  filterLedger();
  traceMap();
  colourPlots();
  openFolded();
});
window.addEventListener("load", () => Promise.resolve(window.MathJax?.startup?.promise).then(markScrolling));

// What a link leads to may lie in something folded: it is opened, and then found.
function openFolded() {
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target?.closest("details:not([open])");
    if (!folded) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  open();
}

function filterLedger() {
  const form = document.querySelector(".ledger-filter");
  if (!form) return;
  const rows = [...document.querySelectorAll("table.ledger tbody tr")];
  const show = () => {
    const { topic, verdict } = Object.fromEntries(new FormData(form));
    let shown = 0;
    for (const row of rows) {
      row.hidden = Boolean((topic && row.dataset.topic !== topic) || (verdict && row.dataset.verdict !== verdict));
      shown += !row.hidden;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} claims`;
  };
  form.addEventListener("change", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  // A link to a row that the filter hides shows the row again.
  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (row && row.hidden) {
      form.reset();
      show();
      row.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", reveal);
  show();
}

function markScrolling() {
  const mark = (node) => {
    const hidden = node.scrollWidth - node.clientWidth;
    node.classList.toggle("cut-left", hidden > 1 && node.scrollLeft > 1);
    node.classList.toggle("cut-right", hidden > 1 && node.scrollLeft < hidden - 1);
    if (hidden > 1 && !node.hasAttribute("tabindex")) node.tabIndex = 0; // the keyboard scrolls what has the focus
  };
  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  const wide = 'mjx-container[display="true"], .scroll, .claim-map, .book-plot, .highlight pre';
  for (const node of document.querySelectorAll(`article :is(${wide})`)) {
    sizes.observe(node);
    node.addEventListener("scroll", () => mark(node), { passive: true });
  }
}

function traceMap() {
  const graph = document.querySelector(".claim-map svg");
  if (!graph) return;
  const edges = [...graph.querySelectorAll(".edge")];
  const nodes = new Map([...graph.querySelectorAll(".claim")].map((node) => [node.dataset.id, node]));
  const reach = (start, from, to, near) => {
    const open = [start];
    while (open.length) {
      const id = open.pop();
      for (const edge of edges) {
        if (edge.dataset[from] !== id || near.has(edge)) continue;
        near.add(edge);
        open.push(edge.dataset[to]);
      }
    }
  };
  const trace = (id) => {
    const near = new Set();
    reach(id, "to", "from", near); // what it rests on
    reach(id, "from", "to", near); // what rests on it
    const ids = new Set([id]);
    for (const edge of near) ids.add(edge.dataset.from).add(edge.dataset.to);
    for (const edge of edges) edge.classList.toggle("near", near.has(edge));
    for (const [other, node] of nodes) node.classList.toggle("near", ids.has(other));
    graph.classList.toggle("traced", near.size > 0);
  };
  const clear = () => graph.classList.remove("traced");
  for (const [id, node] of nodes) {
    node.addEventListener("pointerenter", () => trace(id));
    node.addEventListener("focusin", () => trace(id));
    node.addEventListener("pointerleave", clear);
    node.addEventListener("focusout", clear);
  }
}

function colourPlots() {
  const plots = () => [...document.querySelectorAll(".book-plot .js-plotly-plot")];
  if (!window.Plotly || !plots().length) return;
  const colour = () => {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--pst-color-text-base").trim();
    const line = style.getPropertyValue("--book-line").trim();
    for (const plot of plots()) {
      const change = { "font.color": ink, "font.family": style.getPropertyValue("--book-ui").trim() };
      for (const axis of Object.keys(plot.layout).filter((key) => /^[xy]axis\d*$/.test(key))) {
        change[`${axis}.gridcolor`] = line;
        change[`${axis}.zerolinecolor`] = line;
        change[`${axis}.linecolor`] = line;
      }
      window.Plotly.relayout(plot, change);
      const inked = plot.data.map((trace, index) => (trace.meta === "ink" ? index : -1)).filter((index) => index >= 0);
      if (inked.length) window.Plotly.restyle(plot, { "line.color": ink }, inked);
    }
  };
  colour();
  new MutationObserver(colour).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}
