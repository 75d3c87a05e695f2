/** The list of chats: last line, time, and how many messages were not read yet. */
import { clock, dayName, el, initials, shortName } from './phone-text.js';

/** What was read is remembered by this tab only: a new demo starts its numbers again. */
const STORE = 'phone-read';

export function createChats(list, openRoom) {
  const read = new Map(JSON.parse(sessionStorage.getItem(STORE) ?? '[]'));
  let print = '';

  const keyOf = (me, room) => `${me.id}/${room.id}`;
  const unread = (me, room) => {
    const seen = read.get(keyOf(me, room)) ?? 0;
    return room.messages.filter((message) => !message.mine && message.id > seen).length;
  };

  return {
    unread,
    /** Says something in place of the list. */
    tell(title, words) {
      print = '';
      list.replaceChildren(el('li', { class: 'none' }, el('strong', {}, title), words));
    },
    markRead(me, room) {
      const last = room.messages.at(-1)?.id ?? 0;
      if (read.get(keyOf(me, room)) === last) return;
      read.set(keyOf(me, room), last);
      sessionStorage.setItem(STORE, JSON.stringify([...read]));
    },
    show(state, openId) {
      const rooms = [...state.rooms].sort((a, b) => lastDate(b) - lastDate(a));
      const rows = rooms.map((room) => row(state, room, unread(state.me, room), room.id === openId));
      const now = JSON.stringify(rows);
      // Left alone when nothing changed, so that a focus in it stays.
      if (now === print) return;
      print = now;
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.room : null;
      list.replaceChildren(...rows.map((one) => rowNode(one, openRoom)));
      if (focused) list.querySelector(`[data-room="${CSS.escape(focused)}"]`)?.focus();
    },
  };
}

const lastDate = (room) => room.messages.at(-1)?.date ?? 0;

function row(state, room, unread, open) {
  const last = room.messages.at(-1);
  const from = last?.mine ? 'You' : room.kind === 'group' ? shortName(last?.from ?? '') : '';
  const today = last && dayName(last.date, state.now) === 'Today';
  return {
    id: room.id,
    kind: room.kind,
    unread,
    open,
    title: shortName(room.title),
    mark: initials(room.title),
    from: last ? from : '',
    line: last ? lineOf(last) : 'No messages yet',
    time: last ? (today ? clock(last.date) : dayName(last.date, state.now)) : '',
    waits: last !== undefined && last.buttons.some((line) => line.some((button) => button.style !== null)),
  };
}

/** A message in one line, for lists and pins. */
export const lineOf = (message) =>
  (message.text || message.document?.name || 'Message').replace(/\s*\n\s*/g, ' · ').slice(0, 160);

function rowNode(one, openRoom) {
  return el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        class: 'room',
        'data-room': one.id,
        click: () => openRoom(one.id),
        'aria-current': one.open ? 'true' : null,
      },
      el('span', { class: `avatar ${one.kind}`, 'aria-hidden': 'true' }, one.mark),
      el(
        'span',
        { class: 'room-text' },
        el(
          'span',
          { class: 'room-top' },
          el('span', { class: 'room-title' }, one.title),
          el('span', { class: 'room-time' }, one.time),
        ),
        el(
          'span',
          { class: 'room-bottom' },
          el('span', { class: 'room-line' }, one.from ? el('b', {}, `${one.from}: `) : null, one.line),
          one.unread > 0
            ? el(
                'span',
                { class: 'badge', 'aria-label': `${one.unread} not read` },
                one.unread > 99 ? '99+' : `${one.unread}`,
              )
            : null,
        ),
      ),
    ),
  );
}
