/** A ledger, a repository and rounds of the builtin engine that record their turns. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../db/directory/open-ledger.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { reapplyPatch } from '../../executors/engines/builtin/edits/apply-patch.ts';
import { replayEdits, type EditReplay } from '../../orchestrator/audit/replay-edits.ts';
import { foldTurns, type FoldedTurn } from '../../orchestrator/audit/replay-turns.ts';
import { createTurnRecorder } from '../../orchestrator/briefing/record-turns.ts';
import type { Commit } from '#model/change';
import type { Ledger } from '#ports/ledger';
import type { TurnRecorder } from '#ports/records';
import { createBuiltin, governed } from './builtin-round.ts';
import { given } from './core.ts';
import { temporaryDirectory, write } from './ledger.ts';

export const git = (cwd: string, ...args: string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });

export const createTurnWorld = async (
  args?: readonly string[],
  more?: Parameters<typeof createBuiltin>[1],
) => {
  const place = temporaryDirectory();
  onTestFinished(() => place.remove());
  const open = async (): Promise<Ledger> => {
    const { store, key } = await openStore({ dataDir: place.dir });
    return createLedger({ store, key, boot: `b${Math.random()}`, now: () => 1_000 });
  };
  let ledger = await open();
  onTestFinished(() => ledger.close());
  await write(ledger, 'r1');
  const builtin = await createBuiltin(args, more);
  git(builtin.at.workspace, 'init', '-q');
  git(builtin.at.workspace, 'add', '-A');
  git(builtin.at.workspace, 'commit', '-qm', 'base');
  const base = String(git(builtin.at.workspace, 'rev-parse', 'HEAD')).trim();
  const attempt = (): Promise<number> =>
    ledger.attempt.start({
      runId: 'r1',
      step: 'agent',
      command: 'builtin',
      startedAt: 1,
      engine: 'builtin',
      model: null,
      promptHash: null,
      baseSha: base,
      containment: null,
      pid: null,
      pidStart: null,
    });
  const recorder = async (): Promise<TurnRecorder> =>
    createTurnRecorder({ ledger, clock: { now: () => 5 } }, 'r1', await attempt(), [
      { title: 'What the repository tells: AGENTS.md', ours: '', data: 'Be brief.' },
    ]);
  const ask = governed('group', { kind: 'allow', by: 'Ana' });
  const { run } = builtin;
  return {
    ...builtin,
    base,
    ledger: () => ledger,
    recorder,
    run: async (round: Parameters<typeof run>[0] = {}) => run({ ask, turns: await recorder(), ...round }),
    fold: async () => foldTurns(await ledger.query.turns('r1'), []),
    file: path.join(place.dir, 'ledger.db'),
    restart: async () => {
      await ledger.close();
      ledger = await open();
    },
    commit: (): Commit => {
      git(builtin.at.workspace, 'add', '-A');
      git(builtin.at.workspace, 'commit', '-qm', 'change');
      const sha = String(git(builtin.at.workspace, 'rev-parse', 'HEAD')).trim();
      const files = String(git(builtin.at.workspace, 'diff', '--name-only', base, sha))
        .trim()
        .split('\n')
        .map((name) => ({ path: name, oldPath: null }));
      return { sha, base, tree: '', message: '', diff: { files } } as unknown as Commit;
    },
    edits: async (
      commit: Commit,
      from = builtin.at.workspace,
      change: (turn: FoldedTurn) => void = () => {},
    ): Promise<EditReplay> => {
      const { run: made } = given({});
      const { turns } = foldTurns(await ledger.query.turns('r1'), []);
      turns.forEach(change);
      return replayEdits(
        { ...made, change: { ...made.change, commit } },
        turns,
        { events: [], attempts: await ledger.query.attempts('r1') },
        {
          apply: reapplyPatch,
          tree: async (sha) => {
            try {
              git(from, 'cat-file', '-e', sha);
            } catch {
              return null;
            }
            return {
              bytes: async (name) => {
                try {
                  return execFileSync('git', ['show', `${sha}:${name}`], { cwd: from, stdio: 'pipe' });
                } catch {
                  return null;
                }
              },
            };
          },
        },
      );
    },
  };
};
