// Conveniences only: every page works without this file.
"use strict";

(() => {
  const panel = document.getElementById("panel");
  let opener = null;

  // ---- evidence panel: Escape or the cross closes it, focus goes back to the figure that opened it
  function close(link) {
    const href = link.getAttribute("href");
    panel.replaceChildren();
    history.pushState(null, "", href);
    (opener && opener.isConnected ? opener : document.getElementById("main")).focus({ preventScroll: true });
    opener = null;
  }
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("[hx-target='#panel']");
    if (cell && !panel.contains(cell)) opener = cell;
    const cross = event.target.closest("[data-close]");
    if (cross && panel.contains(cross) && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      close(cross);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const name = document.querySelector("details.who[open]");
    if (name) {
      name.open = false;
      return;
    }
    const cross = panel && panel.querySelector("[data-close]");
    if (cross) close(cross);
  });
  document.addEventListener("htmx:after:swap", () => {
    const title = panel && panel.querySelector("#panel-title");
    if (title && opener && !panel.contains(document.activeElement)) title.focus({ preventScroll: true });
  });

  // ---- the current step stays in sight on narrow screens
  document.querySelector(".steps [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // ---- problems found: the summary is read out and can be followed
  const problems = document.getElementById("problems");
  if (problems) problems.focus({ preventScroll: true });

  // ---- files: one request each, with progress and outcome; without script the form sends them together
  function row(list, file) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    const bar = document.createElement("progress");
    const state = document.createElement("span");
    name.className = "name";
    name.textContent = file.name;
    bar.max = 1;
    bar.value = 0;
    item.append(name, bar, state);
    list.append(item);
    return { bar, state };
  }
  function send(form, input, file, shown) {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const body = new FormData(form);
      body.delete(input.name);
      body.append(input.name, file);
      request.open("POST", form.action);
      request.setRequestHeader("Accept", "application/json");
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) shown.bar.value = event.loaded / event.total;
      };
      request.onloadend = () => {
        const good = request.status >= 200 && request.status < 400;
        let text = good ? form.dataset.done : form.dataset.failed;
        try {
          const answer = JSON.parse(request.responseText);
          text = answer.outcome || answer.detail || text;
        } catch { /* not JSON: the words of the form stand */ }
        shown.bar.value = 1;
        shown.state.className = good ? "good" : "bad";
        shown.state.textContent = text || "";
        resolve(good);
      };
      request.send(body);
    });
  }
  for (const drop of document.querySelectorAll("[data-drop]")) {
    const form = drop.closest("form");
    const input = drop.querySelector("input[type=file]");
    const list = drop.querySelector(".drop-list");
    const start = async (files) => {
      if (!files.length) return;
      form.setAttribute("aria-busy", "true");
      let all = true;
      for (const file of files) all = (await send(form, input, file, row(list, file))) && all;
      form.removeAttribute("aria-busy");
      input.value = "";
      if (all) location.reload();
    };
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      start([...event.dataTransfer.files]);
    });
    input.addEventListener("change", () => start([...input.files]));
  }

  // ---- questions before what cannot be undone
  document.addEventListener("submit", (event) => {
    const question = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });
})();
