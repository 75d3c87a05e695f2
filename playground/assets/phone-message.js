/** One message as nodes: its bubble, its document, its buttons. */
import { clock, el, icon, initials, nodesOf, shortName, size, tone } from './phone-text.js';

const viewable = /\.(patch|diff|txt|log|md|json|jsonl|ya?ml|csv|[cm]?[jt]s|css|html|sh|py)$/i;

const picture = /\.(png|jpe?g|gif|webp)$/i;

/** Fills `node`; `opened` remembers what a person has unfolded in it. `acts` are what its parts ask for. */
export function fillMessage(node, message, { first, last, group, busy, opened }, acts) {
  node.className = ['message', message.mine ? 'mine' : 'theirs', first && 'first', last && 'last']
    .filter(Boolean)
    .join(' ');
  node.classList.toggle('card', message.buttons.length > 0 || message.entities.some(isBlock));
  const bubble = el(
    'div',
    { class: 'bubble' },
    group && !message.mine && first
      ? el('span', { class: `sender ${colour(message)}` }, shortName(message.from))
      : null,
    message.forwardedFrom
      ? el('span', { class: 'forwarded' }, `Forwarded from ${shortName(message.forwardedFrom)}`)
      : null,
    message.replyTo ? quoteOf(message.replyTo, acts) : null,
    message.attached ? el('span', { class: 'attached' }, ATTACHED[message.attached]) : null,
    message.photo ? preview(message.photo) : null,
    message.document && picture.test(message.document.name) ? preview(message.document) : null,
    message.document ? documentCard(message.document, acts) : null,
    message.text === ''
      ? null
      : el('div', { class: 'text' }, nodesOf(message.text, message.entities, acts, opened)),
    meta(message, acts),
  );
  const avatar =
    group && !message.mine && last
      ? el(
          'span',
          { class: `avatar small ${colour(message)}`, 'aria-hidden': 'true' },
          initials(message.from),
        )
      : null;
  node.replaceChildren(...[avatar, bubble, keyboard(message, busy, acts)].filter(Boolean));
}

const ATTACHED = { photo: '▦ Photo', voice: '◉ Voice message, 0:03', sticker: '☺ Sticker' };
const colour = (message) => (message.bot ? '' : tone(message.from));
const isBlock = (entity) => /blockquote|^pre$/.test(entity.type);

function quoteOf(original, acts) {
  const words = el('span', { class: 'reply-text' }, original.text || 'Message');
  return el(
    'button',
    { type: 'button', class: 'reply', click: () => acts.jump(original.id) },
    el('strong', {}, shortName(original.from)),
    words,
  );
}

/** The time is a button: it opens what can be done with the message. */
function meta(message, acts) {
  const time = clock(message.date);
  return el(
    'button',
    {
      type: 'button',
      class: 'meta',
      'aria-label': `${time}, what to do with this message`,
      click: () => acts.options(message.id),
    },
    message.pinned ? icon('pin') : null,
    message.silent ? icon('mute') : null,
    message.edited ? 'edited' : null,
    el('span', { class: 'meta-time' }, time),
  );
}

/** Only as pixels: whatever else the bytes are, an image element runs nothing. */
function preview(document) {
  return el('img', { class: 'preview', src: document.url, alt: document.name, loading: 'lazy' });
}

function documentCard(document, acts) {
  const kind = /\.([a-z0-9]{1,5})$/i.exec(document.name)?.[1] ?? 'file';
  const canView = document.mime.startsWith('text/') || viewable.test(document.name);
  return el(
    'div',
    { class: 'document' },
    el('span', { class: 'document-kind', 'aria-hidden': 'true' }, kind),
    el(
      'span',
      { class: 'document-text' },
      el('span', { class: 'document-name' }, document.name),
      el('span', { class: 'document-size' }, size(document.size)),
    ),
    canView
      ? el('button', { type: 'button', class: 'small-act', click: () => acts.view(document) }, 'View')
      : null,
    el(
      'a',
      {
        class: 'small-act',
        href: document.url,
        download: document.name,
        'aria-label': `Download ${document.name}`,
      },
      icon('save'),
    ),
  );
}

function keyboard(message, busy, acts) {
  if (message.buttons.length === 0) return null;
  return el(
    'div',
    { class: 'keyboard' },
    ...message.buttons.map((row) =>
      el('div', { class: 'row' }, ...row.map((button) => key(message, button, busy, acts))),
    ),
  );
}

function key(message, button, busy, acts) {
  const waits = button.data !== null && busy.has(`${message.id}:${button.data}`);
  const click = () => {
    if (button.data !== null) acts.tap(message, button);
    else if ((button.url ?? button.app) !== null) acts.link(button.url ?? button.app);
    else if (button.copy !== null) acts.copy(button.copy);
  };
  return el(
    'button',
    {
      type: 'button',
      class: `key ${button.style ?? ''}`.trim(),
      click,
      'aria-busy': waits ? 'true' : null,
    },
    el('span', {}, button.text),
    // As Telegram marks them: what leaves the chat, and what goes to the clipboard.
    (button.url ?? button.app) === null ? null : icon('out'),
    button.copy === null ? null : icon('copy'),
  );
}
