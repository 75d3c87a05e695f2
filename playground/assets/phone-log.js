/** The messages of the open chat: kept in step with the state, without moving what a person is reading. */
import { fillMessage } from './phone-message.js';
import { dayName, el } from './phone-text.js';

/** Messages of one sender within this many seconds stand together. */
const TOGETHER = 300;
/** How near to the end counts as at the end, in px. */
const NEAR = 48;

export function createLog({ scroll, list, jump, jumpText }, acts) {
  const shown = new Map();
  const opened = new Map();
  let roomId = null;
  let stuck = true;
  let missed = 0;

  const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
  function toEnd() {
    scroll.scrollTop = scroll.scrollHeight;
    stuck = true;
    miss(0);
  }
  function miss(count) {
    missed = count;
    jump.hidden = stuck;
    jump.classList.toggle('round', missed === 0);
    jumpText.textContent = missed === 0 ? '' : missed === 1 ? 'New message' : `${missed} new messages`;
    jump.setAttribute('aria-label', missed === 0 ? 'To the newest message' : '');
    if (missed > 0) jump.removeAttribute('aria-label');
  }
  scroll.addEventListener('scroll', () => {
    stuck = atEnd();
    miss(stuck ? 0 : missed);
  });
  jump.addEventListener('click', toEnd);
  // Whoever unfolds a quote reads it: the end is then elsewhere.
  list.addEventListener('click', () =>
    requestAnimationFrame(() => {
      stuck = atEnd();
      miss(stuck ? 0 : missed);
    }),
  );
  // A keyboard on the screen or a taller composer takes room away from below.
  new ResizeObserver(() => stuck && toEnd()).observe(scroll);

  function place(key, at, make) {
    const node = shown.get(key)?.node ?? make();
    if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
    return node;
  }

  function fill(message, node, around) {
    const print = JSON.stringify([message, around.first, around.last, around.group, around.waits]);
    const before = shown.get(message.id);
    if (before?.print === print) return;
    shown.set(message.id, { node, print });
    if (!opened.has(message.id)) opened.set(message.id, new Set());
    const focused = node.contains(document.activeElement);
    fillMessage(node, message, { ...around, opened: opened.get(message.id) }, acts);
    // Not onto the button that took the pressed one's place: a second Enter must not press it.
    if (focused) node.focus({ preventScroll: true });
  }

  function show(room, { busy, now }) {
    const fresh = room.id !== roomId;
    if (fresh) {
      roomId = room.id;
      shown.clear();
      opened.clear();
      list.replaceChildren();
      stuck = true;
    }
    list.setAttribute('aria-busy', String(fresh));
    const newest = Math.max(0, ...[...shown.keys()].filter((key) => typeof key === 'number'));
    const keys = new Set();
    let at = 0;
    let sentByMe = false;
    let arrived = 0;
    for (const [index, message] of room.messages.entries()) {
      const before = room.messages[index - 1];
      const after = room.messages[index + 1];
      const day = dayName(message.date, now);
      if (!before || dayName(before.date, now) !== day) {
        const key = `day ${day}`;
        keys.add(key);
        const node = place(key, at++, () => el('li', { class: 'day' }, el('span', {}, day)));
        shown.set(key, { node, print: '' });
      }
      keys.add(message.id);
      if (!fresh && message.id > newest) {
        if (message.mine) sentByMe = true;
        else arrived += 1;
      }
      const node = place(message.id, at++, () =>
        el('li', { tabindex: -1, id: `message-${message.id}`, class: fresh ? null : 'new' }),
      );
      fill(message, node, {
        first: !together(before, message, now),
        last: !together(message, after, now),
        group: room.kind === 'group',
        busy,
        waits: [...busy].filter((one) => one.startsWith(`${message.id}:`)).join(),
      });
      if (!fresh && message.id > newest) node.classList.add('new');
    }
    for (const [key, { node }] of shown) {
      if (keys.has(key)) continue;
      node.remove();
      shown.delete(key);
    }
    list.setAttribute('aria-busy', 'false');
    if (fresh || stuck || sentByMe) toEnd();
    else miss(missed + arrived);
  }

  return {
    show,
    toEnd,
    /** Brings a message into view and marks it for a moment. */
    jumpTo(id) {
      const node = shown.get(id)?.node;
      if (!node) return false;
      node.scrollIntoView({ block: 'center' });
      node.classList.remove('found');
      requestAnimationFrame(() => node.classList.add('found'));
      node.focus({ preventScroll: true });
      return true;
    },
    leave() {
      roomId = null;
    },
  };
}

function together(one, other, now) {
  if (!one || !other) return false;
  if (one.mine !== other.mine || one.from !== other.from || one.bot !== other.bot) return false;
  return other.date - one.date < TOGETHER && dayName(one.date, now) === dayName(other.date, now);
}
