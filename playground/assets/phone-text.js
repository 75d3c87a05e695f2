/** Turns a message's text and entities into nodes. Nothing of a message is ever read as markup. */

/** Makes an element; text given as children becomes text nodes. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, '');
    else if (value !== null && value !== false && value !== undefined) node.setAttribute(key, String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

/** Of a line of a diff, by its sign. */
const kindOf = (line) =>
  line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'place' : null;

/** A quote with less than this (and less than four lines) needs no folding, in characters. */
const SHORT = 140;
const wraps = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
};
/** What a client makes tappable in plain text: commands, and addresses of the web. */
const tappable = /(?<![\w/.:-])\/[a-z]\w{0,31}(?![\w/])|https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)]/gi;

/**
 * `acts.command(text)` and `acts.link(url)` hear of taps; `opened` remembers which quotes and spoilers are open, by their number.
 */
export function nodesOf(text, entities, acts, opened) {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  let folds = 0;

  function build(parent, from, to, inside, plain) {
    let at = from;
    while (inside.length > 0) {
      const entity = inside.shift();
      const start = Math.max(entity.offset, at);
      const end = Math.min(entity.offset + entity.length, to);
      if (end <= start) continue;
      write(parent, text.slice(at, start), plain);
      const own = [];
      while (inside.length > 0 && inside[0].offset < end) own.push(inside.shift());
      const { node, into, block, literal } = shape(entity, start, end);
      build(into, start, end, own, plain && !literal);
      parent.append(node);
      // A block ends its line by itself.
      at = block && text[end] === '\n' ? end + 1 : end;
    }
    write(parent, text.slice(at, to), plain);
  }

  function write(parent, words, plain) {
    let at = 0;
    for (const match of plain ? words.matchAll(tappable) : []) {
      parent.append(words.slice(at, match.index), tap(match[0]));
      at = match.index + match[0].length;
    }
    if (at < words.length) parent.append(words.slice(at));
  }

  function tap(words) {
    return words.startsWith('/')
      ? el('button', { type: 'button', class: 'word', click: () => acts.command(words) }, words)
      : el('button', { type: 'button', class: 'word', title: words, click: () => acts.link(words) }, words);
  }

  function shape(entity, start, end) {
    const words = text.slice(start, end);
    const as = (node, more = {}) => ({ node, into: node, block: false, literal: false, ...more });
    switch (entity.type) {
      case 'code':
        return as(el('code'), { literal: true });
      case 'pre':
        return pre(entity, words);
      case 'blockquote':
        return as(el('blockquote'), { block: true });
      case 'expandable_blockquote':
        return words.length < SHORT && words.split('\n').length < 4
          ? as(el('blockquote'), { block: true })
          : fold(folds++);
      case 'spoiler':
        return spoiler(folds++);
      case 'text_link':
      case 'url': {
        const url = entity.url ?? words;
        if (!/^https?:\/\//i.test(url)) return as(el('span', { title: url }), { literal: true });
        const click = () => acts.link(url);
        return as(el('button', { type: 'button', class: 'word', title: url, click }), { literal: true });
      }
      case 'bot_command': {
        const click = () => acts.command(words);
        return as(el('button', { type: 'button', class: 'word', click }), { literal: true });
      }
      case 'mention':
      case 'text_mention':
      case 'hashtag':
        return as(el('span', { class: 'mention' }), { literal: true });
      case 'date_time':
        return moment(entity, words);
      default:
        return as(el(wraps[entity.type] ?? 'span'));
    }
  }

  function pre(entity, words) {
    const code = el('code');
    const copy = el('button', { type: 'button', click: () => acts.copy(words) }, 'Copy');
    const head = el('span', { class: 'pre-head' }, el('span', {}, entity.language ?? 'code'), copy);
    const node = el('div', { class: 'pre' }, head, el('pre', { tabindex: 0 }, code));
    if (entity.language !== 'diff') return { node, into: code, block: true, literal: true };
    code.append(
      ...words.split('\n').map((line, i) => el('span', { class: kindOf(line) }, (i > 0 ? '\n' : '') + line)),
    );
    // What stands there is written already.
    return { node, into: document.createDocumentFragment(), block: true, literal: true };
  }

  function fold(number) {
    const into = el('div', { class: 'fold-text' });
    const more = el('button', { type: 'button', class: 'fold-more' });
    const node = el('blockquote', { class: 'fold' }, into, more);
    const show = () => {
      const open = opened.has(number);
      node.classList.toggle('open', open);
      more.textContent = open ? 'Show less' : 'Show more';
      more.setAttribute('aria-expanded', String(open));
    };
    more.addEventListener('click', () => {
      if (!opened.delete(number)) opened.add(number);
      show();
    });
    show();
    return { node, into, block: true, literal: false };
  }

  function spoiler(number) {
    const node = el('button', { type: 'button', class: 'spoiler', 'aria-label': 'Hidden text' });
    const show = () => {
      if (!opened.has(number)) return;
      node.classList.add('open');
      node.removeAttribute('aria-label');
    };
    node.addEventListener('click', () => {
      opened.add(number);
      show();
    });
    show();
    return { node, into: node, block: false, literal: true };
  }

  function moment(entity, words) {
    const date = new Date(entity.unix_time * 1000);
    const data = { 'data-unix': entity.unix_time, 'data-format': entity.date_time_format ?? '' };
    const about = { datetime: date.toISOString(), title: date.toLocaleString(), 'aria-live': 'off' };
    const node = el('time', { class: 'moment', ...about, ...data }, words);
    // The bot's own words are only for clients that cannot count; what stands here counts by itself.
    return { node, into: document.createDocumentFragment(), block: false, literal: true };
  }

  const all = document.createDocumentFragment();
  build(all, 0, text.length, sorted, true);
  return all;
}

/** Lets every time in `root` say how far away it is; `now` is in epoch ms. */
export function tick(root, now, language) {
  for (const node of root.querySelectorAll('time.moment')) {
    const words = momentWords(Number(node.dataset.unix), node.dataset.format, now, language);
    // The node stays, so that a screen reader does not read every second aloud.
    if (node.firstChild && node.firstChild.data !== words) node.firstChild.data = words;
  }
}

/** Each up to so many of it; hours go on past a day, for “tomorrow” says less. */
const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 48],
  ['day', Infinity],
];
function momentWords(unix, format, now, language) {
  if (format !== 'r') return dateWords(unix, format, language);
  let left = Math.round(unix - now / 1000);
  for (const [unit, size] of steps) {
    if (Math.abs(left) < size)
      return new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
        .format(left, unit)
        .replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');
    left = Math.round(left / (unit === 'hour' ? 24 : size));
  }
  return '';
}

/** Bot API, date_time_format: w weekday, d or D the date, t or T the time. */
function dateWords(unix, format, language) {
  const options = {
    ...(format.includes('w') && { weekday: 'long' }),
    ...(format.includes('d') && { dateStyle: 'short' }),
    ...(format.includes('D') && { dateStyle: 'long' }),
    ...(format.includes('t') && { timeStyle: 'short' }),
    ...(format.includes('T') && { timeStyle: 'medium' }),
  };
  const { weekday, ...rest } =
    Object.keys(options).length > 0 ? options : { dateStyle: 'medium', timeStyle: 'short' };
  const date = new Date(unix * 1000);
  const day = weekday ? [new Intl.DateTimeFormat(language, { weekday }).format(date)] : [];
  const time = Object.keys(rest).length > 0 ? [new Intl.DateTimeFormat(language, rest).format(date)] : [];
  return [...day, ...time].join(', ');
}

export const clock = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });

export const dayName = (seconds, now) => {
  const date = new Date(seconds * 1000);
  const today = new Date(now);
  const days = Math.round((new Date(today.toDateString()) - new Date(date.toDateString())) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.toLocaleDateString([], {
    day: 'numeric',
    month: 'long',
    year: days > 300 ? 'numeric' : undefined,
  });
};

export const size = (bytes) =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** One of the five colours for people, always the same for a name. */
export const tone = (name) => `tone-${[...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 5}`;

/** A bot's @name as a person would write it. */
export const shortName = (name) =>
  name
    .replace(/_?bot$/i, '')
    .replaceAll('_', ' ')
    .trim() || name;
export const initials = (name) =>
  shortName(name)
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');
