/* Whose browser this is at the moment. What one person typed or had open must not be there for the next one;
   on signing in, the part of the address behind `#` is kept. */
(() => {
  'use strict';
  const PREFIX = 'interviewer.';
  const OWNER = PREFIX + 'person';
  const KEPT = [PREFIX + 'theme'];
  const person = document.documentElement.dataset.person || '';
  const stored = () => { try { return localStorage.getItem(OWNER); } catch { return null; } };
  function forget() {
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith(PREFIX) && !KEPT.includes(name)) localStorage.removeItem(name);
      }
    } catch { /* a browser without storage has nothing to forget */ }
  }
  /* Before there were accounts, what is stored was the local person's. */
  if (person && stored() !== person) {
    if (stored() !== null || person !== 'local') forget();
    try { localStorage.setItem(OWNER, person); } catch { /* it keeps nothing else either */ }
  }
  /* Whether what is typed here may be kept: not any more once this browser is somebody else's. */
  window.interviewerPerson = { id: person, here: () => stored() === person };

  document.addEventListener('DOMContentLoaded', () => {
    for (const node of document.querySelectorAll('[data-return]')) {
      if (node.matches('a')) node.href += encodeURIComponent(location.hash);
      else if (location.hash && !node.elements.next.value.includes('#')) node.elements.next.value = (node.elements.next.value || '') + location.hash;
    }
    for (const form of document.querySelectorAll('form[data-hash], form[data-code]')) form.action = location.href;
    const code = document.querySelector('form[data-code]');
    if (code && location.hash.length > 20 && !document.querySelector('[role="alert"]')) {
      code.elements.token.value = location.hash.slice(1);
      code.submit();
    }
  });
  document.addEventListener('submit', (event) => { if (event.target.matches('[data-forget]')) forget(); });
  document.addEventListener('click', (event) => {
    const other = event.target.closest && event.target.closest('a[hreflang]');
    if (other && document.querySelector('form[data-hash], form[data-return]')) other.hash = location.hash;
  });
})();
