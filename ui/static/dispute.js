/* Buttons beside a verdict. What is typed there, and what was opened, stays when the page around it is drawn anew. */
(() => {
  const send = {};
  const texts = new Map();
  const opened = new Map();
  let pressed = '';

  document.addEventListener('click', (event) => {
    const button = event.target.closest && event.target.closest('[data-contest] [data-contest-action]');
    if (!button || event.detail > 1) return;
    const block = button.closest('[data-contest]');
    const tell = send[block.closest('#chat') ? 'interview' : 'report'];
    const field = block.querySelector('textarea');
    pressed = block.dataset.contest;
    if (tell) {
      tell({ action: button.dataset.contestAction, id: block.dataset.id, value: button.dataset.value, text: field ? field.value : '' });
    }
  });
  document.addEventListener('focusin', (event) => {
    const block = event.target.closest('[data-contest]');
    if (!block || block.dataset.contest !== pressed) pressed = '';
  });
  document.addEventListener('input', (event) => {
    const block = event.target.matches('textarea') && event.target.closest('[data-contest]');
    if (block) texts.set(block.dataset.contest, event.target.value);
  });
  document.addEventListener('toggle', (event) => {
    const { keep } = event.target.dataset;
    if (keep) opened.set(keep, event.target.open);
  }, true);

  function restore() {
    for (const node of document.querySelectorAll('details[data-keep]:not([data-kept])')) {
      node.dataset.kept = '1';
      if (opened.has(node.dataset.keep)) node.open = opened.get(node.dataset.keep);
    }
    for (const block of document.querySelectorAll('[data-contest]:not([data-kept])')) {
      block.dataset.kept = '1';
      const { contest } = block.dataset;
      const field = block.querySelector('textarea');
      if (field) field.value = texts.get(contest) || '';
      else { texts.delete(contest); opened.delete(contest); }
      if (contest === pressed && (!document.activeElement || document.activeElement === document.body)) block.focus({ preventScroll: true });
    }
  }
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
  });
  window.interviewerDispute = { connect: (place, trigger) => { send[place] = trigger; } };
})();
