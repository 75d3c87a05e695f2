// Keeps a page current, loads hunks as they are reached, and moves by keys. Every page works without it.
import { Idiomorph } from './idiomorph.js';

const { watch, seq, lost, out, base } = document.body.dataset;
const live = document.getElementById('live');
const MIN_REFRESH_MS = 1000;
const RETRY_MS = 5000;

const refreshPage = async () => {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (response.status === 401) return showSignedOut();
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.getElementById('main');
  if (!main) return;
  Idiomorph.morph(document.getElementById('main'), main, {
    ignoreActiveValue: true,
    callbacks: {
      // What a person opened stays open.
      beforeAttributeUpdated: (name, node) =>
        !(name === 'open' && node.tagName === 'DETAILS') && !(name === 'hidden' && node.id === 'decide-asks'),
      // What was loaded by scrolling stays.
      beforeNodeRemoved: (node) => !(node.dataset && 'loaded' in node.dataset),
    },
  });
  document.title = page.title;
  observeLinks();
};

// What the agent does comes more often than anything else changes, and only its part is asked for.
const refreshNow = async () => {
  const part = document.getElementById('now');
  if (!part || document.hidden) return;
  const response = await fetch(`${base}/run/${encodeURIComponent(watch)}/now`);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = page.getElementById('now');
  if (next) Idiomorph.morph(part, next);
};

const showSignedOut = () => {
  live.textContent = out;
  source?.close();
};

let last = Number(seq);
let source = null;
let waiting = null;
let refreshedAt = 0;
const refreshSoon = () => {
  if (document.hidden || waiting !== null) return;
  waiting = setTimeout(
    () => {
      waiting = null;
      refreshedAt = Date.now();
      refreshPage().catch(() => {});
    },
    Math.max(0, refreshedAt + MIN_REFRESH_MS - Date.now()),
  );
};
let isStale = false;
const connectEvents = () => {
  source = new EventSource(`${base}/live?run=${encodeURIComponent(watch)}&from=${last}`);
  source.addEventListener('open', () => {
    live.textContent = '';
  });
  source.addEventListener('message', ({ lastEventId }) => {
    last = Number(lastEventId);
    isStale = document.hidden;
    refreshSoon();
  });
  source.addEventListener('now', () => refreshNow().catch(() => {}));
  source.addEventListener('out', showSignedOut);
  source.addEventListener('error', () => {
    if (live.textContent !== out) live.textContent = lost;
    if (source.readyState === EventSource.CLOSED && live.textContent !== out)
      setTimeout(connectEvents, RETRY_MS);
  });
};
if (watch) connectEvents();
document.addEventListener('visibilitychange', () => {
  if (!isStale || document.hidden) return;
  isStale = false;
  refreshSoon();
});

const loadHunk = async (link) => {
  const response = await fetch(link.dataset.hunk);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const rows = [...page.querySelectorAll('tr')];
  for (const row of rows) row.dataset.loaded = '';
  link.closest('tr').replaceWith(...rows);
  observeLinks();
};
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      loadHunk(target).catch(() => {});
    }
  },
  { rootMargin: '800px' },
);
const observeLinks = () => {
  for (const link of document.querySelectorAll('a[data-hunk]')) seen.observe(link);
};
observeLinks();

const focusNextRow = (by) => {
  const titles = [...document.querySelectorAll('.row .title')];
  const at = titles.indexOf(document.activeElement);
  const next = titles[at < 0 ? 0 : Math.min(titles.length - 1, Math.max(0, at + by))];
  next?.focus();
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, textarea, select')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === 'j') focusNextRow(1);
  else if (event.key === 'k') focusNextRow(-1);
  else if (event.key === '/') document.getElementById('search')?.focus();
  else return;
  event.preventDefault();
});

// Says words to the agent of the run that the page shows; the answer says what became of them.
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('button[data-tell]');
  const field = document.getElementById('tell-words');
  if (!button || !field || field.value.trim() === '') return;
  const place = button.closest('[data-run]');
  const say = document.getElementById('tell-says');
  button.disabled = true;
  try {
    const response = await fetch(`/board/run/${encodeURIComponent(place.dataset.run)}/words`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ words: field.value, when: button.dataset.tell }),
    });
    const { ok, says } = response.status === 401 ? { ok: false, says: out } : await response.json();
    if (ok) field.value = '';
    say.textContent = says;
    say.className = ok ? 'says good' : 'says bad';
  } catch {
    say.textContent = place.dataset.failed;
    say.className = 'says bad';
  } finally {
    button.disabled = false;
  }
});
