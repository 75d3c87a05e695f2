/** E21: a person watches a run at work, and scrubs through it afterwards, in a real browser. */
import { expect, it, onTestFinished } from 'vitest';
import { NO_USAGE } from '#model/reports';
import { DESK, findChromium, openChromium, PHONE } from '../../support/browser.ts';
import { createBoardWorld } from '../../support/board-world.ts';
import { ANA } from '../../support/chat-world.ts';
import { anOrder } from '../../support/ledger.ts';
import { inputsToCard } from '../../support/ready-run.ts';

const chromium = findChromium();

const begin = async () => {
  const w = await createBoardWorld({ atEnd: onTestFinished });
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer(
    'q1',
    { type: 'command.run.create', runId: 'q1', order: anOrder({ engine: 'claude' }) },
    ...toWork,
  );
  const attempt = await w.ledger.attempt.start({
    runId: 'q1',
    step: 'agent',
    command: 'claude',
    startedAt: w.clock.now() - 90_000,
    engine: 'claude',
    model: null,
    promptHash: null,
    baseSha: null,
    containment: null,
    pid: null,
    pidStart: null,
  });
  return { ...w, attempt };
};

it('E21: the page shows what an agent does while it does it, and each step of it afterwards by keys and slider', async ({
  skip,
}) => {
  if ('missing' in chromium) return skip(chromium.missing);
  const w = await begin();
  const browser = await openChromium(chromium.path);
  onTestFinished(() => browser.close());
  const link = /http:\S+\/board\/enter\/[^\s<]+/.exec((await w.says('/board', { by: ANA })).join('\n'))?.[0];
  const { page, complaints } = await browser.open(link ?? '', DESK);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.goto(`${w.address}/board/run/q1`);
  expect(await page.locator('#now .doing').count()).toBe(0);
  const says = (text: string, at: number) =>
    w.ledger.attempt.recordActivity(w.attempt, {
      kind: 'command',
      text,
      lines: [text, 'ok 1 - adds'],
      at,
      usage: { ...NO_USAGE, costUsd: 0.3 },
    });
  await says('$ npm run lint', w.clock.now());
  await page.locator('#now').getByText('runs $ npm run lint').waitFor();
  await says('$ npm run format', w.clock.now() + 1);
  await page.locator('#now').getByText('runs $ npm run format').waitFor();
  expect(await page.locator('#now .log').innerText()).toContain('ok 1 - adds');

  const call = (id: string, name: string, input: object, content: string): object[] => [
    { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } },
  ];
  const log = [
    { type: 'assistant', message: { content: [{ type: 'text', text: 'I look at the sum first.' }] } },
    ...call('a', 'Bash', { command: 'npm test' }, 'ok 1 - adds'),
    ...call('b', 'Edit', { file_path: 'src/sum.js', old_string: 'a - b', new_string: 'a + b' }, 'done'),
  ];
  await w.ledger.attempt.end(w.attempt, {
    exitCode: 0,
    outcome: 'completed',
    ms: 5,
    stderr: '',
    containment: null,
    model: null,
    stdout: log.map((one) => JSON.stringify(one)).join('\n'),
  });
  await page.goto(`${w.address}/board/run/q1`);
  await page.getByRole('link', { name: 'Watch it step by step' }).click();
  const where = page.locator('#film-where');
  const [, all] = /Step 1 of (\d+)/.exec(await where.innerText()) ?? [];
  const visible = () => page.locator('#frames > .frame:visible').count();
  expect(await visible()).toBe(1);
  await page.keyboard.press('End');
  expect(await where.innerText()).toBe(`Step ${all} of ${all}`);
  await page.keyboard.press('ArrowLeft');
  expect(await where.innerText()).toBe(`Step ${Number(all) - 1} of ${all}`);
  await page.keyboard.press('Home');
  await page.locator('#film-at').fill(String(all));
  expect(await where.innerText()).toBe(`Step ${all} of ${all}`);
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await visible()).toBe(1);
  const at = page.url();
  expect(at).toMatch(/#step-\d+$/);
  await page.goto('about:blank');
  await page.goto(at);
  expect(await where.innerText()).toBe(`Step ${Number(all) - 1} of ${all}`);
  for (const { viewport } of [DESK, PHONE]) {
    if (viewport) await page.setViewportSize(viewport);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  }
  expect(complaints).toEqual([]);
}, 120_000);
