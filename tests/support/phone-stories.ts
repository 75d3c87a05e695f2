/**
 * `npm run stories [folder] [en-group]`: plays the story on the phone's page in both languages and
 * each kind of chat, counts taps and takes pictures. Needs Chromium; for Chinese, fonts-noto-cjk.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';
import {
  sampleAgentCommand,
  sampleCi,
  sampleDirectory,
  sampleGoal,
  sampleReview,
  sampleTasks,
} from '#playground';
import { MINUTE } from '#model/values';
import { findChromium, openChromium, PHONE } from './browser.ts';
import { createProduct, type Product } from './product.ts';

const [into = '/tmp/agentpr-stories', only] = process.argv.slice(2);
/** Long enough for a busy machine (ms). */
const PATIENCE = 3 * MINUTE;
/** Time for an answer to arrive (ms). */
const SETTLES = 2_000;
const SCROLLS = 500;
const CHINESE = { id: 1002, name: 'Wei' };
const hold = (page: Page, words: LanguageTexts) => {
  let taps = 0;
  let typed = 0;
  const log = page.getByRole('log').getByRole('listitem');
  const taken = async (name: RegExp): Promise<void> => {
    await page.getByRole('log').getByRole('button', { name }).last().tap();
    taps += 1;
  };
  return {
    says: async (text: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.getByRole('button', { name: 'Send' }).tap();
      typed += 1;
    },
    reads: (text: string | RegExp): Promise<void> =>
      log.filter({ hasText: text }).last().waitFor({ timeout: PATIENCE }),
    taps: (name: string): Promise<void> => taken(new RegExp(`^${name}$`)),
    async agrees(to: string): Promise<void> {
      await taken(new RegExp(`^${to}$`));
      await taken(new RegExp(`^${words.buttons.ok}$`));
    },
    /** Scrolls to the top of the newest message with these words. */
    async pictures(name: string, of: string): Promise<void> {
      await page.getByRole('textbox', { name: 'Message' }).blur();
      await page.locator('#toasts .toast').waitFor({ state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const message = log.filter({ hasText: of }).last();
        await message.evaluate('(node) => node.scrollIntoView({ block: "start" })');
        await page.waitForTimeout(SCROLLS);
        await page.screenshot({ path: join(into, `${name}-${colorScheme}.png`), animations: 'disabled' });
      }
    },
    /** Counts since the last call. */
    count: () => {
      const counted = { taps, typed };
      [taps, typed] = [0, 0];
      return counted;
    },
  };
};

type Telling = {
  product: Product;
  page: Page;
  words: LanguageTexts;
  language: 'en' | 'zh';
  repo: string;
  where: string;
};

/** Adds a paused run and one that needs a person. */
const fleet = async ({ product, page, words, language }: Telling): Promise<void> => {
  const me = hold(page, words);
  const add = async (name: string): Promise<string> => {
    const { fullName } = await product.github.addRepo({
      owner: 'acme',
      name: `${language}-${name}`,
      from: sampleDirectory(),
      ci: sampleCi,
    });
    return fullName;
  };
  const [docs, web] = [await add('docs'), await add('web')];
  await me.says(`/new ${web} ${sampleGoal} check="false"`);
  await me.reads(`${words.attention.title.human} · ${web}`);
  await me.says(`/new ${docs} ${sampleGoal}`);
  await me.reads(words.card.asks.open(docs));
  await me.says(`/pause ${docs}`);
  await me.reads(`${words.headings.PAUSED} · ${docs}`);
};

const reads = async ({ page, words, language }: Telling): Promise<void> => {
  const me = hold(page, words);
  await me.taps(words.buttons.diff);
  await me.reads(words.viewer.toCard);
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-viewer`, words.viewer.toCard);
  await me.taps(words.viewer.toCard);
};

const looksAround = async ({ page, words, language }: Telling): Promise<void> => {
  const me = hold(page, words);
  const asked = {
    start: words.welcome.pending,
    help: words.help.title,
    status: words.fleet.attention,
    pending: words.fleet.pending(3),
    settings: words.installation.quiet(null),
    report: words.report.title(30),
  };
  for (const [command, says] of Object.entries(asked)) {
    await me.says(`/${command}`);
    await page.waitForTimeout(SETTLES);
    await me.pictures(`${language}-${command}`, says);
  }
  const clock = (ago: number): string => new Date(Date.now() - ago * MINUTE).toISOString().slice(11, 16);
  await me.says(`/settings quiet ${clock(30)}-${clock(1)} UTC`);
  await me.reads(words.installation.quietOver);
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-digest`, words.installation.quietOver);
};

const risky = async (telling: Telling): Promise<void> => {
  const { product, page, words, language } = telling;
  const me = hold(page, words);
  const name = `${language}-risky`;
  const { fullName } = await product.github.addRepo({
    owner: 'acme',
    name,
    from: sampleDirectory(),
    ci: sampleCi,
  });
  await me.says(`/new ${fullName} ${sampleTasks[2]?.goal ?? ''}`);
  await me.reads(words.card.asks.both(fullName));
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-risky`, words.card.asks.both(fullName));
  await me.taps(words.buttons.risk);
  await me.reads(words.risk.title);
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-risks`, words.risk.title);
};

const campaign = async ({ product, page, words, language }: Telling): Promise<void> => {
  const me = hold(page, words);
  const names = ['one', 'two', 'three'].map((one) => `${language}-${one}`);
  for (const name of names)
    await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory(), ci: sampleCi });
  await me.says(`/batch ${names.map((name) => `acme/${name}`).join(' ')} ${sampleGoal}`);
  await me.reads(words.campaign.nothingYet);
  await me.pictures(`${language}-preview`, words.campaign.nothingYet);
  await me.taps(words.campaign.buttons.start(3));
  await me.reads(words.cluster.asks.open(3));
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-cluster`, words.cluster.approve(3));
  await me.says('/campaign');
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-campaign`, words.campaign.onYou);
};

const GUIDES = [
  'Before sending a pull request, open an issue and wait until a maintainer accepts it.',
  'Please open an issue first to discuss what you would like to change.',
  'No "low effort" AI PRs: we close them.',
];
const questions = async ({ product, page, words, language }: Telling): Promise<void> => {
  const me = hold(page, words);
  const names = GUIDES.map((_, i) => `acme/${language}-guided-${i}`);
  for (const [i, name] of names.entries())
    await product.github.addRepo({
      owner: 'acme',
      name: name.slice('acme/'.length),
      from: { 'README.md': 'A library.\n', 'CONTRIBUTING.md': `# Contributing\n\n${GUIDES[i] ?? ''}\n` },
    });
  await me.says(`/batch ${names.join(' ')} install=none check="true" Say it better`);
  await me.taps(words.campaign.buttons.start(names.length));
  await me.reads(words.campaign.allTheSame);
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-questions`, words.campaign.allTheSame);
  await me.taps(`\\d\\. ${words.campaign.buttons.begin(2)}`);
  await page.waitForTimeout(SETTLES);
  await me.pictures(`${language}-questions-answered`, words.campaign.allTheSame);
};

const story = async (telling: Telling): Promise<void> => {
  const { product, page, words, language, repo, where } = telling;
  const me = hold(page, words);
  const { card } = words;
  const host = product.github.repo(repo);
  if (where === 'private') await fleet(telling);
  await me.says(`/new ${repo} ${sampleGoal}`);
  await me.reads(card.asks.open(repo));
  if (where === 'private') {
    await page.waitForTimeout(SETTLES);
    await me.pictures(`${language}-card`, card.asks.open(repo));
    await reads(telling);
    await looksAround(telling);
  }
  me.count();
  await me.agrees(words.buttons.open);
  await me.reads(card.openedAs('#1'));
  const opened = me.count();
  await me.reads(card.asks.fix('#1', repo));
  await me.agrees(words.buttons.pushFix);
  await product.telegram.waitFor(
    () => host.checkRuns.filter(({ conclusion }) => conclusion === 'success').length >= 3,
    { deadlineMs: 120_000 },
  );
  host.review(1, { state: 'CHANGES_REQUESTED', body: sampleReview });
  await me.agrees(words.buttons.pushFix);
  await product.telegram.waitFor(
    () => host.checkRuns.filter(({ conclusion }) => conclusion === 'success').length >= 5,
    { deadlineMs: 120_000 },
  );
  host.review(1, { state: 'APPROVED' });
  await host.merge(1);
  await me.reads(`${words.headings.DONE} · ${repo}`);
  const whole = me.count();
  console.log(
    `${language} ${where}: opened with ${opened.taps} taps, ${opened.typed} typed; two fixes with ${whole.taps} taps, ${whole.typed} typed; ${host.pulls.length} pull request, merged: ${String(host.pulls[0]?.merged)}`,
  );
  if (where !== 'private') return;
  await risky(telling);
  await campaign(telling);
  await questions(telling);
};

const chromium = findChromium();
if ('missing' in chromium) throw new Error(`No stories: ${chromium.missing}`);
mkdirSync(into, { recursive: true });
const product = await createProduct({
  script: sampleAgentCommand({ mood: 'learns' }),
  bounds: { ciSettleMs: 300, noCiMs: 5_000, pollMs: 1_000 },
  webhooks: true,
  users: [{ id: String(CHINESE.id), name: CHINESE.name, role: 'admin' }],
});
const browser = await openChromium(chromium.path);
try {
  const { telegram } = product;
  telegram.person(CHINESE.id, CHINESE.name, { language: 'zh' });
  product.start();
  await product.running();
  for (const language of ['en', 'zh'] as const) {
    const words = LANGUAGE_TEXTS[language];
    const group = telegram.group(
      language === 'en' ? -100_7 : -100_8,
      language === 'en' ? 'The team' : '团队',
    );
    const forum = telegram.group(language === 'en' ? -100_9 : -100_10, language === 'en' ? 'Forum' : '论坛');
    const topic = forum.opensTopic('patient');
    const { page } = await browser.open(telegram.phoneUrl, { ...PHONE, deviceScaleFactor: 2 });
    if (language === 'zh') await page.getByRole('combobox').first().selectOption({ label: CHINESE.name });
    await page.waitForTimeout(SETTLES);
    const places = {
      private: String(language === 'en' ? product.ana.id : CHINESE.id),
      group: String(group.chatId),
      forum: `${topic.chatId}/${topic.topic}`,
    };
    for (const [where, place] of Object.entries(places)) {
      if (only !== undefined && only !== `${language}-${where}`) continue;
      await page.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
      const repo = `acme/${language}-${where}`;
      await product.github.addRepo({
        owner: 'acme',
        name: `${language}-${where}`,
        from: sampleDirectory(),
        ci: sampleCi,
      });
      const telling = { product, page, words, language, repo, where };
      if (where !== 'private' && language === 'zh') await hold(page, words).says('/settings language zh');
      await story(telling).catch(async (error: unknown) => {
        await page.screenshot({ path: join(into, `${language}-${where}-stuck.png`) });
        throw error;
      });
    }
  }
} finally {
  await browser.close();
  await product.close();
}
