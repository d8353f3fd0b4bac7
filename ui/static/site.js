/* The plain pages: theme, language, times in the reader's zone. Everything works without it. */
(() => {
  'use strict';
  const MODES = ['auto', 'light', 'dark'];
  const system = matchMedia('(prefers-color-scheme: dark)');
  const store = {
    get(name) { try { return localStorage.getItem('interviewer.' + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem('interviewer.' + name, value); } catch { /* it lasts for this page */ } },
  };
  let mode = MODES.includes(store.get('theme')) ? store.get('theme') : 'auto';
  function paint() {
    const dark = mode === 'dark' || (mode === 'auto' && system.matches);
    document.documentElement.classList.toggle('iv-dark', dark);
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    for (const button of document.querySelectorAll('[data-theme-switch]')) {
      button.dataset.mode = mode;
      button.querySelector('.iv-theme-name').textContent = button.dataset[mode];
    }
  }
  paint();
  system.addEventListener('change', paint);
  document.addEventListener('DOMContentLoaded', () => {
    paint();
    for (const node of document.querySelectorAll('time[datetime]')) {
      const style = node.hasAttribute('data-day') ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' };
      node.textContent = new Date(node.dateTime).toLocaleString(document.documentElement.lang, style);
    }
    const current = document.querySelector('.iv-header [aria-current]');
    if (current) current.scrollIntoView({ block: 'nearest', inline: 'center' });
  });
  document.addEventListener('click', (event) => {
    const at = (selector) => event.target.closest && event.target.closest(selector);
    if (at('[data-theme-switch]')) {
      mode = MODES[(MODES.indexOf(mode) + 1) % MODES.length];
      store.set('theme', mode);
      paint();
    }
    const other = at('a[hreflang]');
    if (other) {
      const root = new URL(document.querySelector('a.iv-brand').getAttribute('href').split('#')[0] + '../', document.baseURI).pathname;
      document.cookie = `interviewer_language=${other.lang}; path=${root}; max-age=31536000; samesite=lax`;
    }
    const copy = at('[data-copy]');
    if (copy) {
      const field = document.getElementById(copy.dataset.copy);
      field.select();
      if (navigator.clipboard) navigator.clipboard.writeText(field.value);
    }
  });
  /* A form sent twice by a double click would do its work twice. */
  document.addEventListener('submit', (event) => {
    if (event.target.dataset.sent) { event.preventDefault(); return; }
    event.target.dataset.sent = '1';
  });
  window.addEventListener('pageshow', () => { for (const form of document.forms) delete form.dataset.sent; });
})();
