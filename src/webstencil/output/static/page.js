// Extras beyond links and forms; every page works without them.
"use strict";

document.documentElement.classList.add("scripted");

function marked(number, on) {
  for (const one of document.querySelectorAll(`[data-area="${CSS.escape(number)}"]`)) {
    one.classList.toggle("on", on);
  }
}

// Scroll the picture, not the page.
function reveal(number) {
  const box = document.getElementById(`box-${number}`);
  const frame = box && box.closest(".drawing");
  if (!frame) return;
  const inner = box.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  if (inner.top < outer.top || inner.top > outer.bottom - 24) {
    frame.scrollTop += inner.top - outer.top - outer.height / 4;
  }
}

function areaOf(event) {
  const one = event.target.closest("[data-area]");
  return one ? one.dataset.area : null;
}

let lit = null;

function light(number, fromRow) {
  if (number === lit) return;
  if (lit !== null) marked(lit, false);
  lit = number;
  if (number === null) return;
  marked(number, true);
  if (fromRow) reveal(number);
}

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    light(areaOf(event), event.target.closest("tr") !== null);
  });
}

for (const field of document.querySelectorAll("[data-filter]")) {
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(`#${field.dataset.filter} tbody tr`)) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });
}

// The answer of a server that refuses a large file may arrive only after all of it is sent.
for (const field of document.querySelectorAll("[data-largest]")) {
  field.addEventListener("change", () => {
    const large = [...field.files].some((file) => file.size > Number(field.dataset.largest));
    field.setCustomValidity(large ? "This file is too large." : "");
    field.reportValidity();
  });
}

async function copied(text, shown) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  getSelection().selectAllChildren(shown); // no clipboard on plain http from another machine
  document.execCommand("copy");
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await copied(button.dataset.copy, button.previousElementSibling);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Failed";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
