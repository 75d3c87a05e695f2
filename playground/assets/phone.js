/** The phone: asks the local Telegram how things stand, shows it, and carries out what a person does. */
import { createChats, lineOf } from './phone-chats.js';
import { createComposer } from './phone-composer.js';
import { createLog } from './phone-log.js';
import { createSheets } from './phone-sheets.js';
import { initials, shortName, tick, tone } from './phone-text.js';
import { createViewer } from './phone-viewer.js';

const $ = (id) => document.getElementById(id);
const wide = matchMedia('(min-width: 760px)');
/** How long until a stream that was refused is asked for again, in ms. */
const AGAIN_MS = 1000;
const address = new URL(location.href);
let start = /^[\w-]{1,64}$/.exec(address.searchParams.get('start') ?? '')?.[0] ?? null;
for (const name of ['key', 'start']) address.searchParams.delete(name);
if (address.href !== location.href) history.replaceState(null, '', address);
const asked = address.searchParams.get('as');
const query = asked === null ? '' : `?as=${encodeURIComponent(asked)}`;

let state = null;
let connected = false;
let aside = 0;
const busy = new Set();
const heard = new Set();
/** Messages that brought their reader to answer them, once. */
const answering = new Set();

const sheets = createSheets({
  toasts: $('toasts'),
  sheet: $('sheet'),
  title: $('sheet-title'),
  text: $('sheet-text'),
  acts: $('sheet-acts'),
});
const viewer = createViewer(
  {
    dialog: $('viewer'),
    title: $('viewer-title'),
    note: $('viewer-note'),
    save: $('viewer-save'),
    close: $('viewer-close'),
    body: $('viewer-body'),
  },
  (words) => sheets.toast(words, 'bad'),
);
const chats = createChats($('rooms'), (id) => (location.hash = `#${id}`));
const log = createLog(
  { scroll: $('scroll'), list: $('log'), jump: $('jump'), jumpText: $('jump-text') },
  {
    command: (text) => send({ text }),
    link: sheets.link,
    copy: sheets.copy,
    view: viewer.open,
    jump: (id) => log.jumpTo(id) || sheets.toast('That message is no longer here.'),
    options,
    tap,
  },
);
const composer = createComposer(
  {
    form: $('composer'),
    words: $('words'),
    button: $('send'),
    slash: $('slash'),
    attach: $('attach'),
    menu: $('menu'),
    context: $('context'),
    contextIcon: $('context-icon'),
    contextTitle: $('context-title'),
    contextText: $('context-text'),
    contextClose: $('context-close'),
  },
  ({ text, replyTo, edit }) => (edit === null ? send({ text, replyTo }) : change(edit, text)),
  (wish) =>
    sheets.ask('Send', 'What is written goes below a photo, and is what a voice message says.', [
      { text: 'Photo', act: () => attach('photo', wish) },
      { text: 'Voice message', act: () => attach('voice', wish) },
      { text: 'Sticker', act: () => attach('sticker', wish) },
      { text: 'Back' },
    ]),
);

const room = () => state?.rooms.find((one) => String(one.id) === location.hash.slice(1)) ?? null;

async function post(path, wish) {
  try {
    const response = await fetch(`/phone/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ as: state.me.id, ...wish }),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    sheets.toast(answer.error, 'bad');
  } catch {
    sheets.toast('The local Telegram does not answer. Is the playground still running?', 'bad');
  }
  return null;
}

async function send({ text, replyTo = null }) {
  const open = room();
  if (!open) return false;
  return (await post('send', { chat: open.id, text, ...(replyTo !== null && { replyTo }) })) !== null;
}

async function attach(what, { text, replyTo, done }) {
  const answers = replyTo === null ? {} : { replyTo };
  if ((await post('attach', { chat: room().id, what, caption: text, ...answers })) !== null) done(what);
}

const change = async (message, text) => (await post('edit', { chat: room().id, message, text })) !== null;

async function tap(message, { data }) {
  const open = room();
  const key = `${message.id}:${data}`;
  if (!open || busy.has(key)) return;
  busy.add(key);
  show();
  const answer = await post('tap', { chat: open.id, message: message.id, data });
  busy.delete(key);
  if (answer) hear(answer);
  show();
}

/** What the bot said to a tap, once, whether this page or somebody else made it. */
function hear({ id, text, alert }) {
  if (heard.has(id)) return;
  heard.add(id);
  if (text === '') return;
  if (alert) sheets.alert(text);
  else sheets.toast(text);
}

function options(id) {
  const open = room();
  const message = open?.messages.find((one) => one.id === id);
  if (!message) return;
  const name = message.mine ? 'yourself' : shortName(message.from);
  const targets = state.rooms;
  const forward = (to) => post('forward', { chat: open.id, message: id, to });
  const where = () =>
    targets.length === 1
      ? forward(targets[0].id)
      : sheets.ask('Forward to', '', [
          ...targets.map((one) => ({ text: shortName(one.title), act: () => forward(one.id) })),
          { text: 'Back' },
        ]);
  sheets.ask('', lineOf(message), [
    { text: 'Reply', icon: 'reply', act: () => composer.reply(message, name) },
    ...(message.mine ? [{ text: 'Edit', icon: 'edit', act: () => composer.edit(message) }] : []),
    ...(message.text === ''
      ? []
      : [{ text: 'Copy text', icon: 'copy', act: () => sheets.copy(message.text) }]),
    ...(message.text === '' || message.document ? [] : [{ text: 'Forward', icon: 'forward', act: where }]),
  ]);
}

function show() {
  if (!state) return;
  const { me } = state;
  if (!me) return empty('Nobody holds a phone yet', 'It comes to life with the first person of the demo.');
  if (!room() && wide.matches && state.rooms.length > 0) {
    const newest = [...state.rooms].sort(
      (a, b) => (b.messages.at(-1)?.id ?? 0) - (a.messages.at(-1)?.id ?? 0),
    )[0];
    history.replaceState(null, '', `#${newest.id}`);
  }
  const open = room();
  if (open && !document.hidden) chats.markRead(me, open);
  showMe(me);
  chats.show(state, open?.id ?? null);
  showUnread(me, open);
  $('app').dataset.view = open ? 'chat' : 'list';
  for (const id of ['chat-bar', 'floor']) $(id).hidden = !open;
  $('nothing').hidden = open !== null;
  $('scroll').hidden = !open;
  if (!open) {
    log.leave();
    $('pinned').hidden = true;
    return;
  }
  showBar(open);
  composer.show(open);
  answerNewest(open);
  log.show(open, { busy, now: state.now });
  tick(document, Date.now() + aside, me.language);
}

/** As Telegram does: a message that asks for an answer opens one, unless something else was begun. */
function answerNewest({ messages }) {
  const newest = messages.findLast(({ asks, mine }) => asks || mine);
  if (!newest?.asks || answering.has(newest.id)) return;
  answering.add(newest.id);
  if (!composer.isAnswering()) composer.reply(newest, shortName(newest.from));
}

function empty(title, words) {
  $('me-name').textContent = 'Phone';
  $('nothing').hidden = false;
  $('app').dataset.view = 'list';
  chats.tell(title, words);
}

function showMe(me) {
  $('me-name').textContent = `${me.name}’s phone`;
  $('me-avatar').textContent = initials(me.name);
  $('me-avatar').className = `avatar ${tone(me.name)}`;
  $('holder').hidden = state.people.length < 2;
  const names = JSON.stringify(state.people);
  if ($('people').dataset.names === names) return;
  $('people').dataset.names = names;
  $('people').replaceChildren(
    ...state.people.map(({ id, name }) => new Option(name, String(id), false, id === me.id)),
  );
}

function showUnread(me, open) {
  const others = state.rooms.filter((one) => one.id !== open?.id);
  const count = others.reduce((sum, one) => sum + chats.unread(me, one), 0);
  const hidden = open ? chats.unread(me, open) : 0;
  $('back-badge').hidden = count === 0;
  $('back-badge').textContent = String(count);
  document.title = `${count + hidden > 0 ? `(${count + hidden}) ` : ''}${me.name}’s phone`;
}

function showBar(open) {
  $('chat-title').textContent = shortName(open.title);
  $('chat-avatar').textContent = initials(open.title);
  $('chat-avatar').className = `avatar ${open.kind}`;
  $('chat-chip').hidden = open.kind !== 'private';
  showLink();
  const pinned = open.messages.findLast((message) => message.pinned);
  $('pinned').hidden = !pinned;
  if (pinned) $('pinned-text').textContent = lineOf(pinned);
}

function showLink() {
  const open = room();
  for (const id of ['side-link', 'chat-link']) $(id).classList.toggle('waits', !connected);
  $('side-link').textContent = connected ? 'online' : 'connecting…';
  const about = open?.kind === 'private' ? `@${state.bot.username}` : 'group';
  $('chat-link').textContent = connected ? about : 'connecting…';
}

let loading = false;
let stale = false;
async function load() {
  if (loading) {
    stale = true;
    return;
  }
  loading = true;
  try {
    const response = await fetch(`/phone/state${query}`);
    const next = await response.json();
    if (!response.ok) {
      empty(response.status === 403 ? 'Locked' : 'Nobody is here', next.error);
      return;
    }
    const first = state === null;
    state = next;
    aside = next.now - Date.now();
    for (const answer of next.answers) {
      // What was said before the page was opened is past; what this page waits for comes with its own answer.
      if (first || busy.size > 0) {
        if (first) heard.add(answer.id);
      } else hear(answer);
    }
    show();
    if (start !== null && room()) {
      const payload = start;
      start = null;
      send({ text: `/start ${payload}` });
    }
  } catch {
    // The stream says when the server is back, and then this is asked again.
  } finally {
    loading = false;
    if (stale) {
      stale = false;
      load();
    }
  }
}

function connect() {
  const events = new EventSource('/phone/events');
  events.addEventListener('open', () => {
    connected = true;
    showLink();
    load();
  });
  events.addEventListener('message', load);
  events.addEventListener('error', () => {
    connected = false;
    showLink();
    if (events.readyState !== EventSource.CLOSED) return;
    load();
    setTimeout(connect, AGAIN_MS);
  });
}

$('back').addEventListener('click', () => {
  const id = location.hash.slice(1);
  location.hash = '';
  document.querySelector(`[data-room="${CSS.escape(id)}"]`)?.focus();
});
$('pinned').addEventListener('click', () => {
  const pinned = room()?.messages.findLast((message) => message.pinned);
  if (pinned) log.jumpTo(pinned.id);
});
$('people').addEventListener('change', (event) => {
  location.href = `/?as=${encodeURIComponent(event.target.value)}`;
});
addEventListener('hashchange', () => {
  show();
  if (room() && matchMedia('(pointer: fine)').matches) $('words').focus();
});
wide.addEventListener('change', show);
document.addEventListener('visibilitychange', show);
setInterval(() => state?.me && tick(document, Date.now() + aside, state.me.language), 1000);
connect();
