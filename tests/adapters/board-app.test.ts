/** O5: the Mini App is signed in by what Telegram signed, and open pages hear of what is written. */
import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { miniAppUrl } from '../../app/board-routes.ts';
import { sendPlainerIfRefused } from '../../bot/plainer-message.ts';
import { OutsideFailure } from '#ports/forge';
import { verifyInitData } from '../../board/init-data.ts';
import { DAY, MINUTE, SECOND } from '#model/values';
import { BOT_TOKEN, createBoardWorld, type BoardWorld } from '../support/board-world.ts';
import { ANA, STRANGER, VIC } from '../support/chat-world.ts';
import { signInitData } from '../support/telegram-frame.ts';

const initData = (user: string, at: number, token = BOT_TOKEN): string => signInitData(user, at, token);

/** Signed by Telegram itself: the example of its documentation of Ed25519 signatures. */
const OF_TELEGRAM =
  'user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D&chat_instance=8134722200314281151&chat_type=private&auth_date=1733509682&signature=TYJxVcisqbWjtodPepiJ6ghziUL94-KNpG8Pau-X7oNNLNBM72APCpi_RKiUlBvcqo5L-LAxIc3dnTzcZX_PDg&hash=a433d8f9847bd6addcc563bff7cc82c89e97ea0d90c11fe5729cae6796a36d73';

const exchange = (w: BoardWorld, data: string): Promise<Response> =>
  w.get('/board/app/session', { authorization: `tma ${data}` });

describe('the Mini App', () => {
  it('O5: what Telegram signed opens one session inside Telegram, once', async () => {
    const w = await createBoardWorld();
    const data = initData(VIC, w.now());
    const opened = await exchange(w, data);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^agentpr_board=9\.[\w-]{43}; Path=\/board\/app; Max-Age=86400; HttpOnly; SameSite=None; Partitioned; Secure$/,
    );
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    const inbox = await w.get('/board/app/', { cookie });
    expect(inbox.headers.get('content-security-policy')).toContain(
      'frame-ancestors https://web.telegram.org',
    );
    expect(await inbox.text()).toContain('href="/board/app/figures"');
    expect((await exchange(w, data)).status).toBe(403);
    expect((await w.get('/board/app/', { cookie })).status).toBe(200);
    await w.close();
  });

  it('O5: a reload goes on with the session of the same person, and with nobody else’s', async () => {
    const w = await createBoardWorld();
    const [hers, theirs] = [initData(ANA, w.now()), initData(VIC, w.now())];
    const [cookie = ''] = ((await exchange(w, hers)).headers.get('set-cookie') ?? '').split(';');
    await exchange(w, theirs);
    const again = (data: string): Promise<Response> =>
      w.get('/board/app/session', { authorization: `tma ${data}`, cookie });
    const reloaded = await again(hers);
    expect([reloaded.status, reloaded.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await again(theirs)).status).toBe(403);
    await w.says('/users signout 7');
    expect((await again(hers)).status).toBe(403);
    await w.close();
  });

  it('O5: who is not signed in is met in the language of the browser', async () => {
    const w = await createBoardWorld();
    const headers = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' };
    for (const path of ['/board/', '/board/app/', '/board/app/open', '/board/enter/7.x'])
      expect(await (await w.get(path, headers)).text()).toMatch(/<html lang="zh[^]*[登看页]/);
    expect(await (await w.get('/board/')).text()).toContain('Sign in from the chat');
    await w.close();
  });

  it('O5: forged, altered, old, early and foreign data open nothing', async () => {
    const w = await createBoardWorld();
    const good = initData(ANA, w.now());
    const altered = good.replace('%22id%22%3A7', '%22id%22%3A8');
    expect(altered).not.toBe(good);
    for (const data of [
      altered,
      good.replace(/hash=./, 'hash=0'),
      good.replace(/&hash=.*/, ''),
      `${good}&auth_date=1`,
      initData(ANA, w.now(), '4242:another-token'),
      initData(ANA, w.now() - DAY - SECOND),
      initData(ANA, w.now() + 11 * MINUTE),
      initData(STRANGER, w.now()),
      OF_TELEGRAM,
      '',
    ])
      expect([data, (await exchange(w, data)).status]).toEqual([data, 403]);
    expect((await exchange(w, initData(ANA, w.now() + 9 * MINUTE))).status).toBe(200);
    // Only what is proven and old is called that, and the page has its own sentence for it.
    const answered = async (data: string): Promise<unknown> => (await exchange(w, data)).json();
    expect(await answered(initData(ANA, w.now() - 2 * DAY))).toEqual({ ok: false, why: 'expired' });
    expect(await answered(altered)).toEqual({ ok: false });
    expect(await (await w.get('/board/app/open')).text()).toContain('open for more than a day');
    await w.close();
  });

  it('O5: Telegram’s own signature is enough, for our bot and while it is new', () => {
    const at = 1_733_509_682 * SECOND;
    const proven = verifyInitData(OF_TELEGRAM, '7342037359:unknown', at);
    expect(proven).toMatchObject({ user: '279058397' });
    expect(verifyInitData(OF_TELEGRAM, '7342037358:unknown', at)).toBeNull();
    expect(verifyInitData(OF_TELEGRAM.replace('ru', 'en'), '7342037359:unknown', at)).toBeNull();
    expect(verifyInitData(OF_TELEGRAM, '7342037359:unknown', at + DAY)).toBe('expired');
    expect(verifyInitData(OF_TELEGRAM, '7342037359:unknown', at - DAY)).toBeNull();
  });
});

describe('the card’s Diff', () => {
  const APP = 'https://agentpr.example/board/app/open';
  const isDiff = ({ text }: { text: string }): boolean => text === 'Diff';
  const diffIn = (w: BoardWorld) => w.messages.flatMap(({ buttons }) => buttons.flat()).find(isDiff);

  it('O5: opens the Mini App in a private chat, and keeps its token where Telegram refuses such a button', async () => {
    const w = await createBoardWorld({ appUrl: APP });
    const run = await w.readyRun();
    expect(diffIn(w)).toMatchObject({ app: `${APP}?run=${run.id}&to=diff` });
    await w.taps('Diff');
    expect(w.documents.at(-1)?.name).toContain(run.id);
    const sent = w.messages.find(({ buttons }) => buttons.flat().some(isDiff));
    const tries: unknown[] = [];
    await sendPlainerIfRefused({ html: '', buttons: sent?.buttons ?? [] }, async ({ buttons }) => {
      tries.push(buttons.flat().find(isDiff));
      if (tries.length === 1) throw new OutsideFailure('chat_refused', 'Bad Request: BUTTON_TYPE_INVALID');
    });
    expect(tries[1]).toEqual({ text: 'Diff', token: expect.stringMatching(/./) as string });
    await w.close();
  });

  it('O5: sends the file and the pages in groups, and where no HTTPS address is configured', async () => {
    const group = await createBoardWorld({ appUrl: APP });
    await group.readyRun({ order: { chat: '-100' } });
    expect(diffIn(group)).not.toHaveProperty('app');
    await group.close();
    const local = await createBoardWorld();
    await local.readyRun();
    expect(diffIn(local)).not.toHaveProperty('app');
    await local.close();
    const at = (publicUrl: string | null) => miniAppUrl({ host: '127.0.0.1', port: 0, publicUrl });
    expect([null, 'http://127.0.0.1:1', 'https://a.example'].map(at)).toEqual([
      null,
      null,
      'https://a.example/board/app/open',
    ]);
  });
});

const listen = async (w: BoardWorld, path: string, headers: Record<string, string>) => {
  const asked = get(`${w.address}${path}`, { headers });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  response.on('data', (piece: string) => (text += piece));
  return {
    status: response.statusCode,
    hears: async (what: RegExp): Promise<string> => {
      while (!what.test(text)) await once(response, 'data');
      return text;
    },
    leave: () => asked.destroy(),
  };
};

describe('live pages', () => {
  it('O5: an open page hears of each written run, with the number of its event', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(VIC);
    const all = await listen(w, '/board/live?run=*&from=0', { cookie });
    const run = await w.readyRun();
    w.board.onRunChanged(run.id);
    const newest = await w.ledger.query.newestEvent();
    expect(await all.hears(new RegExp(`id: ${newest}\\n`))).toContain(`data: "${run.id}"`);
    all.leave();
    await w.close();
  });

  it('O5: a page that was away hears at once what it missed, and nothing of other runs', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(VIC);
    const before = await w.ledger.query.newestEvent();
    const [one, other] = [await w.readyRun(), await w.readyRun()];
    const newest = await w.ledger.query.newestEvent();
    const back = await listen(w, `/board/live?run=${one.id}`, { cookie, 'last-event-id': String(before) });
    expect(await back.hears(/id: /)).toContain(`id: ${newest}\ndata: "${one.id}"`);
    const late = await listen(w, `/board/live?run=${one.id}&from=${newest}`, { cookie });
    await w.offer(other.id, { type: 'command.pause', by: { id: ANA, name: 'Ana' } });
    w.board.onRunChanged(other.id);
    await w.offer(one.id, { type: 'command.pause', by: { id: ANA, name: 'Ana' } });
    w.board.onRunChanged(one.id);
    expect(await late.hears(/id: /)).not.toContain(other.id);
    back.leave();
    late.leave();
    await w.close();
  });

  it('E21: the page of a run hears what its agent does, once, and other pages do not', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(VIC);
    const [one, other] = [await w.readyRun(), await w.readyRun()];
    const newest = await w.ledger.query.newestEvent();
    const hears = (run: string) => listen(w, `/board/live?run=${run}&from=${newest}`, { cookie });
    const [mine, theirs, all] = [await hears(one.id), await hears(other.id), await hears('*')];
    const start = (runId: string) =>
      w.ledger.attempt.start({
        runId,
        step: 'agent',
        command: 'codex',
        startedAt: 1,
        engine: 'codex',
        model: null,
        promptHash: null,
        baseSha: null,
        containment: null,
        pid: null,
        pidStart: null,
      });
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
    const says = (id: number, at: number) =>
      w.ledger.attempt.recordActivity(id, { kind: 'says', text: 'Hm.', lines: [], at, usage });
    const [first, second] = [await start(one.id), await start(other.id)];
    await says(first, 5);
    expect(await mine.hears(/event: now\n/)).not.toContain('id: ');
    await says(second, 6);
    await theirs.hears(/event: now\n/);
    await says(first, 7);
    const heard = await mine.hears(/event: now[^]*event: now/);
    expect(heard.match(/event: now/g)).toHaveLength(2);
    await w.offer(one.id, { type: 'command.pause', by: { id: ANA, name: 'Ana' } });
    w.board.onRunChanged(one.id);
    expect(await all.hears(/id: /)).not.toContain('event: now');
    for (const { leave } of [mine, theirs, all]) leave();
    await w.close();
  });

  it('O5: nobody hears anything without a session, and a person has at most forty pages', async () => {
    const w = await createBoardWorld();
    expect((await w.get('/board/live?run=*')).status).toBe(401);
    const { cookie } = await w.signIn(VIC);
    const open = await Promise.all(
      Array.from({ length: 41 }, () => listen(w, '/board/live?run=*', { cookie })),
    );
    expect(open.filter(({ status }) => status === 200).length).toBe(40);
    expect(open.filter(({ status }) => status === 503).length).toBe(1);
    for (const { leave } of open) leave();
    await w.close();
  });
});
