/** O5: the board over HTTP: who may look, what is shown, and that nothing is changed. */
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { BOARD_ROUTES } from '../../board/routes.ts';
import { HOUR, MINUTE } from '#model/values';
import { parseFilePatches } from '../../bot/text/parse-patch.ts';
import { toReadablePatch } from '#chat-text';
import { createBoardWorld, type BoardWorld } from '../support/board-world.ts';
import { fillBoard, samplePatch } from '../support/board-samples.ts';
import { ANA, BO, VIC } from '../support/chat-world.ts';
import { BASE, file, someDiff } from '../support/ready-run.ts';

const linkFor = async (w: BoardWorld, by: string): Promise<string> =>
  w.linkOf((await w.says('/board', { by })).join('\n'));

/** A browser, unlike fetch, says that it navigates. */
const navigate = async (w: BoardWorld, path: string, headers: Record<string, string> = {}) => {
  const asked = request(`${w.address}${path}`, {
    headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', ...headers },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
};

describe('who may look', () => {
  it('O5: a link opens one session, for one use', async () => {
    const w = await createBoardWorld();
    const link = await linkFor(w, VIC);
    const first = await navigate(w, link);
    expect(first.statusCode).toBe(200);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^agentpr_board=9\.[\w-]{43}; Path=\/board; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    );
    const again = await navigate(w, link);
    expect([again.statusCode, again.headers['set-cookie']]).toEqual([403, undefined]);
    const inbox = await w.get('/board/', { cookie });
    expect(inbox.status).toBe(200);
    await w.close();
  });

  it('O5: a used link leads whoever is signed in to the board, and opens no other session', async () => {
    const w = await createBoardWorld();
    const link = await linkFor(w, VIC);
    const [cookie = ''] = ((await navigate(w, link)).headers['set-cookie'] ?? [''])[0]?.split(';') ?? [];
    const again = await navigate(w, link, { cookie });
    expect([again.statusCode, again.headers.refresh, again.headers['set-cookie']]).toEqual([
      200,
      '0;url=/board/',
      undefined,
    ]);
    // The cookie does not come from another site; a click on this one brings it.
    const refused = await w.get(`${link}/confirmed`);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('<a class="quiet" href="/board/">');
    expect((await w.get('/board/', { cookie })).status).toBe(200);
    await w.close();
  });

  it('O5: the bare address leads to the board, and only that one does', async () => {
    const w = await createBoardWorld();
    const root = await w.get('/');
    expect([root.status, root.headers.get('location')]).toEqual([302, '/board/']);
    expect((await w.get('/nothing')).status).toBe(404);
    await w.close();
  });

  it('O5: the host may give a link that is good for longer, and people make three beside it', async () => {
    const w = await createBoardWorld();
    const lasting = await w.access.issueLink({ id: ANA, name: 'Ana' }, { validMs: 30 * HOUR });
    const token = lasting !== null && 'token' in lasting ? lasting.token : '';
    w.passes(11 * MINUTE);
    for (let i = 0; i < 3; i += 1) expect(await linkFor(w, ANA)).toContain('/board/enter/7.');
    expect((await w.says('/board')).join('')).toContain('You made three links just now.');
    w.passes(11 * MINUTE);
    expect(await linkFor(w, ANA)).toContain('/board/enter/7.');
    expect((await navigate(w, `/board/enter/${token}`)).statusCode).toBe(200);
    expect((await navigate(w, `/board/enter/${token}`)).statusCode).toBe(403);
    await w.close();
  });

  it('O5: a preview of the link does not use it up, and a person without JavaScript goes on by hand', async () => {
    const w = await createBoardWorld();
    const link = await linkFor(w, ANA);
    const preview = await w.get(link, { 'user-agent': 'TelegramBot (like TwitterBot)' });
    expect([preview.status, preview.headers.get('set-cookie')]).toEqual([200, null]);
    const fetched = await navigate(w, link, { 'sec-purpose': 'prefetch' });
    expect(fetched.headers['set-cookie']).toBeUndefined();
    expect(await preview.text()).toContain(`${link}/confirmed`);
    const opened = await w.get(`${link}/confirmed`);
    expect(opened.headers.get('set-cookie')).toContain('agentpr_board=7.');
    expect(opened.headers.get('refresh')).toBe('0;url=/board/');
    await w.close();
  });

  it('O5: a link ends after ten minutes, and a session after a day', async () => {
    const w = await createBoardWorld();
    const link = await linkFor(w, ANA);
    w.passes(10 * MINUTE + 1);
    expect((await w.get(`${link}/confirmed`)).status).toBe(403);
    const { cookie } = await w.signIn(ANA);
    expect((await w.get('/board/', { cookie })).status).toBe(200);
    w.passes(24 * HOUR + 1);
    expect((await w.get('/board/', { cookie })).status).toBe(401);
    await w.close();
  });

  it('O5: forged, foreign and misshapen tokens open nothing', async () => {
    const w = await createBoardWorld();
    const link = await linkFor(w, VIC);
    const token = link.slice('/board/enter/'.length);
    const [, secret = ''] = token.split('.');
    for (const forged of [`7.${secret}`, `9.${'A'.repeat(43)}`, '%', '9', `9.${secret}x`, `9%00.${secret}`]) {
      const answer = await w.get(`/board/enter/${forged}/confirmed`);
      expect([forged, answer.status, answer.headers.get('set-cookie')]).toEqual([forged, 403, null]);
      expect((await w.get('/board/', { cookie: `agentpr_board=${forged}` })).status).toBe(401);
    }
    await w.close();
  });

  it('O5: a role that is taken away or changed ends every session at once, for good', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(BO);
    expect(await w.says('/users')).toEqual([expect.stringContaining('board open: 1')]);
    await w.ledger.setUser({ id: BO, name: 'Bo', role: 'viewer' }, null);
    expect((await w.get('/board/', { cookie })).status).toBe(401);
    await w.says(`/users add ${BO} approver Bo`);
    expect((await w.get('/board/', { cookie })).status).toBe(401);
    const next = await w.signIn(BO);
    const link = await linkFor(w, BO);
    await w.says(`/users remove ${BO}`);
    expect((await w.get('/board/', next)).status).toBe(401);
    expect((await w.get(`${link}/confirmed`)).status).toBe(403);
    await w.close();
  });

  it('O5: an admin ends the sessions of a person from the chat', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(VIC);
    expect(await w.says(`/users signout ${VIC}`, { by: BO })).toEqual([
      'Only admins may do that; ask an admin.',
    ]);
    expect(await w.says(`/users signout ${VIC}`)).toEqual(['1 session of Vic ended.']);
    expect((await w.get('/board/', { cookie })).status).toBe(401);
    await w.close();
  });

  it('O5: three links in ten minutes are enough, and none is given in a group', async () => {
    const w = await createBoardWorld();
    for (let i = 0; i < 3; i += 1) expect(await linkFor(w, ANA)).toContain('/board/enter/7.');
    expect((await w.says('/board')).join('')).toMatch(/^You made three links just now\./);
    expect(await linkFor(w, VIC)).toContain('/board/enter/9.');
    w.passes(11 * MINUTE);
    expect(await linkFor(w, ANA)).toContain('/board/enter/7.');
    expect(await w.says('/board', { chat: '-100' })).toEqual([
      'The link is personal: ask for it in our private chat.',
    ]);
    await w.close();
  });

  it('O5: what is stored of a session opens none', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(ANA);
    const stored = (await w.ledger.query.setting(`board:${ANA}`)) ?? '';
    expect(stored).toContain('"sessions":[{"digest":');
    expect(stored).not.toContain(cookie.split('.')[1]);
    await w.close();
  });

  it('O5: other sites read nothing, and every page has a strict policy', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(ANA);
    const foreign = await w.get('/board/', { cookie, origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const { headers } = await w.get('/board/', { cookie });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    await w.close();
  });
});

it('O5: a file on the page of a run with an unpushed fix leads to that file of the whole change', async () => {
  const w = await createBoardWorld();
  const run = await w.openRun();
  const fixed = { ...run, change: { ...run.change, pushedHead: { branch: 'b', sha: BASE } } };
  vi.spyOn(w.ledger.query, 'run').mockResolvedValue(fixed);
  const { cookie } = await w.signIn(ANA);
  const page = await (await w.get(`/board/run/${run.id}`, { cookie })).text();
  expect(page).toContain(`/run/${run.id}/diff?since=base&amp;file=0#file-0`);
  await w.close();
});

it('O5: the link of a row opens the card of its run in the chat', async () => {
  const w = await createBoardWorld();
  const run = await w.readyRun();
  const { cookie } = await w.signIn(ANA);
  const page = await (await w.get('/board/', { cookie })).text();
  const [, payload] = /https:\/\/t\.me\/agentpr_bot\?start=([\w-]+)/.exec(page) ?? [];
  expect(payload).toBe(`run-${run.id}`);
  const said = await w.says(`/start ${payload}`);
  expect(said.join('')).toContain('Fix flaky retry in webhook worker');
  expect(
    w.messages
      .at(-1)
      ?.buttons.flat()
      .map(({ text }) => text),
  ).toContain('Open PR');
  await w.close();
});

it('O5: a run page says in words what happened, and who signed only when somebody has', async () => {
  const w = await createBoardWorld();
  const run = await w.readyRun();
  const { cookie } = await w.signIn(ANA);
  const page = async (): Promise<string> => (await w.get(`/board/run/${run.id}`, { cookie })).text();
  const before = await page();
  expect(before).toContain('Nobody signed yet.');
  expect(before).toMatch(
    /<span title="worker\.push\.completed → chat_message">The branch was pushed<\/span>/,
  );
  expect(before).not.toMatch(/<code>(?:worker|command|forge|timer)\.|<dt>[^<]*<\/dt>\s*<dd><\/dd>/);
  const inbox = await (await w.get('/board/', { cookie })).text();
  expect(inbox).toContain('waiting for your decision');
  await w.close();
});

it('P7: figures say what this month cost, by person, campaign, repository and engine, beside its limits', async () => {
  const w = await createBoardWorld();
  const { cookie } = await w.signIn(ANA);
  await w.ledger.spending.charge(
    {
      attempt: 1,
      runId: 'r1',
      at: w.clock.now(),
      person: '7',
      personName: 'Ana <b>',
      campaign: 'c-aaaaaa',
      repo: 'acme/api',
      engine: 'codex',
      used: { costUsd: 12.5, tokens: 3_000 },
      pending: { costUsd: 0, tokens: 0 },
    },
    null,
  );
  const page = await (await w.get('/board/figures', { cookie })).text();
  for (const name of ['Ana &lt;b&gt;', 'c-aaaaaa', 'acme/api', 'codex'])
    expect(page).toMatch(new RegExp(`${name}</th>\\s*<td></td>\\s*<td class="n">\\$12.50 · 3,000 tokens`));
  expect(page).toMatch(/everything, this month<\/th>\s*<td><\/td>\s*<td class="n">\$12.50 of \$100.00/);
  await w.close();
});

it('O5: figures can be read on a phone: a narrow chart, and each value with the name of its column', async () => {
  const w = await createBoardWorld();
  await w.readyRun();
  const { cookie } = await w.signIn(ANA);
  const page = await (await w.get('/board/figures?days=all', { cookie })).text();
  expect(page).toContain('data-name="Runs"');
  const [, narrow = ''] = /media="\(max-width: 640px\)"\s+srcset="([^"]+)"/.exec(page) ?? [];
  const width = async (path: string): Promise<number> =>
    Number(/ width="(\d+)"/.exec(await (await w.get(path, { cookie })).text())?.[1]);
  expect(await width(narrow.replaceAll('&amp;', '&'))).toBeLessThan(390);
  expect(await width('/board/figures.svg?days=all')).toBeGreaterThan(600);
  await w.close();
});

describe('looking changes nothing', () => {
  it('O5: every page is a GET, and other methods find nothing there', async () => {
    expect(BOARD_ROUTES.length).toBeGreaterThan(8);
    expect(new Set(BOARD_ROUTES.map(({ method }) => method))).toEqual(new Set(['GET']));
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(ANA);
    for (const { path } of BOARD_ROUTES)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await fetch(`${w.address}/board${path}`, { method, headers: { cookie } });
        // A decision needs the page's own origin; see passkeys.test.ts.
        const expected = method === 'POST' && path === '/passkeys' ? 403 : 404;
        expect([method, path, answer.status]).toEqual([method, path, expected]);
      }
    await w.close();
  });

  it('O5: every route of the table answers, and leaves runs, cards, effects and settings as they were', async () => {
    const faults: unknown[] = [];
    const w = await createBoardWorld({ patch: samplePatch, faults });
    const pages = await fillBoard(w);
    const { cookie } = await w.signIn(VIC);
    const look = async () => ({
      runs: await w.ledger.query.runs({ live: false, limit: 100 }),
      approvals: await w.ledger.query.approvals({}),
      effects: await w.ledger.query.effects({}),
      changes: await w.ledger.query.changes(1_000),
      newest: await w.ledger.query.newestEvent(),
    });
    const before = await look();
    const run = pages.run?.slice('/board/run/'.length) ?? '';
    const attempt = pages.log?.split('/').at(-1) ?? '';
    for (const { path } of BOARD_ROUTES) {
      const asked = path.replace(':run', run).replace(':attempt', attempt).replace(':campaign', 'c-abcdef');
      const answer = await w.get(`/board${asked}`, { cookie });
      const missing = path.includes(':campaign') || path.endsWith('/picture');
      expect([asked, answer.status]).toEqual([asked, missing ? 404 : 200]);
      expect((await answer.text()).length).toBeGreaterThan(40);
    }
    expect(await look()).toEqual(before);
    expect(faults).toEqual([]);
    await w.close();
  });
});

describe('what is shown', () => {
  const REVEALED = /[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u0000-\u0008\u000b-\u001f]/u;
  const HOSTILE =
    '</title><script>alert(1)</script><img src=x onerror=alert(1)>"\' javascript:alert(1) \u202egnp.exe\u200b';

  it('P5: markup, bidi and control characters of strangers stay text in every field', async () => {
    const w = await createBoardWorld({
      patch: [
        'diff --git a/x b/x',
        '--- a/x',
        '+++ b/x',
        '@@ -1 +1,2 @@ </td></table><script>alert(2)</script>',
        `-${HOSTILE}\u0007`,
        `+${'A'.repeat(3_000)}<b>`,
        '+</td><td onclick=alert(3)>',
        '',
      ].join('\n'),
    });
    const run = await w.readyRun({
      order: { goal: HOSTILE, title: HOSTILE, requester: { id: '7', name: HOSTILE.slice(0, 60) } },
      fields: { title: HOSTILE, body: HOSTILE },
    });
    const attempt = await w.ledger.attempt.start({
      runId: run.id,
      step: HOSTILE,
      command: HOSTILE,
      startedAt: 0,
      engine: HOSTILE,
      model: HOSTILE,
      promptHash: null,
      baseSha: null,
      containment: null,
      pid: null,
      pidStart: null,
    });
    const ended = { exitCode: 1, outcome: 'exited', ms: 1, containment: null, model: HOSTILE };
    const line = `${'x'.repeat(10_000_000)}<script>`;
    await w.ledger.attempt.end(attempt, { ...ended, stdout: HOSTILE + line, stderr: '' });
    const { cookie } = await w.signIn(ANA);
    const at = `/board/run/${run.id}`;
    for (const path of [
      '/board/',
      at,
      `${at}/diff`,
      `${at}/diff?split=1`,
      `${at}/hunk`,
      `${at}/log/${attempt}`,
      `/board/?q=${encodeURIComponent(HOSTILE)}`,
    ]) {
      const text = await (await w.get(path, { cookie })).text();
      expect(text.length).toBeLessThan(1_500_000);
      expect(text).not.toMatch(/<script(?! type="module" src="\/board\/assets\/)/);
      expect(text).not.toMatch(/<(?:img|b|td)[^>]*\son\w+=/);
      expect(text).not.toMatch(/href="javascript:/i);
      expect(REVEALED.test(text)).toBe(false);
    }
    await w.close();
  });

  it('C2: a run whose order came with a picture says so, and one without does not', async () => {
    const w = await createBoardWorld();
    const picture = { kind: 'jpg', width: 1_200, height: 800, parts: [`sha256:${'a'.repeat(64)}`] } as const;
    const runs = [
      await w.readyRun(),
      await w.readyRun({ order: { picture: { ...picture, parts: [...picture.parts] } } }),
    ];
    const { cookie } = await w.signIn(ANA);
    const pages = await Promise.all(
      runs.map(async ({ id }) => (await w.get(`/board/run/${id}`, { cookie })).text()),
    );
    expect(pages.map((page) => /Picture sent<\/dt>\s*<dd>1,?200 × 800 pixels/.test(page))).toEqual([
      false,
      true,
    ]);
    await w.close();
  });

  it('G8: the lines of the diff page are the lines of the sealed patch, all of them', async () => {
    const w = await createBoardWorld({ patch: samplePatch });
    const run = await w.readyRun({});
    const { cookie } = await w.signIn(ANA);
    const page = await (await w.get(`/board/run/${run.id}/diff`, { cookie })).text();
    const unescape = (text: string): string =>
      text.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const shown = [
      ...page.matchAll(/<td class="c (?:added|deleted|same)" data-sign="(.)">(.*?)<\/td>/gs),
    ].map(([, sign = '', text = '']) => sign + unescape(text));
    const sealed = parseFilePatches(samplePatch).flatMap(({ text }) =>
      toReadablePatch(text)
        .split('\n')
        .filter((line) => /^[-+ ]/.test(line)),
    );
    expect([...shown].sort()).toEqual([...sealed].sort());
    expect(shown.length).toBe(36);
    await w.close();
  });

  it('O5: 20,000 lines come piece by piece, each with an address, and none is missing', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `+line ${i}`);
    const patch = [
      'diff --git a/big b/big',
      '--- a/big',
      '+++ b/big',
      '@@ -0,0 +1,20000 @@',
      ...lines,
      '',
    ].join('\n');
    const w = await createBoardWorld({ patch });
    const run = await w.readyRun({});
    const { cookie } = await w.signIn(ANA);
    const first = await (await w.get(`/board/run/${run.id}/diff`, { cookie })).text();
    expect(first.length).toBeLessThan(200_000);
    const seen: string[] = [];
    let text = first;
    for (;;) {
      for (const [, one = ''] of text.matchAll(/data-sign="\+">(line \d+)</g)) seen.push(one);
      const [, next] = /data-hunk="([^"]+)"/.exec(text) ?? [];
      if (next === undefined) break;
      text = await (await w.get(next.replaceAll('&amp;', '&'), { cookie })).text();
    }
    expect(seen).toEqual(lines.map((line) => line.slice(1)));
    const hunk = `/board/run/${run.id}/hunk?file=0&from=300`;
    const etag = (await w.get(hunk, { cookie })).headers.get('etag') ?? '';
    const known = { cookie, 'if-none-match': etag };
    const again = await w.get(hunk, known);
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await w.get(`/board/run/${run.id}/hunk?file=0&from=600`, known)).status).toBe(200);
    expect((await w.get(hunk, { 'if-none-match': etag })).status).toBe(401);
    await w.close();
  });

  it('O5: a changed image is shown before and after, and nothing else is sent as one', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(30, 1)]);
    png.writeUInt32BE(4, 16);
    png.writeUInt32BE(3, 20);
    const names = ['logo.png', 'page.png'];
    const patch = names.map(
      (name) =>
        `diff --git a/${name} b/${name}\nindex 1111111..2222222 100644\nBinary files a/${name} and b/${name} differ\n`,
    );
    const w = await createBoardWorld({
      patch: patch.join(''),
      files: async (_, sha, path) =>
        path === 'logo.png' ? png : Buffer.from(`<script>alert(${sha})</script>`.repeat(9)),
    });
    const files = names.map((name) => ({ ...file(name, 0, 0), binary: true }));
    const run = await w.readyRun({ diff: someDiff({ files, added: 0, deleted: 0 }) });
    const { cookie } = await w.signIn(ANA);
    const page = await (await w.get(`/board/run/${run.id}/diff`, { cookie })).text();
    const images = [...page.matchAll(/<img[^>]*src="([^"]+)"/g)].map(([, src = '']) =>
      src.replaceAll('&amp;', '&'),
    );
    expect(images.length).toBe(4);
    const answers = await Promise.all(images.map((src) => w.get(src, { cookie })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 404, 404]);
    const [shown] = answers.filter(({ status }) => status === 200);
    expect(shown?.headers.get('content-type')).toBe('image/png');
    expect(shown?.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect((await w.get(images[0] ?? '')).status).toBe(401);
    await w.close();
  });

  it('O5: an inbox of many runs is filtered and paged by the database', async () => {
    const w = await createBoardWorld();
    await fillBoard(w);
    const { cookie } = await w.signIn(ANA);
    const titles = async (search: string): Promise<string[]> => {
      const text = await (await w.get(`/board/?q=${encodeURIComponent(search)}`, { cookie })).text();
      return [...text.matchAll(/class="title" href="[^"]+">([^<]+)</g)].map(([, title = '']) => title);
    };
    expect(await titles('repo:billing')).toEqual(['Round invoice lines half to even']);
    expect(await titles('engine:opencode')).toEqual(['Stop reindexing documents that did not change']);
    expect(await titles('state:skipped')).toEqual(['Drop the polyfill for Array.prototype.at']);
    expect(await titles('person:ana moment')).toEqual(['Replace moment by Temporal in the date column']);
    expect(await titles('100% _ \\ nobody')).toEqual([]);
    expect((await titles('owner:acme')).length).toBe(7);
    await w.close();
  });
});
