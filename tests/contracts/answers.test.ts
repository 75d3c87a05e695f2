/**
 * F9 in the chat: what a repository asks of a person is asked there, and only a tap makes a reply
 * the answer.
 */
import { expect, it } from 'vitest';
import { signOffKey } from '#model/trailers';
import type { ContributionRule } from '#model/contract';
import { findEscalationBeforeWork } from '../../governor/weigh-rules-before-work.ts';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';
import { contract } from '../support/core.ts';
import { someBaseline } from '../support/ready-run.ts';

const rules: ContributionRule[] = (['issue_first', 'cla', 'human_words', 'dco'] as const).map((kind, i) => ({
  kind,
  quote: `Words of ${kind}.`,
  file: 'CONTRIBUTING.md',
  line: i + 1,
}));

const asked = async (kinds: readonly ContributionRule['kind'][] = rules.map((r) => r.kind)) => {
  const w = await createChatWorld();
  await w.says('/new acme/api Fix the flaky retry');
  const [run] = await w.ledger.query.runs({ live: true, limit: 1 });
  const id = run?.id ?? '';
  const learned = contract({ rules: rules.filter((r) => kinds.includes(r.kind)) });
  await w.offer(id, { type: 'command.discovery.start' });
  await w.offer(id, {
    type: 'worker.discovery.completed',
    contract: learned,
    base: { ref: 'main', sha: someBaseline().sha, repoId: '1' },
    archived: false,
    escalate: findEscalationBeforeWork(learned, { issue: null, base: 'main', answers: [], trailers: [] }),
  });
  const card = w.messages.findLast((m) => m.text.includes('Reply with') || m.text.includes('Reply that'));
  const reply = { reply_to_message: { message_id: Number(card?.messageId) } };
  return { w, id, card, reply };
};

it('F9: one message asks for all that is missing, with the quotes, and can be started without', async () => {
  const { card } = await asked();
  for (const says of ['Reply with its number', 'you have signed it', 'word for word', 'Name <email>'])
    expect(card?.text).toContain(says);
  expect(card?.text).toContain('“Words of cla.” (CONTRIBUTING.md:2)');
  expect(card?.buttons.flat().map((b) => b.text)).toContain('Start');
});

it('F9: a reply is offered as what it can be, a tap makes it so, and the run goes on with it', async () => {
  const { w, id, reply } = await asked();
  expect(await w.says('#12', { ...reply, by: VIC, chat: ANA })).toEqual([
    'Only operators may do that; ask an admin.',
  ]);
  await w.says('It is #12.', reply);
  expect(
    w.messages
      .at(-1)
      ?.buttons.flat()
      .map((b) => b.text),
  ).toEqual(['This is the issue', 'I have signed the agreement', 'Show the run']);
  expect((await w.run(id)).target.requirementAnswers).toEqual([]);
  expect(await w.taps('This is the issue')).toBe('Recorded.');
  expect(await w.run(id)).toMatchObject({
    lifecycle: { state: 'DISCOVERY' },
    target: { requirementAnswers: [{ what: 'issue', text: '#12', by: { id: ANA } }] },
  });
});

it('F9: words of a person are kept as they wrote them', async () => {
  const { w, id, reply } = await asked(['human_words']);
  const words = 'The retry waits too short.\n\nI saw it *twice* on CI.';
  await w.says(words, reply);
  await w.taps('Publish these words as mine');
  expect((await w.run(id)).target.requirementAnswers).toMatchObject([{ what: 'words', text: words }]);
});

it('F9: what can be no answer is offered as none', async () => {
  const { w, id, reply } = await asked(['dco']);
  await w.says('please hurry up with this one', reply);
  expect(w.messages.flatMap((m) => m.buttons.flat().map((b) => b.text)).join()).not.toContain('Sign off');
  expect((await w.run(id)).lifecycle.state).toBe('PLAN_READY');
});

it.each([
  ['... <ana@x.org>', 'The name is punctuation alone', '名字只有标点'],
  ['Ana <ana>', 'is not an email address', '不是邮箱地址'],
  ['Ana ＜ana@x.org＞', 'Name <email>', '姓名 <邮箱>'],
])('F9: a sign-off that nobody can give, %s, is told, and no agent is', async (words, en, zh) => {
  const { w, id, reply } = await asked(['dco']);
  const [said = ''] = await w.says(words, reply);
  expect(said).toContain(en);
  expect(said).toContain('Name <email>');
  await w.says('/settings language zh');
  const [chinese = ''] = await w.says(words, reply);
  expect(chinese).toContain(zh);
  expect(w.messages.flatMap((m) => m.buttons.flat().map((b) => b.text)).join()).not.toContain(words);
  expect(await w.run(id)).toMatchObject({
    lifecycle: { state: 'PLAN_READY' },
    target: { requirementAnswers: [] },
  });
});

it('F9: a sign-off is kept for whoever said it, and for nobody else', async () => {
  const { w, id, reply } = await asked(['dco']);
  await w.says('Ana B. <ana@x.org>', reply);
  await w.taps('Sign off with this, now and later');
  expect((await w.run(id)).target.requirementAnswers).toMatchObject([
    { what: 'sign_off', text: 'Ana B. <ana@x.org>' },
  ]);
  expect(await w.ledger.query.setting(signOffKey(ANA))).toBe('Ana B. <ana@x.org>');
  expect(await w.ledger.query.setting(signOffKey(BO))).toBeNull();
  expect((await w.says('/settings'))[0]).toContain('You sign off as Ana B. <ana@x.org>.');
});

it('F9: /settings signoff is everybody’s own word, and can be taken back', async () => {
  const w = await createChatWorld();
  expect(await w.says('/settings signoff Vic <vic@x.org>', { by: VIC })).toEqual([
    'Only operators may do that; ask an admin.',
  ]);
  await w.says('/settings signoff Bo B. <bo@x.org>', { by: BO });
  expect(await w.ledger.query.setting(signOffKey(BO))).toBe('Bo B. <bo@x.org>');
  expect((await w.says('/settings'))[0]).toContain('You do not sign off commits.');
  expect(await w.says('/settings signoff off', { by: BO })).toEqual(['You do not sign off commits.']);
  expect((await w.says('/settings signoff Bo', { by: BO }))[0]).toContain('Name <email>');
});
