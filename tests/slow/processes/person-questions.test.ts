/** E21: whatever an agent does to its files while it answers, what a card shows stays as it was. */
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH_WORDING } from '#language';
import type { Effect } from '#effects';
import type { EffectContext } from '#kernel';
import type { AttemptRow } from '#ports/ledger';
import type { WorkspacePort } from '#ports/workspaces';
import type { EngineExecutor, ExecutorDone } from '#ports/processes';
import type { Input } from '#inputs';
import { NO_USAGE } from '#model/reports';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import type { Run } from '#run';
import { createBriefing, type BriefingParts } from '../../../orchestrator/briefing/brief-agent.ts';
import { decideStep } from '../../../orchestrator/kernel/lifecycle/decide.ts';
import { createAnswerQuestionHandler } from '../../../orchestrator/kernel/rounds/answer-question.effect.ts';
import { toDiscardedEdits } from '../../../orchestrator/kernel/rounds/record-discarded-edits.ts';
import { findOpenQuestion, patchRun } from '../../../orchestrator/kernel/run/run.ts';
import { createSpendingMeter } from '../../../orchestrator/limits/spending-meter.ts';
import { askQuestion, at, confirm, pause } from '../../support/core.ts';
import type { Act } from '../../support/core-acts.ts';
import { claimOf } from '../../support/doors.ts';
import { AUTHOR, createWorld, git, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** What agents do where they were told to change nothing. */
const EDITS: readonly ((ws: string) => void)[] = [
  () => {},
  (ws) => write(ws, { 'a.txt': 'other\n' }),
  (ws) => write(ws, { 'new/file.txt': 'new\n' }),
  (ws) => rmSync(join(ws, 'b.txt')),
  (ws) => chmodSync(join(ws, 'b.txt'), 0o755),
  (ws) => symlinkSync('/etc/passwd', join(ws, 'link')),
  (ws) => write(ws, { '.gitignore': '*\n', 'hidden.txt': 'x\n' }),
  (ws) => void git(ws, 'commit', '--quiet', '--all', '--allow-empty', '-m', 'Mine'),
  (ws) => void git(ws, 'checkout', '--quiet', '--detach'),
  (ws) => write(ws, { '.git/config': '[core]\n\tfsmonitor = touch stray\n' }),
  (ws) => rmSync(ws, { recursive: true }),
  (ws) => mkdirSync(join(ws, 'empty')),
  (ws) => void execFileSync('mkfifo', [join(ws, 'pipe')]),
];

/** Each edit once. */
const TRIES = EDITS.length;
type Behaviour = { edit: (ws: string) => void; how: 'answers' | 'dies' | 'is stopped' | 'is killed' };
const KILLED = 'the process was killed';

const createTalk = async (name: string, leftover: boolean) => {
  const repo = world.repo(name, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const runId = `${name}1`;
  const { sha, ws } = await world.prepare(runId, repo);
  write(ws, { 'a.txt': 'two\n' });
  const made = await world.harvest(runId, sha);
  if (made.kind !== 'commit') throw new Error(made.kind);
  await world.workspaces.reset({ runId, sha: made.commit.sha, base: sha });
  // A round that was cut off left these.
  if (leftover) write(ws, { 'half.txt': 'half\n', 'a.txt': 'two and a half\n' });
  const card = at('PUSHED').run;
  let run: Run = patchRun(card, {
    id: runId,
    order: { ...card.order, engine: 'codex' },
    target: { base: { ref: 'main', sha, repoId: '1' } },
    change: { commit: made.commit },
  });
  let now = run.lifecycle.updatedAt;
  const attempts: AttemptRow[] = [];
  let behaviour: Behaviour = { edit: () => {}, how: 'answers' };
  let stop = new AbortController();
  const told: Effect['do'][] = [];
  const submit = async (input: Input, effectEpoch: number | null = null) => {
    now += 1;
    const step = decideStep(run, input, { at: now, nonce: `n${now}`, effectEpoch });
    if (step.kind !== 'moved') return { kind: step.kind } as const;
    ({ run } = step);
    told.push(...step.effects.map((one) => one.do));
    return { kind: 'written', run, before: null } as const;
  };
  const done: ExecutorDone = {
    outcome: 'completed',
    failure: null,
    session: { id: 's1', usage: NO_USAGE },
    summary: 'Because it was wrong.',
    usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
    containment: 'group',
    end: { exitCode: 0, ended: 'exited', signal: null, ms: 1, stdout: '', stderr: '' },
    model: null,
  };
  const prompts: string[] = [];
  const resets: string[] = [];
  const workspaces: WorkspacePort = {
    ...world.workspaces,
    reset: async (input) => {
      resets.push(input.sha);
      await world.workspaces.reset(input);
    },
  };
  const parts = {
    ledger: {
      query: {
        run: async () => run,
        attempts: async () => attempts,
        effects: async () => [],
        setting: async () => null,
      },
      artifact: async () => '',
      attempt: {
        start: async (row: AttemptRow) => attempts.push({ ...row, outcome: 'running', billed: null }),
        recordProcess: async () => {},
        recordBill: async () => {},
        end: async () => {},
      },
    },
    submit: ({ input, effectEpoch }: { input: Input; effectEpoch?: number | null }) =>
      submit(input, effectEpoch ?? null),
    clock: { now: () => (now += 1), after: () => ({ cancel() {} }) },
    workspaces,
    settings: { author: AUTHOR, policies: DEFAULT_POLICY_SETTINGS },
    texts: { wording: ENGLISH_WORDING },
    skill: () => 'Be brief.',
    log: { warn() {}, error() {}, info() {} },
  } as unknown as BriefingParts & EffectContext;
  const codex = {
    run: async ({ prompt, writes, session }: { prompt: string; writes: string; session: unknown }) => {
      prompts.push(prompt);
      expect({ writes, session }).toEqual({ writes: 'nothing', session: run.agent.session });
      behaviour.edit(ws);
      if (behaviour.how === 'dies') throw new Error('a bug');
      if (behaviour.how === 'is killed') throw new Error(KILLED);
      if (behaviour.how === 'is stopped') stop.abort();
      return done;
    },
  } as unknown as EngineExecutor;
  const engines = { codex };
  const notes = { write: async () => {}, read: async () => null };
  const answer = createAnswerQuestionHandler({
    ...parts,
    agents: { engines, notes, brief: createBriefing({ ...parts, agents: { engines } }) },
    spending: { createMeter: createSpendingMeter(parts) },
  });
  const readFiles = async () => ({
    left: await world.workspaces.left({ runId, base: sha, sha: made.commit.sha }),
    compared: await world.workspaces.compare({ runId, repo, base: 'main', head: made.commit.sha }),
    a: readFileSync(join(ws, 'a.txt'), 'utf8'),
    b: [readFileSync(join(ws, 'b.txt'), 'utf8'), lstatSync(join(ws, 'b.txt')).mode & 0o777],
  });
  const submitAct = async (act: Act) => {
    const { input } = act(run);
    return submit(input);
  };
  const performAnswer = async (how: Behaviour) => {
    behaviour = how;
    stop = new AbortController();
    const work = told.findLast((one) => one.kind === 'answer_question');
    if (work?.kind !== 'answer_question') throw new Error('nothing was asked');
    const outcome = await answer({ ...claimOf(run, work), epoch: null }, stop.signal);
    if (outcome.kind === 'result') await submit(outcome.input);
    return outcome.kind;
  };
  return {
    prompts,
    resets,
    patch: (...patches: Parameters<typeof patchRun>[1][]) => (run = patchRun(run, ...patches)),
    run: () => run,
    told,
    readFiles,
    submitAct,
    performAnswer,
  };
};

describe('a question to an agent without a box', () => {
  it.each([
    ['at a card', false, 0],
    ['where edits were left', true, 2],
  ])(
    `E21: %s leaves digest, commit and files as they were in ${TRIES} of ${TRIES} tries, however it ends`,
    async (name, leftover, firstWay) => {
      const talk = await createTalk(`q${name.length}`, leftover);
      const before = { gate: talk.run().gate, change: talk.run().change, files: await talk.readFiles() };
      const HOW = ['answers', 'answers', 'dies', 'is stopped', 'is killed'] as const;
      let answers = 0;
      for (let n = 0; n < TRIES; n += 1) {
        await talk.submitAct(askQuestion(`Why, for the ${n}th time?`));
        expect(findOpenQuestion(talk.run())).not.toBeNull();
        const edit = EDITS[n % EDITS.length] ?? (() => {});
        const how = HOW[(n + firstWay) % HOW.length] ?? 'answers';
        const ended = await talk.performAnswer({ edit, how }).catch((error: unknown) => String(error));
        // What is killed leaves its edits, and its next try puts them back before the agent is asked.
        if (ended !== 'result') await talk.performAnswer({ edit: () => {}, how: 'answers' });
        answers += 1;
        expect(findOpenQuestion(talk.run()), `try ${n}: ${how}`).toBeNull();
        expect(await talk.readFiles(), `try ${n}: ${how}`).toEqual(before.files);
        expect({ gate: talk.run().gate, change: talk.run().change }).toEqual({
          gate: before.gate,
          change: before.change,
        });
      }
      expect(answers).toBe(TRIES);
      expect(talk.prompts[0]).toContain('What a person asks you about your work');
      expect(talk.prompts[0]).toContain('Why, for the 0th time?');
      const outcomes = talk.run().agent.personQuestions?.map(({ outcome }) => outcome?.kind);
      expect(new Set(outcomes)).toEqual(new Set(['answered']));
      // The card that was there before can be approved.
      expect(await talk.submitAct(confirm())).toMatchObject({ kind: 'written' });
      expect(talk.told.some(({ kind }) => kind === 'open_pr')).toBe(true);
    },
    240_000,
  );

  it('E21, L6: one that was killed and whose run went on puts the files back before anything else works there', async () => {
    const talk = await createTalk('gone', false);
    const files = await talk.readFiles();
    await talk.submitAct(askQuestion());
    const edit = (ws: string): void => write(ws, { 'a.txt': 'stray\n' });
    await expect(talk.performAnswer({ edit, how: 'is killed' })).rejects.toThrow(KILLED);
    await talk.submitAct(pause);
    expect(talk.run().agent.personQuestions?.[0]?.outcome).toEqual({ kind: 'moved_on' });
    expect(await talk.performAnswer({ edit: () => {}, how: 'answers' })).toBe('done');
    expect(await talk.readFiles()).toEqual(files);
    expect(talk.prompts).toHaveLength(1);
  });

  it('E21, P7: what dies beside a pipe has its cost counted and its files put back', async () => {
    const talk = await createTalk('pipe', false);
    const files = await talk.readFiles();
    await talk.submitAct(askQuestion());
    const before = talk.run().lifecycle.usage.inputTokens;
    const edit = (ws: string): void => void execFileSync('mkfifo', [join(ws, 'pipe')]);
    expect(await talk.performAnswer({ edit, how: 'is stopped' })).toBe('done');
    expect(talk.run().lifecycle.usage.inputTokens).toBe(before + 1);
    expect(await talk.readFiles()).toEqual(files);
  });

  it('E21, L6: the next try resets nothing where the files are as they were, on another commit', async () => {
    const talk = await createTalk('same', true);
    const files = await talk.readFiles();
    await talk.submitAct(askQuestion());
    await expect(talk.performAnswer({ edit: () => {}, how: 'is killed' })).rejects.toThrow(KILLED);
    const { commit } = talk.run().change;
    if (commit) talk.patch({ change: { commit: { ...commit, base: 'f'.repeat(40) } } });
    expect(await talk.performAnswer({ edit: () => {}, how: 'answers' })).toBe('result');
    expect(talk.resets).toEqual([]);
    expect(await talk.readFiles()).toEqual(files);
  });

  it('E21, E17: is told that a change was taken back, and of its files', async () => {
    const talk = await createTalk('taken', false);
    talk.patch({ agent: { discardedEdits: toDiscardedEdits('taken_back', ['~ second.txt']) } });
    await talk.submitAct(askQuestion());
    await talk.performAnswer({ edit: () => {}, how: 'answers' });
    expect(talk.prompts[0]).toContain('A person took back your last change');
    expect(talk.prompts[0]).toContain('second.txt');
  });
});
