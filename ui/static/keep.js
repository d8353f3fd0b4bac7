/* Keeping an answer without leaving the page. Without this script the form leads to the list of kept answers. */
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.dataset.quiet) return;
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  let kept = false;
  try {
    const body = new URLSearchParams(new FormData(form));
    const reply = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    kept = reply.ok || reply.type === 'opaqueredirect';
  } catch { /* told below */ }
  button.disabled = kept;
  button.setAttribute('aria-live', 'polite');
  button.textContent = kept ? `✓ ${form.dataset.quiet}` : form.dataset.failed;
});
