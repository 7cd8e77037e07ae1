(() => {
  const valueOf = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();

  // What is missing stands last, whichever way the rest is sorted.
  function order(one, other, sign) {
    if (one === "" || other === "") return (one === "") - (other === "");
    const gap = Number(one) - Number(other);
    return sign * (Number.isNaN(gap) ? one.localeCompare(other, "en", { numeric: true }) : gap);
  }

  function sort(table, head) {
    const column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    [...table.tBodies].forEach((body) => {
      const rows = [...body.rows].filter((row) => row.className !== "section");
      const keyed = rows.map((row) => [valueOf(row, column), row]);
      keyed.sort(([one], [other]) => order(one, other, down ? -1 : 1));
      body.append(...keyed.map(([, row]) => row));
    });
    [...table.tHead.rows[0].cells].forEach((cell) => cell.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  document.querySelectorAll("table.sortable").forEach((table) => {
    [...table.tHead.rows[0].cells].forEach((head) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
      head.setAttribute("aria-sort", "none");
    });
  });
})();
(() => {
  const hint = document.querySelector(".sideways");
  const tables = [...document.querySelectorAll(".scroll:has(> .scores)")];

  function tell() {
    const needed = tables.some((table) => table.scrollWidth > table.clientWidth);
    hint.classList.toggle("needed", needed);
    hint.classList.toggle("needless", !needed);
  }

  window.addEventListener("resize", tell);
  document.getElementById("more")?.addEventListener("change", tell);
  tell();
})();
(() => {
  const section = document.getElementById("samples");
  const rows = [...(section?.querySelectorAll("tbody tr") ?? [])];
  if (!rows.length) return;
  const search = section.querySelector("input");
  const selects = [...section.querySelectorAll("select[name]")];
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  let texts = null;
  let timer = 0;

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !texts) texts = rows.map((row) => row.textContent.toLowerCase());
    let count = 0;
    rows.forEach((row, i) => {
      const hit = selects.every((select) => !select.selectedIndex || row.dataset[select.name] === select.value)
        && words.every((word) => texts[i].includes(word));
      row.hidden = !hit;
      count += hit;
    });
    shown.textContent = count.toLocaleString("en");
    none.hidden = count > 0;
  }

  function toggle(cell) {
    const open = cell.querySelector(".long").classList.toggle("open");
    cell.querySelector(".more").setAttribute("aria-expanded", open);
  }

  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  selects.forEach((select) => select.addEventListener("change", apply));
  document.getElementById("order").addEventListener("change", (event) => {
    section.querySelectorAll(".sort")[event.target.selectedIndex - 1].click();
  });
  document.getElementById("clear").addEventListener("click", () => {
    search.value = "";
    selects.forEach((select) => { select.selectedIndex = 0; });
    apply();
  });
  section.addEventListener("click", (event) => {
    if (event.target.closest(".more, .long:not(.open)")) toggle(event.target.closest("td"));
  });
  document.documentElement.classList.add("js");
  section.querySelector(".filters").hidden = false;
  apply();
})();
