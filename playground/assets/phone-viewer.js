/** Reads documents on the phone: a patch file by file with its lines coloured, any other text as it is. */
import { el, size } from './phone-text.js';

/** More than anyone reads on a phone; the rest is in the download. */
const LINES = 6000;

export function createViewer({ dialog, title, note, save, close, body }, failed) {
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());

  return {
    async open(document) {
      title.textContent = document.name;
      note.textContent = size(document.size);
      save.setAttribute('href', document.url);
      save.setAttribute('download', document.name);
      body.replaceChildren();
      let text;
      try {
        const response = await fetch(document.url);
        if (!response.ok) throw new Error(`${response.status}`);
        text = await response.text();
      } catch {
        return failed('The document could not be read. Is the playground still running?');
      }
      const files = isPatch(text) ? readPatch(text) : [];
      if (files.length > 0) {
        const sum = (pick) => files.reduce((total, file) => total + file[pick], 0);
        const many = files.length === 1 ? '1 file' : `${files.length} files`;
        note.textContent = `${many} · +${sum('added')} −${sum('deleted')} · ${size(document.size)}`;
        body.replaceChildren(...(files.length > 1 ? [contents(files)] : []), ...shownFiles(files));
      } else body.replaceChildren(el('pre', { class: 'plain-text' }, text));
      dialog.showModal();
      body.scrollTop = 0;
    },
  };
}

const isPatch = (text) => /^diff --git |^--- .+\n\+\+\+ /m.test(text);

/** Counts inside hunks by what their heads promise, so that a deleted line "-- x" is not taken for a file's head. */
function readPatch(text) {
  const files = [];
  let [oldLeft, newLeft] = [0, 0];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const start = (path) => {
    const file = { path, added: 0, deleted: 0, lines: [] };
    files.push(file);
    return file;
  };
  for (const line of lines) {
    let file = files.at(-1);
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)$/.exec(line);
    if (oldLeft > 0 || newLeft > 0) {
      const kind = line[0] === '+' ? 'added' : line[0] === '-' ? 'deleted' : 'same';
      if (line[0] === '\\') file.lines.push(['note', line]);
      else {
        if (kind !== 'added') oldLeft -= 1;
        if (kind !== 'deleted') newLeft -= 1;
        if (kind !== 'same') file[kind] += 1;
        file.lines.push([kind, line]);
      }
    } else if (hunk) {
      file ??= start('changes');
      [oldLeft, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      file.lines.push(['hunk', line]);
    } else if (line.startsWith('diff --git ')) start(/ "?b\/(.+?)"?$/.exec(line)?.[1] ?? line.slice(11));
    else if (line.startsWith('--- ') && !file) start(line.slice(4));
    else if (/^(rename|copy|new file|deleted file|old mode|new mode|similarity|Binary)/.test(line)) {
      file?.lines.push(['note', line]);
    } else if (!/^(index |--- |\+\+\+ )/.test(line)) (file ?? start('message')).lines.push(['note', line]);
  }
  return files.filter((file) => file.lines.length > 0);
}

function contents(files) {
  return el(
    'nav',
    { class: 'contents', 'aria-label': 'Files' },
    ...files.map((file, index) =>
      el(
        'button',
        {
          type: 'button',
          click: () => document.getElementById(`file-${index}`)?.scrollIntoView({ block: 'start' }),
        },
        el('span', { class: 'path' }, el('bdi', {}, file.path)),
        el('span', { class: 'plus' }, `+${file.added}`),
        el('span', { class: 'minus' }, `−${file.deleted}`),
      ),
    ),
  );
}

function shownFiles(files) {
  let room = LINES;
  return files.map((file, index) => {
    const lines = file.lines.slice(0, Math.max(0, room));
    room -= lines.length;
    const left = file.lines.length - lines.length;
    return el(
      'section',
      { class: 'file', id: `file-${index}` },
      el(
        'h3',
        {},
        el('span', { class: 'path' }, el('bdi', {}, file.path)),
        el('span', { class: 'plus' }, `+${file.added}`),
        el('span', { class: 'minus' }, `−${file.deleted}`),
      ),
      el('div', { class: 'lines' }, ...lines.map(([kind, line]) => lineNode(kind, line))),
      left > 0 ? el('p', { class: 'left-out' }, `${left} more lines are in the download.`) : null,
    );
  });
}

function lineNode(kind, line) {
  if (kind === 'hunk' || kind === 'note') return el('div', { class: `line ${kind}` }, line);
  const sign = kind === 'added' ? '+' : kind === 'deleted' ? '−' : '';
  return el(
    'div',
    { class: `line ${kind}` },
    el('span', { class: 'sign' }, sign),
    el('span', { class: 'words' }, line.slice(1) || ' '),
  );
}
