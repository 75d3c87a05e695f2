/**
 * The curious path: a visitor of the demo denies, asks for changes, orders two at once, cancels, takes
 * what is risky, writes the text anew, and moves the base; each run ends with a proof that holds.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DESK, findChromium, openChromium, PHONE, type Chromium } from '../../support/browser.ts';
import { beMaintainer, holdPhone } from '../../support/page-hands.ts';
import { visitDemo, type VisitedDemo } from '../../support/visited-demo.ts';

const CARD = /Look at the phone: a card waits/;
const HOLDS = /nobody asked for a merge over the API/;
/** What an order becomes before its card. */
const UNDER_WAY =
  /(?:Queued|Reading|Working|Testing|Ready for your decision)[^\n]* · acme\/patient · (\w{6})/;
const OVER = /That run is over/;

let demo: VisitedDemo | undefined;
let browser: Chromium | undefined;
afterEach(async () => {
  await browser?.close();
  await demo?.leaves('SIGKILL');
  [demo, browser] = [undefined, undefined];
});

/** Types the number of a task, and gives the run that it becomes once its card waits. Either may be told first. */
const orders = async (it: VisitedDemo, no: string): Promise<string> => {
  const from = it.shown().length;
  it.types(no);
  await it.sees(CARD);
  const told = UNDER_WAY.exec(it.shown().slice(from)) ?? (await it.sees(UNDER_WAY));
  return told[1] ?? '';
};

/** The confirmation comes by an edit of the card, which the terminal shows. */
const opens = async (it: VisitedDemo): Promise<void> => {
  it.types('tap Open PR');
  await it.sees(/Tap Confirm to/);
  it.types('tap Confirm');
};

/** What stands between the end of a run and the hint after it. */
const proofOf = async (it: VisitedDemo): Promise<string> => {
  const from = it.shown().length;
  await it.sees(HOLDS);
  await it.sees(OVER);
  const proof = it.shown().slice(Math.max(0, from - 3_000));
  expect(proof).not.toContain('✘');
  expect(proof).not.toContain('does not hold');
  return proof;
};

it('O6: by the keyboard: words after Deny, two orders at once, a cancelled one, a risky one, another text', async () => {
  const it = (demo = visitDemo());
  const data = (await it.sees(/The ledger is in (\S+)\./))[1] ?? '';
  await it.sees(CARD);
  it.types('tap Deny');
  await it.sees(/Why deny it\?/);
  it.types('Please tell of it in the changelog, too.');
  await it.sees(/Changes asked for/);
  await it.sees(CARD);
  await opens(it);
  await it.sees(/Push this fix/);
  it.types('tap Push fix');
  await it.sees(/Tap Confirm to/);
  it.types('tap Confirm');
  expect(await proofOf(it)).toContain('1 earlier candidate was pushed, never opened');
  expect(it.shown()).toContain('a card waits for you. Nothing is pushed or posted until you tap');

  const cancelled = await orders(it, '2');
  it.types('3');
  await it.sees(CARD);
  it.types(`/cancel ${cancelled}`);
  expect(await proofOf(it)).toMatch(/no pull request was opened for it[^]*its branch \S+ is gone/);
  it.types('tap Review risks');
  await it.sees(/What to look at/);
  await opens(it);
  await it.sees(/type: merge 2/);
  it.types('merge 2');
  await proofOf(it);

  const edited = await orders(it, '2');
  it.types(`/edit ${edited} title="docs: say in the README what a single try does"`);
  // The hint is the same as before, and is not printed twice.
  await it.sees(/docs: say in the README what a single try does\n/);
  await opens(it);
  await it.sees(/type: merge 3/);
  it.types('merge 3');
  expect(await proofOf(it)).toContain('title and description are the approved ones');
  expect(await it.leaves()).toBe(0);
  expect(existsSync(path.dirname(data))).toBe(false);
}, 300_000);

it('O6: on the pages: asked for changes with words, and a base that moves', async ({ skip }) => {
  const chromium = findChromium();
  if ('missing' in chromium) return skip(chromium.missing);
  const it = (demo = visitDemo());
  const firstPage = (await it.sees(/side by side\s+(\S+)/))[1] ?? '';
  const phoneUrl = (await it.sees(/Ana’s phone\s+(\S+)/))[1] ?? '';
  const forgeUrl = (await it.sees(/the code host\s+(\S+)/))[1] ?? '';
  browser = await openChromium(chromium.path);
  const phone = await browser.open(phoneUrl, PHONE);
  const forge = await browser.open(forgeUrl, DESK);
  const [ana, maintainer] = [holdPhone(phone.page), beMaintainer(forge.page)];
  await it.sees(CARD);
  // The first page is in the chat, beside the repository: nothing is to be looked for.
  const both = await browser.open(firstPage, DESK);
  const hostFrame = both.page.frameLocator('iframe[name=agentpr-forge]').getByRole('heading', { level: 1 });
  await both.page
    .frameLocator('iframe[name=agentpr-phone]')
    .getByRole('button', { name: 'Ask for changes' })
    .waitFor();
  await hostFrame.filter({ hasText: 'patient' }).waitFor();
  await ana.taps('Ask for changes');
  await it.sees(/What should change\?/);
  await ana.says('Please tell of it in the changelog, too.');
  await it.sees(/Changes asked for/);
  await it.sees(CARD);
  it.types('2');
  await it.sees(CARD);
  // The other card is still open above the new one.
  await phone.page.getByRole('button', { name: 'Open PR', exact: true }).nth(1).waitFor();
  await ana.agreesTo('Open PR');
  await hostFrame.filter({ hasText: '#1' }).waitFor();
  await maintainer.opensPull('acme/patient', 1);
  await maintainer.movesBase();
  await it.sees(/type: merge 1/);
  await maintainer.merges();
  await it.sees(HOLDS);
  await it.sees(OVER);
  expect(it.shown()).not.toContain('✘');
  expect({ phone: phone.complaints, forge: forge.complaints, both: both.complaints }).toEqual({
    phone: [],
    forge: [],
    both: [],
  });
  expect(await it.leaves('SIGINT')).toBe(0);
}, 300_000);

it('O6: on the pages: denied by a button, two orders at once, one cancelled in words, a risky one opened', async ({
  skip,
}) => {
  const chromium = findChromium();
  if ('missing' in chromium) return skip(chromium.missing);
  const it = (demo = visitDemo());
  const phoneUrl = (await it.sees(/Ana’s phone\s+(\S+)/))[1] ?? '';
  browser = await openChromium(chromium.path);
  const phone = await browser.open(phoneUrl, PHONE);
  const ana = holdPhone(phone.page);
  await it.sees(CARD);
  await phone.page.getByRole('button', { name: 'Open PR' }).waitFor();
  await ana.taps('Deny');
  await phone.page.getByRole('button', { name: 'Wrong approach' }).waitFor();
  await ana.taps('Back');
  await phone.page.getByRole('button', { name: 'Ask for changes' }).waitFor();
  await ana.taps('Deny');
  await phone.page.getByRole('button', { name: 'Wrong approach' }).waitFor();
  await ana.taps('Wrong approach');
  expect(await proofOf(it)).toContain('no pull request was opened for it');

  await ana.says('/new acme/patient Say in the README what one try does.');
  await it.sees(CARD);
  await ana.says('/new acme/patient Add a workflow that runs npm test on each pull request.');
  await it.sees(CARD);
  await phone.page.getByRole('button', { name: 'Review risks' }).waitFor();
  await ana.says('cancel the readme one');
  await phone.page.getByRole('button', { name: 'Cancel for good' }).waitFor();
  await ana.taps('Cancel for good');
  await proofOf(it);
  // What was tapped keeps no word about a state that it has ended.
  expect(await ana.reads('✓ Cancel for good')).not.toContain('waiting');
  // A risky change opens only after it was read: the tap is answered with what to do.
  await ana.taps('Open PR');
  await phone.page.getByText('read what is flagged below').waitFor();
  await phone.page.getByRole('button', { name: 'OK', exact: true }).tap();
  await ana.taps('Review risks');
  await it.sees(/What to look at/);
  await ana.agreesTo('Open PR');
  await it.sees(/type: merge 1/);
  it.types('merge 1');
  expect(await proofOf(it)).toContain('title and description are the approved ones');
  expect(it.shown()).not.toContain('✘');
  expect(phone.complaints).toEqual([]);
  expect(await it.leaves('SIGINT')).toBe(0);
}, 300_000);
