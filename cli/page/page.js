"use strict";
const all = (root, what) => Array.from(root.querySelectorAll(what));
const mark = (items, on) => items.forEach((item) => item.classList.toggle("on", on));

// ---- what the first warp holds: places are XORs of strides where all digits are bits, else sums

function combine(strides, counts, index) {
  let value = 0;
  for (let i = 0; i < strides.length; ++i) {
    const count = counts.length ? counts[i] : 2;
    const part = (index % count) * strides[i];
    value = counts.length ? value + part : value ^ part;
    index = Math.floor(index / count);
  }
  return value;
}

function draw(box) {
  const grid = JSON.parse(box.dataset.grid);
  const mixed = grid.tc.length + grid.rc.length > 0;
  const registers = mixed ? grid.rc.reduce((a, b) => a * b, 1) : 1 << grid.p.r.length;
  const lanes = Math.min(32, grid.threads);
  const at = (map, lane, reg) => {
    const thread = combine(map.t, grid.tc, lane), register = combine(map.r, grid.rc, reg);
    return mixed ? thread + register : thread ^ register;
  };
  let rows = "<tr><th></th>";
  for (let lane = 0; lane !== lanes; ++lane) rows += "<th>" + lane + "</th>";
  rows += "</tr>";
  for (let reg = 0; reg !== registers; ++reg) {
    rows += "<tr><th>x[" + reg + "]</th>";
    for (let lane = 0; lane !== lanes; ++lane) {
      const place = at(grid.p, lane, reg), value = at(grid.v, lane, reg);
      const hue = Math.round(360 * value / grid.radix);
      rows += "<td data-p='" + place + "' title='lane " + lane + ", x[" + reg + "]: place " + place +
        ", " + grid.digit + " = " + value + (grid.f ? ", frequency " + at(grid.f, lane, reg) : "") +
        "' style='background:hsl(" + hue + " 70% 50% / .28)'>" +
        (grid.f ? at(grid.f, lane, reg) : place) + "</td>";
    }
    rows += "</tr>";
  }
  box.innerHTML = "<table><tbody>" + rows + "</tbody></table><p>Coloured by " + grid.digit +
    (grid.f ? "; numbers are frequencies, of all transforms of the block." : ".") + "</p>";
}

all(document, ".grid").forEach(draw);

all(document, ".pass").forEach((pass) => {
  const cells = new Map();
  all(pass, "td[data-p]").forEach((cell) => {
    const place = cell.dataset.p;
    if (!cells.has(place)) cells.set(place, []);
    cells.get(place).push(cell);
  });
  pass.addEventListener("mouseover", (event) => {
    mark(all(pass, ".on"), false);
    const place = event.target.dataset ? event.target.dataset.p : undefined;
    if (place !== undefined) mark(cells.get(place), true);
    const digit = /\bd(\d+)\b/.exec(event.target.getAttribute("class") || "");
    if (digit) mark(all(pass, "svg .d" + digit[1]), true);
  });
  all(pass, ".stop").forEach((stop) => stop.addEventListener("mouseenter", () => {
    all(pass, ".row").forEach((row) => {
      row.classList.toggle("here", row.dataset.stop === stop.dataset.stop);
    });
  }));
  all(pass, ".row").forEach((row) => row.addEventListener("click", () => {
    const stop = pass.querySelector(".stop[data-stop='" + row.dataset.stop + "']");
    mark(all(pass, ".stop"), false);
    all(pass, ".stop").forEach((other) => other.classList.remove("here"));
    stop.open = true;
    stop.classList.add("here");
    stop.scrollIntoView({behavior: "smooth", block: "nearest"});
  }));
});

// ---- text beside machine code

function show(listing, items, from) {
  mark(all(listing, ".on"), false);
  mark(items, true);
  for (const side of [".cuda", ".sass"]) {
    const panel = listing.querySelector(side);
    if (!panel || panel.contains(from)) continue;
    const first = items.find((item) => panel.contains(item) && item.tagName === "I");
    if (!first) continue;
    for (let fold = first.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    panel.scrollTop += first.getBoundingClientRect().top - panel.getBoundingClientRect().top - 60;
  }
}

function showStage(listing, stage) {
  show(listing, all(listing, "[data-g='" + stage + "']"), null);
}

all(document, ".listing").forEach((listing) => {
  const machine = all(listing, ".sass i");
  const lineOf = (number) => document.getElementById(listing.dataset.id + "-" + number);
  listing.addEventListener("click", (event) => {
    const chip = event.target.closest(".chip");
    if (chip) return showStage(listing, chip.dataset.g);
    const line = event.target.closest("i");
    if (!line) return;
    if (line.dataset.l !== undefined) {
      const lines = line.dataset.l.split(" ").filter((number) => number !== "").map(lineOf);
      show(listing, [line].concat(lines), line);
    } else {
      const number = line.id.split("-")[1];
      const made = machine.filter((one) => one.dataset.l.split(" ").includes(number));
      show(listing, [line].concat(made), line);
    }
  });
});

all(document, ".stops .chip").forEach((chip) => chip.addEventListener("click", () => {
  let listing = chip.closest(".pass");
  while (!listing.classList.contains("listing")) listing = listing.nextElementSibling;
  showStage(listing, chip.dataset.g);
  listing.scrollIntoView({behavior: "smooth"});
}));
