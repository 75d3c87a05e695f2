/** What repositories of a campaign ask before work begins: on one card, answered for all that it shows. */
import { expect, it } from 'vitest';
import { enTexts } from '#language';
import type { Input } from '#inputs';
import { renderRequirementQuestions } from '../../bot/views/campaign-questions.ts';
import type { CampaignScene } from '../../bot/views/campaign-lines.ts';
import { selectForOneCard, selectStillAsked, type AskedFirst } from '#model/requirements';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { ANA, VIC } from '../support/chat-world.ts';
import { inputsToCard } from '../support/ready-run.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `acme/${name}`);
type Escalation = NonNullable<Extract<Input, { type: 'worker.discovery.completed' }>['escalate']>;

const at = { quote: 'Open an issue first.', file: 'CONTRIBUTING.md', line: 3 };
const missing = (what: 'issue' | 'cla', quote = at.quote): Escalation => ({
  kind: 'answers_missing',
  missing: [{ ...at, what, quote, rule: what === 'issue' ? 'issue_first' : 'cla', value: null }],
});
const elsewhere: Escalation = { kind: 'rule_unmet', rule: 'base_branch', value: 'develop', ...at };
const nearBan = (quote: string): Escalation => ({ kind: 'possible_ban', ...at, quote });
const vouch: Escalation = { kind: 'rule_unmet', rule: 'vouch', value: null, ...at };

const started = async () => {
  const w = await createCampaignWorld();
  await w.sends(
    'campaign.yml',
    `name: Mend it\nrepositories: [${NAMES.join(', ')}]\ngoal: Fix it\npace: { canary: 6 }`,
    '/batch',
  );
  await w.taps('Start 6');
  await w.goesOn();
  const run = async (repo: string) => {
    const found = (await w.runs()).find(({ order }) => order.repo === repo);
    if (!found) throw new Error(`there is no run of ${repo}`);
    return found;
  };
  /** Its repository is read, and asks for something. */
  const read = async (repo: string, escalate: Escalation | null) => {
    const inputs = inputsToCard()
      // What is asked first is asked before the base is checked.
      .slice(0, escalate === null ? 3 : 2)
      .map((one) => (one.type === 'worker.discovery.completed' ? { ...one, escalate } : one));
    await w.offer((await run(repo)).id, ...inputs);
  };
  const asking = () => w.messages.filter(({ text }) => /asks? for something before/.test(text));
  return { ...w, run, read, asking };
};

it('F5: what many ask comes as one message with one sound, each with its own words; a tap begins those alike', async () => {
  const w = await started();
  await w.read('acme/a', missing('issue'));
  await w.read('acme/b', missing('issue', 'No pull request without an issue.'));
  await w.read('acme/c', missing('cla', 'Sign our CLA.'));
  await w.goesOn();
  // Others are still read: they may ask as well.
  expect(w.asking()).toEqual([]);
  for (const repo of NAMES.slice(3)) await w.read(repo, null);
  await w.goesOn();
  const [card, ...more] = w.asking();
  expect(more).toEqual([]);
  expect(card?.silent).toBe(false);
  for (const words of ['acme/a', 'No pull request without an issue.', 'Sign our CLA.', 'CONTRIBUTING.md:3'])
    expect(card?.text).toContain(words);
  expect(w.buttons()).toEqual([
    ...['1. Start 2', '1. Leave out 2', '2. Start 1', '2. Leave out 1'],
    ...['One by one', 'Back'],
  ]);
  expect(w.messages.filter(({ text }) => text.startsWith('PLAN'))).toEqual([]);
  // Looking again says nothing twice.
  await w.goesOn();
  expect(w.asking()).toHaveLength(1);
  // Nor does it ring again because somebody looked at the campaign meanwhile.
  const count = w.messages.length;
  await w.taps('Back');
  await w.goesOn();
  expect(w.messages).toHaveLength(count);
  await w.taps('3 ask first');
  expect(await w.taps('1. Start 2', { by: VIC, chat: '7' })).toContain('operator');
  expect(await w.taps('1. Start 2')).toBe('Started 2.');
  expect((await w.run('acme/a')).lifecycle.reason.kind).toBe('checking_base');
  expect((await w.run('acme/b')).lifecycle.reason.kind).toBe('checking_base');
  expect((await w.run('acme/c')).lifecycle.state).toBe('PLAN_READY');
  expect(await w.taps('Leave out 1')).toBe('Left out 1.');
  expect((await w.run('acme/c')).lifecycle.state).toBe('SKIPPED');
  expect(w.card()).toContain('All of it is answered.');
  expect(w.failed).toEqual([]);
});

it('F5, P3: what may be a ban is weighed by its own words, whole; only the very same ones have one button', async () => {
  const w = await started();
  const long = `No ${'careless '.repeat(20)}AI, ever.`;
  for (const repo of ['acme/a', 'acme/b']) await w.read(repo, nearBan(long));
  await w.read('acme/c', nearBan('No slop.'));
  for (const repo of NAMES.slice(3)) await w.read(repo, null);
  await w.goesOn();
  expect(w.messages.filter(({ text }) => text.startsWith('PLAN'))).toEqual([]);
  expect(w.card()).toContain('1. Perhaps a ban on such changes: start only if it is not one (2)');
  expect((w.card() ?? '').split(`“${long}”`)).toHaveLength(2);
  expect(w.buttons()?.slice(0, 4)).toEqual(['1. Start 2', '1. Leave out 2', '2. Start 1', '2. Leave out 1']);
  expect(await w.taps('1. Leave out 2')).toBe('Left out 2.');
  expect((await w.run('acme/c')).lifecycle.state).toBe('PLAN_READY');
  expect(await w.taps('Start 1')).toBe('Started 1.');
  expect((await w.run('acme/c')).lifecycle.reason.kind).toBe('checking_base');
});

it('F5: a card shows no more words of possible bans than fit, and the others come next', () => {
  const of = (n: number): AskedFirst => {
    const wish = { rule: 'other', value: 'ai', quote: `${n}`.padEnd(200, 'x'), file: 'f', line: 1 } as const;
    return { run: `r${n}`, repo: `acme/${n}`, wishes: [wish] };
  };
  const many = Array.from({ length: 12 }, (_, n) => of(n));
  expect(selectForOneCard(many)).toEqual(many.slice(0, 6));
  const alike = many.map((one) => ({ ...one, wishes: of(0).wishes }));
  expect(selectForOneCard(alike)).toEqual(alike);
});

it('F5, P3: a button answers what stands on the card, however long the words of possible bans are', () => {
  const asks = Array.from({ length: 12 }, (_, n): AskedFirst => {
    const quote = `${n} <b>&"AI"</b> ${'& '.repeat(90)}`.slice(0, 200);
    const file = `docs/${'deep/'.repeat(60)}CONTRIBUTING.md`;
    return {
      run: `run-${n}`,
      repo: `acme/${n}`,
      wishes: [{ rule: 'other', value: 'ai', quote, file, line: 1 }],
    };
  });
  const standings = new Map(asks.map((one) => [one.repo, { repo: one.repo, run: one.run, asks: one }]));
  const scene = { campaign: { id: 'abcd' }, order: { name: 'n' }, standings } as unknown as CampaignScene;
  const { html, buttons } = renderRequirementQuestions(scene, asks, enTexts);
  const begins = buttons
    .flat()
    .flatMap(({ verb, index }) => (verb === 'campaign.begin' ? [index ?? -1] : []));
  const read = asks.flatMap(({ run }, n) => (html.includes(`${run} `) ? [n] : []));
  expect(begins.length).toBeGreaterThan(0);
  expect(begins).toEqual(read);
  expect(html).toContain(`… and ${12 - read.length} more`);
  expect(html).toContain(enTexts.campaign.allTheSame);
});

it('F5: of many that ask alike for long things, as many come on a card as it shows whole', () => {
  const asks = Array.from({ length: 12 }, (_, n): AskedFirst => {
    const of = (rule: 'issue_first' | 'cla') =>
      ({ rule, value: null, quote: '"Words" & <more> '.repeat(12), file: 'a/'.repeat(60), line: 1 }) as const;
    return { run: `run-${n}`, repo: `acme/${n}`, wishes: [of('issue_first'), of('cla')] };
  });
  const some = selectForOneCard(asks);
  expect(some.length).toBeGreaterThan(2);
  const standings = new Map(asks.map((one) => [one.repo, { repo: one.repo, run: one.run, asks: one }]));
  const scene = { campaign: { id: 'abcd' }, order: { name: 'n' }, standings } as unknown as CampaignScene;
  const { html, buttons } = renderRequirementQuestions(scene, some, enTexts);
  for (const { run } of some) expect(html).toContain(`${run} `);
  expect(buttons.flat().some(({ text }) => text === `Start ${some.length}`)).toBe(true);
});

it('F5, P3: a list of people is asked by itself, and another branch with its name', async () => {
  const w = await started();
  await w.read('acme/f', vouch);
  expect(w.messages.at(-1)?.text).toMatch(/^PLAN · acme\/f/);
  for (const repo of ['acme/b', 'acme/c']) await w.read(repo, elsewhere);
  for (const repo of ['acme/a', 'acme/d', 'acme/e']) await w.read(repo, null);
  await w.goesOn();
  expect(w.card()).toContain('Another branch (2)');
  expect(w.card()).toContain('develop: “Open an issue first.”');
  expect(w.card()).not.toContain('acme/f');
  expect(await w.taps('Start 2')).toBe('Started 2.');
  expect((await w.run('acme/f')).lifecycle.state).toBe('PLAN_READY');
});

it('F5: one that asks alone has the message of a run, and the next joins it without a sound', async () => {
  const w = await started();
  for (const repo of NAMES.slice(2)) await w.read(repo, null);
  await w.read('acme/b', missing('cla'));
  await w.read('acme/a', null);
  await w.goesOn();
  const own = w.messages.at(-1);
  expect(own).toMatchObject({ silent: false });
  expect(own?.text).toMatch(/^PLAN · acme\/b/);
  expect(await w.taps('Start')).not.toContain('gone');
  expect((await w.run('acme/b')).lifecycle.reason.kind).toBe('checking_base');
});

it('F5, G4: a tap answers what its card showed, and nothing that changed since', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b']) await w.read(repo, missing('issue'));
  for (const repo of NAMES.slice(2)) await w.read(repo, null);
  await w.goesOn();
  const { id } = await w.run('acme/b');
  await w.offer(id, { type: 'command.skip', by: { id: ANA, name: 'Ana' }, reason: '' });
  expect(await w.taps('Start 2')).toBe('Started 1.');
  expect((await w.run('acme/a')).lifecycle.reason.kind).toBe('checking_base');
  expect((await w.run('acme/b')).lifecycle.state).toBe('SKIPPED');
  const [shown] = [{ run: 'x', repo: 'acme/x', wishes: [{ ...at, rule: 'cla', value: null }] }] as const;
  const other = {
    ...shown,
    wishes: [{ ...at, rule: 'cla', value: null, quote: 'Sign the new one.' }],
  } as const;
  const asked = (one: typeof shown | typeof other) => [{ ...one, wishes: [...one.wishes] }];
  expect(selectStillAsked(asked(shown), asked(shown))).toHaveLength(1);
  expect(selectStillAsked(asked(shown), asked(other))).toEqual([]);
});

it('S6: what nobody answers rings again', async () => {
  const w = await started();
  for (const repo of ['acme/a', 'acme/b']) await w.read(repo, missing('issue'));
  for (const repo of NAMES.slice(2)) await w.read(repo, null);
  await w.goesOn();
  expect(w.asking()).toHaveLength(1);
  w.passes((await w.run('acme/a')).order.bounds.reminderMs + 1);
  await w.goesOn();
  expect(w.asking()).toHaveLength(2);
  // Both say what became of it, whichever was tapped.
  expect(await w.taps('Start 2')).toBe('Started 2.');
  await w.goesOn();
  expect(w.asking()).toEqual([]);
  expect(w.messages.filter(({ text }) => text.includes('All of it is answered.'))).toHaveLength(2);
  expect(w.messages.filter(({ text }) => text.includes('All of it')).every(({ silent }) => !silent)).toBe(
    true,
  );
});
