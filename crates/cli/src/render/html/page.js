
"use strict";
(() => {
  const root = document.documentElement, id = (name) => document.getElementById(name);
  // A page opened from a file may have no storage.
  const stored = (value) => { try { return value ? localStorage.setItem("plumb-theme", value) : localStorage.getItem("plumb-theme"); } catch { return null; } };
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = id("theme"), kept = stored();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  const say = () => { theme.textContent = dark() ? "Light theme" : "Dark theme"; };
  theme.hidden = false;
  say();
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; stored(root.dataset.theme); say(); });
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));

  const find = id("find");
  if (!find) return;
  id("finding").hidden = false;
  const marks = Array.from(document.getElementsByClassName("mark"), (node) => ({ node, text: null, boxes: node.className.split(" ").slice(1) }));
  const checks = Array.from(document.querySelectorAll(".chip input"));
  const filter = () => {
    const wanted = find.value.trim().toLowerCase();
    const off = new Set(checks.filter((check) => !check.checked).map((check) => check.id));
    let shown = 0;
    for (const mark of marks) {
      if (wanted && mark.text === null) mark.text = mark.node.textContent.toLowerCase();
      const hit = !wanted || mark.text.includes(wanted);
      if (mark.node.hidden === hit) mark.node.hidden = !hit;
      if (hit && !mark.boxes.some((box) => off.has(box))) shown += 1;
    }
    if (wanted) document.querySelectorAll("details.more").forEach((part) => { part.open = true; });
    id("shown").value = shown + " of " + marks.length;
  };
  let waiting = 0;
  find.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 80); });
  addEventListener("change", (event) => { if (checks.includes(event.target)) filter(); });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== find && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); find.focus(); }
    if (event.key === "Escape" && document.activeElement === find) { find.value = ""; filter(); find.blur(); }
  });
  filter();
})();
