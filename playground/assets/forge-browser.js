/** Keeps an open forge page true: asks for it again on every change, and puts in what is new without disturbing its reader. */

/**
 * Makes `from` equal to `to`, leaving alone what a person has done. What is typed, ticked and chosen are no attributes; what is
 * folded is one.
 */
function morph(from, to) {
  if (from.isEqualNode(to)) return;
  if (from.nodeType !== Node.ELEMENT_NODE) {
    from.nodeValue = to.nodeValue;
    return;
  }
  const mine = (name) => name === 'open' && from.matches('details');
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !mine(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (!mine(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  morphChildren(from, to);
}

const key = (node) => (node.nodeType === Node.ELEMENT_NODE && node.id) || null;
const alike = (a, b) => a.nodeName === b.nodeName && key(a) === key(b);

function morphChildren(from, to) {
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const id = key(wanted);
    const named = id && [...from.children].find((child) => child.id === id && alike(child, wanted));
    const found = named ?? (at && !key(at) && alike(at, wanted) ? at : null);
    if (found) {
      if (found !== at) from.insertBefore(found, at);
      morph(found, wanted);
      at = found.nextSibling;
    } else from.insertBefore(document.importNode(wanted, true), at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

const main = () => document.querySelector('main');

function show(text, withNote) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const wanted = page.querySelector('main');
  if (!wanted) return false;
  document.title = page.title;
  morph(main(), wanted);
  morph(document.querySelector('header.top nav'), page.querySelector('header.top nav'));
  if (withNote) tell(page.querySelector('#note').textContent.trim(), page.querySelector('.note')?.className);
  return true;
}

let fading;
function tell(words, kind = 'note') {
  const place = document.querySelector('#note');
  const line = document.createElement('p');
  line.className = kind;
  line.textContent = words;
  place.replaceChildren(...(words === '' ? [] : [line]));
  clearTimeout(fading);
  fading = setTimeout(() => place.replaceChildren(), 6000);
}

/** The address without the note, which is said only once, and the key, which the cookie holds now. */
function cleanAddress(address) {
  const url = new URL(address, location.href);
  url.searchParams.delete('note');
  url.searchParams.delete('key');
  return url.href;
}

let asking = null;
let again = false;
async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  asking = fetch(cleanAddress(location.href), { headers: { accept: 'text/html' } })
    .then(async (response) => show(await response.text(), false))
    .catch(() => {})
    .finally(() => {
      asking = null;
      if (again) {
        again = false;
        void refresh();
      }
    });
  await asking;
}

async function visit(address, options) {
  const response = await fetch(address, { ...options, headers: { accept: 'text/html' } });
  const text = await response.text();
  if (!show(text, true)) {
    tell(text.slice(0, 300), 'note bad');
    return false;
  }
  const here = new URL(cleanAddress(response.url));
  here.hash = new URL(address, location.href).hash;
  history.replaceState(null, '', here);
  return true;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  event.preventDefault();
  const sent = new FormData(form, event.submitter);
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  visit(form.action, { method: 'POST', body: new URLSearchParams(sent) })
    .then((done) => {
      const refused = document.querySelector('#note .bad');
      if (done && !refused) form.reset();
    })
    .catch(() => tell('The forge does not answer. Nothing is known to have been done.', 'note bad'))
    .finally(() => {
      for (const button of buttons) button.disabled = false;
    });
});

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[data-soft]');
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  visit(link.href)
    .then(() => document.querySelector('#say-line textarea')?.focus())
    .catch(() => tell('The forge does not answer.', 'note bad'));
});

function listen() {
  const sign = document.querySelector('#live');
  const events = new EventSource('/forge/events');
  events.onopen = () => {
    sign.className = 'local live';
    sign.title = 'Shows every change at once';
  };
  events.onerror = () => {
    sign.className = 'local';
    sign.title = 'Not connected';
  };
  let opened = false;
  events.addEventListener('open', () => {
    // What happened while the connection was gone.
    if (opened) void refresh();
    opened = true;
  });
  events.onmessage = () => void refresh();
}

history.replaceState(null, '', cleanAddress(location.href));
if (document.querySelector('.note'))
  tell(document.querySelector('#note').textContent.trim(), document.querySelector('.note').className);
listen();
setInterval(() => void refresh(), 60_000);
