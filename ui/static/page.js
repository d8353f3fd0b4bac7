/* The page's own script: drafts that survive anything, Enter that respects input methods, addresses, colours.
   It runs before gradio does and talks to the server only through `bridge` (see pages/frame.py). */
(() => {
  const KEY = 'interviewer.';
  const store = {
    get: (name) => { try { return localStorage.getItem(KEY + name); } catch { return null; } },
    set: (name, value) => {
      if (name !== 'theme' && !window.interviewerPerson.here()) return;
      try {
        if (value) localStorage.setItem(KEY + name, value); else localStorage.removeItem(KEY + name);
      } catch { /* a browser without storage still works, it only forgets */ }
    },
  };

  /* --- light and dark: the system's choice unless the person made one --- */
  const MODES = ['auto', 'light', 'dark'];
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const chosenMode = () => { const mode = store.get('theme'); return MODES.includes(mode) ? mode : 'auto'; };
  const isDark = () => (chosenMode() === 'auto' ? systemDark.matches : chosenMode() === 'dark');
  function paint() {
    if (document.documentElement.lang !== window.interviewerLanguage) document.documentElement.lang = window.interviewerLanguage;
    document.documentElement.style.colorScheme = isDark() ? 'dark' : 'light';
    document.documentElement.classList.toggle('iv-dark', isDark());
    if (document.body && document.body.classList.contains('dark') !== isDark()) {
      document.body.classList.toggle('dark', isDark());
    }
    for (const button of document.querySelectorAll('[data-theme-switch]')) {
      const name = button.dataset[chosenMode()];
      const label = button.querySelector('.iv-theme-name');
      if (label.textContent !== name) label.textContent = name;
      if (button.dataset.mode !== chosenMode()) button.dataset.mode = chosenMode();
    }
  }
  systemDark.addEventListener('change', paint);

  /* --- the answer box: what is typed stays with the browser until the server has stored it --- */
  let shown = { interview: '', said: 0 };
  const box = () => document.querySelector('#answer textarea');
  const write = (area, text) => {
    area.value = text;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const keepDraft = () => { const area = box(); if (area && shown.interview) store.set('draft.' + shown.interview, area.value); };
  function rememberSent() {
    const area = box();
    if (!area || !shown.interview || !area.value.trim()) return;
    store.set('sent.' + shown.interview, JSON.stringify({ text: area.value, said: shown.said }));
  }
  function withoutSent(interview, said, text) {
    let sent = null;
    try { sent = JSON.parse(store.get('sent.' + interview) || 'null'); } catch { /* not ours */ }
    if (!sent || said <= sent.said) return text;
    store.set('sent.' + interview, '');
    return text.startsWith(sent.text) ? text.slice(sent.text.length).replace(/^\n/, '') : text;
  }
  function settleBox(told) {
    const area = box();
    if (!area) return false;
    const fresh = area.dataset.interview !== told.interview;
    const current = fresh ? store.get('draft.' + told.interview) || '' : area.value;
    const left = withoutSent(told.interview, told.said, current);
    area.dataset.interview = told.interview;
    if (area.value !== left) write(area, left);
    store.set('draft.' + told.interview, left);
    if (fresh && matchMedia('(pointer: fine)').matches) area.focus({ preventScroll: true });
    return true;
  }
  document.addEventListener('input', (event) => { if (event.target === box()) keepDraft(); });
  function onEnter(event) {
    if (event.target !== box() || event.key !== 'Enter') return;
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
    else if (!event.shiftKey) rememberSent();
  }
  document.addEventListener('keydown', onEnter, true);
  document.addEventListener('keypress', onEnter, true);
  document.addEventListener('click', (event) => { if (event.target.closest('#send')) rememberSent(); }, true);

  /* --- what the server says is shown --- */
  let tell = null;
  let route = null;
  let step = 0;
  function when(ready, tries = 120) {
    if (!ready() && tries > 0) requestAnimationFrame(() => when(ready, tries - 1));
  }
  const seen = new Set();
  const messages = () => [...document.querySelectorAll('#chat [data-key]')];
  /* Puts the first message nobody has seen yet at the top; one's own words and the progress only come into view. */
  function scrollToNews(told, fresh) {
    const list = document.querySelector('#chat .bubble-wrap');
    const shownMessages = messages();
    if (!list || !shownMessages.some((node) => node.dataset.key === told.last)) return false;
    if (fresh) seen.clear();
    const news = shownMessages.find((node) => (fresh ? node.dataset.key === told.anchor : !seen.has(node.dataset.key)));
    for (const node of shownMessages) seen.add(node.dataset.key);
    seen.delete('progress');
    if (!news) return true;
    let row = news.closest('.message-row') || news;
    const said = row.previousElementSibling;
    // A short answer, with its marks, stays in sight above its grade.
    if (news.matches('.iv-feedback') && said && said.querySelector('[data-role="candidate"]') && said.offsetHeight < list.clientHeight * 0.4) row = said;
    const box = row.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    const brief = news.dataset.role === 'candidate' || news.dataset.key === 'progress';
    if (brief && box.top >= frame.top && box.bottom <= frame.bottom) return true;
    const top = list.scrollTop + (brief && box.height < frame.height ? box.bottom - frame.bottom : box.top - frame.top - 12);
    const calm = fresh || matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.scrollTo({ top: Math.max(0, top), behavior: calm ? 'instant' : 'smooth' });
    return true;
  }
  /* One link is followed at a time, and none before the page can tell: of those clicked meanwhile, the last one is next. */
  const cameWith = location.hash;
  let waiting = null;
  let asked = false;
  function follow(address) {
    if (asked) { waiting = address; return; }
    asked = true;
    step += 1;
    tell({ route: address, step });
  }
  function followNext() {
    const next = waiting;
    waiting = null;
    follow(next);
  }
  function apply(told) {
    if (!told || !('step' in told) || told.step < step) return;
    step = told.step;
    asked = false;
    if (tell && waiting !== null) { route ??= told.route ?? null; followNext(); return; }
    if (!('route' in told)) return;
    /* The hash has changed, and its event is still to come: writing the route over it would lose the link. */
    if (route === null && location.hash !== cameWith) { route = told.route; return; }
    document.title = told.title;
    if (route === told.route) return;
    const moved = route !== null;
    if (location.hash.slice(1) !== told.route && !(told.route === '/' && !location.hash)) {
      history[moved ? 'pushState' : 'replaceState'](null, '', '#' + told.route);
    }
    route = told.route;
    if (!moved) return;
    if (route.startsWith('/questions/')) { when(showDetail); return; }
    window.scrollTo(0, 0);
    if (!route.startsWith('/interview/')) when(focusHeading);
  }
  /* The list stays where it is; on a narrow screen the question stands above it. */
  function showDetail() {
    const detail = document.querySelector('.iv-detail');
    if (!detail || detail.offsetParent === null) return false;
    detail.focus({ preventScroll: true });
    if (detail.getBoundingClientRect().top < 0) detail.scrollIntoView({ block: 'center' });
    return true;
  }
  let asks = '';
  function track(told) {
    if (!told || !told.interview) return;
    const fresh = shown.interview !== told.interview || !seen.size || !messages().length;
    shown = { interview: told.interview, said: told.said, question: told.question };
    window.interviewerClock.set(told.clock);
    when(() => settleBox(told));
    when(() => scrollToNews(told, fresh));
    if (told.asks !== asks) when(() => focusOn(told.asks ? `#${told.asks}-no` : '#answer textarea'));
    asks = told.asks;
  }
  function focusOn(selector) {
    const node = document.querySelector(selector);
    if (node && node.offsetParent !== null) node.focus({ preventScroll: true });
    return Boolean(node && node.offsetParent !== null);
  }
  function focusHeading() {
    const heading = [...document.querySelectorAll('#main')].find((node) => node.offsetParent !== null);
    if (heading) heading.focus({ preventScroll: true });
    return Boolean(heading);
  }
  window.addEventListener('hashchange', () => {
    if (location.hash && !location.hash.startsWith('#/')) return;
    const address = location.hash.slice(1) || '/';
    /* Told while the first page is still under way, the server would not hear it. */
    if (!tell || route === null) { waiting = address; return; }
    if (address === route && !asked) return;
    route = address;
    follow(address);
  });
  /* The page around a changed plan is new: the focus goes to the button that was pressed, or near it. */
  function refocus(element) {
    const plan = element.querySelector('[data-focus]');
    const [action, index] = plan ? plan.dataset.focus.split(':') : [];
    if (!action) return;
    const slot = plan.querySelector(`[data-index="${index}"]`);
    const node = slot && slot.querySelector(`[data-action="${action}"]:not(:disabled), [data-change="${action}"]`);
    (node || (slot || plan).querySelector('button:not(:disabled), input')).focus({ preventScroll: true });
  }
  /* Called when the page can tell the server where to go, which may be after the first page has come. */
  function connect(trigger) {
    tell = trigger;
    if (waiting !== null && route !== null && !asked) followNext();
  }
  window.interviewer = {
    apply, track, refocus, writtenTo: () => String(shown.question ?? ''), connect, keep: store.set, kept: (name) => store.get(name) || '',
  };

  /* --- clicks on the header --- */
  document.addEventListener('click', (event) => {
    const at = (selector) => event.target.closest && event.target.closest(selector);
    if (at('[data-action="ask"]')) when(() => focusOn('[data-action="keep"]'));
    if (at('[data-dismiss]')) at('[data-dismiss]').parentElement.hidden = true;
    if (at('[data-skip]')) { event.preventDefault(); focusHeading(); }
    if (at('[data-theme-switch]')) {
      store.set('theme', MODES[(MODES.indexOf(chosenMode()) + 1) % MODES.length]);
      paint();
    }
    const other = at('[data-language]');
    if (other) {
      event.preventDefault();
      const parts = location.pathname.replace(/[^/]*\/?$/, '');
      document.cookie = `interviewer_language=${other.dataset.language}; path=${parts || '/'}; max-age=31536000; samesite=lax`;
      location.href = new URL(`../${other.dataset.language}/${location.hash}`, document.baseURI).href;
    }
  });

  /* --- times in the reader's zone, formulas drawn where the page has the means --- */
  function dress() {
    for (const node of document.querySelectorAll('time:not([data-local])')) {
      node.dataset.local = '1';
      node.textContent = new Date(node.dateTime).toLocaleString(window.interviewerLanguage, { dateStyle: 'medium', timeStyle: 'short' });
    }
    const formulas = document.querySelectorAll('.iv-math:not([data-drawn])');
    if (formulas.length && window.interviewerMath) draw(formulas);
  }
  async function draw(formulas) {
    for (const node of formulas) node.dataset.drawn = '1';
    try {
      const katex = (await import(new URL(window.interviewerMath.script, document.baseURI).href)).default;
      if (!document.querySelector('link[data-katex]')) {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: window.interviewerMath.style });
        link.dataset.katex = '1';
        document.head.append(link);
      }
      for (const node of formulas) {
        try {
          katex.render(node.textContent, node, { displayMode: node.classList.contains('iv-math-block'), throwOnError: true, trust: false, maxSize: 20, maxExpand: 200 });
          node.classList.add('iv-drawn');
        } catch { /* it stays readable as it was written */ }
      }
    } catch { /* no means to draw: the formula stays as text */ }
  }

  /* --- the server: say when it is away, and that nothing is lost --- */
  const GRADIO_WORDS = ['Connection Lost', 'Connection to the server was lost'];
  let misses = 0;
  let run = null;
  let lost = false;
  /* Whoever is signed out meanwhile is told; what they typed stays in this browser until they are back. */
  function tellWhoIsOut(person) {
    const banner = document.getElementById('iv-signed-out');
    if (!banner) return;
    banner.hidden = person === window.interviewerPerson.id;
    const language = location.pathname.split('/').slice(-2)[0];
    banner.querySelector('a').href = `sign-in?next=${encodeURIComponent(`/${language}/${location.hash}`)}`;
  }
  async function look() {
    try {
      const reply = await fetch(new URL('../healthz', document.baseURI), { cache: 'no-store' });
      if (!reply.ok) throw new Error(reply.status);
      const { run: now, person } = await reply.json();
      tellWhoIsOut(person);
      // A server that came back knows nothing of this page, and gradio loads it anew where it lost its line:
      // until then nothing pressed would arrive, so the banner stays.
      if (misses && run !== null && now !== run) { location.reload(); return; }
      run = now;
      misses = lost ? misses : 0;
    } catch { misses += 1; }
    const banner = document.getElementById('iv-offline');
    if (banner) banner.hidden = misses < 1;
    document.documentElement.classList.toggle('iv-away', misses >= 1);
  }
  look();
  setInterval(look, 3000);

  document.addEventListener('DOMContentLoaded', () => {
    paint();
    new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ['lang'] });
    new MutationObserver(() => {
      paint();
      for (const toast of document.querySelectorAll('.toast-body.error:not([data-seen])')) {
        toast.dataset.seen = '1';
        if (GRADIO_WORDS.some((words) => toast.textContent.includes(words))) { toast.hidden = true; toast.style.display = 'none'; lost = true; misses += 1; look(); }
      }
      requestAnimationFrame(dress);
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['class'] });
  });
  paint();
})();
