/* The clock of an interview: it goes on here between two words from the server, which has the last one. */
(() => {
  const LAST_MINUTE = 60;
  const AGAIN = 5000;
  let told = null;
  let at = 0;
  let sentAt = 0;
  let draftOf = '';
  let warned = '';
  let report = null;

  const text = (seconds) => {
    const whole = Math.max(0, Math.trunc(seconds));
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.trunc(whole / 3600);
    const minutes = Math.trunc(whole / 60) % 60;
    return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  };
  const put = (node, value) => { if (node.textContent !== value) node.textContent = value; };
  const visible = (node) => Boolean(node && node.offsetParent !== null);

  function tick() {
    if (!told) return;
    const passed = (Date.now() - at) / 1000;
    const mine = told.running ? passed : 0;
    const left = told.left === null ? null : told.left - mine;
    const values = {
      left, overall: told.overall === null ? null : told.overall - mine,
      used: told.used + mine, paused: told.paused + (told.pausing ? passed : 0),
    };
    for (const node of document.querySelectorAll('[data-clock]')) {
      const value = values[node.dataset.clock];
      if (value !== null && value !== undefined) put(node, text(value));
    }
    if (left === null) return;
    const level = left <= 0 ? 'over' : left <= told.limit / 5 ? 'soon' : '';
    for (const node of document.querySelectorAll('[data-clock-level]')) {
      if (node.dataset.clockLevel !== level) node.dataset.clockLevel = level;
    }
    if (told.running) { announce(left); runOut(left); }
  }

  /* Said once for a question or phase, politely; the seconds are for the eyes alone. */
  function announce(left) {
    const node = document.getElementById('clock-said');
    if (!node || left > LAST_MINUTE || left <= 0 || warned === told.part || told.limit <= LAST_MINUTE * 1.5) return;
    warned = told.part;
    put(node, node.dataset.words);
  }

  /* What was typed is sent first; what is still open then is closed by the server, if its clock agrees. */
  function runOut(left) {
    const area = document.querySelector('#answer textarea');
    const away = document.documentElement.classList.contains('iv-away');
    if (left > 0 || away || !visible(area) || Date.now() - sentAt < AGAIN) return;
    sentAt = Date.now();
    const send = document.querySelector('#send');
    if (area.value.trim() && draftOf !== told.part && send && !send.disabled) {
      draftOf = told.part;
      send.click();
    } else report({ action: 'time_up' });
  }

  window.interviewerClock = {
    connect: (trigger) => { report = trigger; },
    set: (clock) => {
      if (!clock) return;
      if (!told || told.part !== clock.part) {
        sentAt = 0;
        const node = document.getElementById('clock-said');
        if (node) put(node, '');
      }
      told = clock;
      at = Date.now();
      tick();
    },
  };
  setInterval(tick, 250);
})();
