"use strict";
(() => {
  const table = document.getElementById("kernels");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const filter = document.getElementById("filter");
  const least = document.getElementById("least");
  const shown = document.getElementById("shown");

  // Unknown values have no data-v; they come last whichever way the rest is sorted.
  const value = (row, i) => row.cells[i].dataset.v;
  const compare = (a, b, numeric) => (numeric ? a - b : a.localeCompare(b));

  function sort(i) {
    const head = heads[i];
    const numeric = head.classList.contains("n");
    const was = head.getAttribute("aria-sort");
    const down = was ? was === "ascending" : numeric;
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows];
    rows.sort((a, b) => {
      const x = value(a, i), y = value(b, i);
      if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1);
      return down ? compare(y, x, numeric) : compare(x, y, numeric);
    });
    body.append(...rows);
  }

  function apply() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const from = Number(least.value);
    let n = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase() + " " + row.dataset.full.toLowerCase();
      const ok = Number(row.dataset.sev) >= from && words.every((w) => text.includes(w));
      row.hidden = !ok;
      const section = document.getElementById(row.dataset.for);
      if (section) section.hidden = !ok;
      if (ok) n++;
    }
    shown.textContent = n + " of " + body.rows.length;
  }

  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    const section = id && document.getElementById(id);
    const details = section && section.querySelector("details");
    if (!details) return;
    section.hidden = false;
    details.open = true;
    section.scrollIntoView();
  }

  heads.forEach((h, i) => h.querySelector("button").addEventListener("click", () => sort(i)));
  filter.addEventListener("input", apply);
  least.addEventListener("change", apply);
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      e.preventDefault();
      filter.focus();
    } else if (e.key === "Escape" && document.activeElement === filter) {
      filter.value = "";
      apply();
    }
  });
  window.addEventListener("hashchange", openTarget);
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  document.querySelector(".tools").hidden = false;
  apply();
  openTarget();
})();
