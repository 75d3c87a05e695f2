/** Tests the forge pages and their live updates. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitHub, RepoHandle } from '../../index.ts';
import { readPatch } from '../../pages/forge/diff.ts';
import { markdown } from '../../pages/forge/markdown.ts';
import { openForge, type ForgeBrowser } from '../support/forge-browser.ts';

let github: GitHub;
let repo: RepoHandle;
let forge: ForgeBrowser;

beforeEach(async () => {
  forge = await openForge();
  ({ github, repo } = forge);
});
afterEach(() => github.stop());

describe('the pages', () => {
  it('show repositories, a pull request, its files, a commit, a check and a log, under a strict policy', async () => {
    const number = await forge.open();
    const sha = github.pull('acme/api', number).headSha;
    const log = '2026-01-01T10:00:00.000Z ##[error]Expected 1, got 2';
    const id = repo.setCheck(sha, {
      name: 'test',
      conclusion: 'failure',
      output: { title: 'Red', text: log },
    });
    const pages: [string, string][] = [
      ['/', 'acme'],
      ['/acme', 'api'],
      ['/acme/api', 'fix/it'],
      ['/acme/api?branch=fix%2Fit', 'fix: it'],
      ['/acme/api.git', 'fix/it'],
      [`/acme/api/pull/${number}`, '1 of 1 check failed'],
      [`/acme/api/pull/${number}/files`, '<td class="c">const wait = <mark>100</mark>;</td>'],
      [`/acme/api/pull/${number}.diff`, '+const wait = 100;'],
      [`/acme/api/checks/${id}`, '<td class="c">Expected 1, got 2</td>'],
      [`/acme/api/runs/${id}`, 'Red'],
      [`/acme/api/commit/${sha}`, 'Kim Stranger'],
      ['/deliveries', 'Nothing has been sent yet'],
    ];
    for (const [path, words] of pages) {
      const page = await forge.browse(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.body).toContain(words);
      expect(page.headers['content-security-policy']).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self'/,
      );
      expect(page.body).not.toMatch(/ style=|<script>| on\w+=/);
    }
    for (const file of ['/pages/forge.css', '/pages/forge.js'])
      expect((await forge.browse(file)).status).toBe(200);
  });

  it('escape what comes from strangers, and show characters that would reorder what is read', async () => {
    const evil = '<script>alert("1")</script>\'"`\u202Egnp';
    const files = { [`a <img src=x>"\u202E.txt`]: `${evil}\n`, 'README.md': evil };
    await repo.pushForeign('fix/it', { files, message: evil, author: { name: evil, email: 'a@b.c' } });
    const number = await forge.open({
      title: evil,
      body: `${evil}\n\n[x](javascript:alert)\n\n<!-- unsaid -->`,
    });
    const { headSha } = github.pull('acme/api', number);
    const output = { title: evil, summary: evil, text: evil };
    const id = repo.setCheck(headSha, { name: evil, conclusion: 'failure', output });
    repo.setStatus(headSha, { context: evil, state: 'error', description: evil });
    repo.comment(number, { user: evil, body: evil });
    repo.review(number, { user: evil, state: 'CHANGES_REQUESTED', body: evil });
    repo.reviewComment(number, { user: evil, path: 'src/wait.js', line: 1, body: evil });
    const pull = `/acme/api/pull/${number}`;
    const others = [
      '/',
      '/acme/api?branch=fix%2Fit',
      `/acme/api/checks/${id}`,
      `/acme/api/commit/${headSha}`,
    ];
    for (const path of [pull, `${pull}/files`, ...others]) {
      const { status, body } = await forge.browse(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body).toContain('&lt;script&gt;');
      expect(body).toContain('⟨U+202E⟩');
      expect(body).not.toMatch(/<script>|<img|href="javascript|\u202E|unsaid/);
    }
  });

  it('say 404 in HTML to a browser, and leave REST and git alone', async () => {
    for (const path of [
      '/nobody',
      '/acme/none',
      '/acme/api/pull/99',
      '/acme/api/commit/abcdef1',
      '/a/b/c/d',
      '/%zz',
    ]) {
      const { status, headers } = await forge.browse(path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
    for (const path of ['/repos/acme/none', '/user', '/users/somebody', '/a/b/c/d']) {
      const { headers } = await forge.ask('GET', path, { accept: 'application/vnd.github+json' });
      expect(headers['content-type']).toMatch(/^application\/json/);
    }
    const refs = await forge.ask('GET', '/acme/api.git/info/refs?service=git-upload-pack');
    expect(refs.headers['content-type']).toMatch(/git-upload-pack-advertisement/);
  });

  it('cut large diffs and long lines, and name what is not text', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
    const big = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`big${n}.txt`, many]));
    const files = { ...big, 'along.js': 'x'.repeat(1_000_000), 'a.png': '\u0000\u0001' };
    await repo.pushForeign('fix/it', { files });
    const number = await forge.open();
    const { body } = await forge.browse(`/acme/api/pull/${number}/files`);
    expect(body).toContain('more lines');
    expect(body).toContain('999,000 more characters');
    expect(body).toContain('binary: not shown');
    const lines = body.match(/<tr class="added">/g)?.length;
    expect(lines).toBeGreaterThan(2_000);
    expect(lines).toBeLessThanOrEqual(3_000);
  });
});

describe('live', () => {
  it('tells an open page of each change, and not of its own requests', async () => {
    const number = await forge.open();
    const leave = new AbortController();
    const events = await fetch(`${github.url}/forge/events`, { signal: leave.signal });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('retry');
    const order: string[] = [];
    const next = reader?.read().then(({ value }) => order.push(value ?? ''));
    for (let count = 0; count < 15; count += 1) await forge.browse('/acme/api');
    order.push('commented');
    repo.comment(number, { body: 'Hello' });
    await next;
    expect(order).toEqual(['commented', 'data: change\n\n']);
    leave.abort();
  });
});

describe('what is read', () => {
  it('from a patch: renames, modes, quoted names, binaries and line numbers', () => {
    const patch = [
      ...['diff --git a/old name.txt b/new name.txt', 'similarity index 90%', 'rename from old name.txt'],
      ...['rename to new name.txt', '--- a/old name.txt\t', '+++ b/new name.txt\t', '@@ -3,2 +3,2 @@ fn()'],
      ...[' same', '-diff --git a/x b/x', '+diff --git a/y b/y', '\\ No newline at end of file'],
      ...['diff --git a/run.sh b/run.sh', 'old mode 100644', 'new mode 100755'],
      ...['diff --git "a/t\\tq\\"\\303\\251" "b/t\\tq\\"\\303\\251"', 'new file mode 120000'],
      ...[
        'diff --git a/p b.png b/p b.png',
        'deleted file mode 100644',
        'Binary files a/p b.png and /dev/null differ',
        '',
      ],
    ].join('\n');
    const [renamed, mode, link, binary, ...rest] = readPatch({ text: patch, whole: true });
    expect(rest).toEqual([]);
    expect(renamed).toMatchObject({ path: 'new name.txt', oldPath: 'old name.txt', added: 1, deleted: 1 });
    expect(renamed?.hunks[0]?.map(({ kind, old, new: now }) => [kind, old, now])).toEqual([
      ['same', 3, 3],
      ['deleted', 4, null],
      ['added', null, 4],
      ['note', null, null],
    ]);
    expect(mode).toMatchObject({ path: 'run.sh', oldMode: '100644', newMode: '100755', status: 'modified' });
    expect(link).toMatchObject({ path: 't\tq"é', status: 'added', newMode: '120000' });
    expect(binary).toMatchObject({ path: 'p b.png', status: 'deleted', binary: true });
  });

  it('from a patch that was cut off: all files but the last', () => {
    const file = (name: string): string =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n`;
    const text = `${file('x')}${file('y')}`.slice(0, -5);
    expect(readPatch({ text, whole: false }).map(({ path }) => path)).toEqual(['x']);
    expect(readPatch({ text: file('x').slice(0, -5), whole: false })).toEqual([]);
  });

  it('from Markdown: what pull requests use', () => {
    const { markup } = markdown(
      [
        ...['# T', '', '- [x] a', '- [ ] b', '', '> q `<i>`', '', '```js', '<b> <!-- c', '```', ''],
        ...['|a|', '|-:|', '|x|', '', 'one', 'two https://a.example/?b=1&c, **d** ~~e~~', '', '1. f', ''],
        ...['<details><summary>s *t*</summary>', '', '- in', '</details>', 'after <!-- hidden --> it'],
      ].join('\n'),
    );
    for (const piece of [
      ...['<h2>T</h2>', '<li class="task"><span class="box ticked" role="img" aria-label="done">'],
      ...[
        '<blockquote>\n<p>q <code>&lt;i&gt;</code>',
        '<pre tabindex="0"><code>&lt;b&gt; &lt;!-- c\n</code></pre>',
      ],
      ...[
        '<th>a</th>',
        '<td>x</td>',
        'one<br>\ntwo <a href="https://a.example/?b=1&amp;c"',
        '<strong>d</strong>',
      ],
      ...[
        '<s>e</s>',
        '<ol>\n<li>f</li>',
        '<summary>s <em>t</em></summary>\n<ul>\n<li>in</li>',
        '</details>\n<p>after  it',
      ],
    ])
      expect(markup).toContain(piece);
  });

  it('from hostile Markdown: only the markup of the page itself, and links to the web alone', () => {
    const pieces = [
      ...[
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '</details>',
        '</div>',
        '<!--',
        '-->',
        '"',
        "'",
      ],
      ...[
        '[x](javascript:alert)',
        '[x](JaVaScRiPt:a)',
        '[x](data:text/html,a)',
        '[x](//a.example)',
        '[x](/forge)',
      ],
      ...[
        '![x](https://a.example/i.png)',
        '<https://a.example/"onclick=">',
        '<javascript:alert>',
        '[x]: vbscript:a\n',
      ],
      ...[
        '[x][x]',
        '&#x202E;',
        '\u202E',
        '&#106;avascript:',
        '\n',
        '\n\n',
        '> ',
        '- [x] ',
        '1. ',
        '# ',
        '`',
        '```\n',
        '|a|\n|-:|\n',
      ],
      ...[
        '<details>\n',
        '<summary><b onclick=a></summary>\n',
        '<details open>\n',
        '</details>\n',
        'https://a.example/<b>',
        '\t',
        '\\',
        '*',
        '_',
      ],
    ];
    const written = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(written, (text) => {
        const { markup } = markdown(text);
        expect(markup).not.toMatch(/[\u202E]/);
        const open: string[] = [];
        for (const [tag, slash = '', name = '', attributes = ''] of markup.matchAll(
          /<(\/?)([^\s>]*)([^>]*)>/g,
        )) {
          expect(tag).toMatch(OURS);
          if (slash === '' && !['br', 'hr'].includes(name)) open.push(name);
          if (slash !== '') expect(open.pop()).toBe(name);
          if (name === 'a' && slash === '') expect(attributes).toMatch(LINK);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    const long = markdown('x'.repeat(100_010)).markup;
    expect(long).toContain('… and 10 more characters');
  });
});

const OURS =
  /^<(?:\/?(?:p|strong|em|s|code|h[234]|ul|li|table|thead|tbody|tr|th|td|blockquote|details|summary)|\/(?:a|div|ol|pre|span)|br|hr|ol(?: start="\d+")?|a [^>]*|div class="(?:prose|scroll)"[^>]*|pre tabindex="0"|p class="more"|li class="task"|span class="box (?:ticked)?" role="img" aria-label="(?:not )?done")>$/;
const LINK = /^ href="https?:\/\/[^"<>]*" rel="noopener noreferrer nofollow"$/;
