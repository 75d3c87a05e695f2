/** O10: a commit that broke its reader is read again by a person's retry alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemTimers } from '../../../app/clock.ts';
import { createReaderThreads } from '../../../executors/process/reader-threads.ts';
import { createRepositoryReader } from '../../../executors/git/reader/repository-reader.ts';
import type { Run } from '#run';
import type { Input } from '#inputs';
import { type EffectHandlers, createSubmitInput } from '#runtime';
import { ENGLISH_WORDING } from '#language';
import { ForkSettings } from '#model/pull';
import { createDiscoverHandler } from '../../../orchestrator/kernel/preparation/discover.effect.ts';
import type { EffectContext } from '#kernel';
import { createDispatch } from '../../../orchestrator/kernel/runtime/dispatch.ts';
import type { RepositoryReader } from '#ports/workspaces';
import { createWorld, write, type World } from '../../support/git-world.ts';
import { anOrder, openOnDisk, type Opened } from '../../support/ledger.ts';

/** A guide that nobody reads within a millisecond. */
const GUIDE = 'Please note that all contributions must be discussed, and only then sent. '.repeat(3_000);
const hurried = createReaderThreads({ threads: 1, fileMs: 1 });
const patient = createReaderThreads({ threads: 1 });

let world: World;
let opened: Opened;
beforeAll(async () => {
  world = await createWorld();
  opened = await openOnDisk();
});
afterAll(async () => {
  await Promise.all([hurried.end(), patient.end()]);
  await opened.close();
  await world.close();
});

it('O10: it is remembered over runs and restarts, and read again where a person retries', async () => {
  const { name, cloneUrl } = world.repo('slow', { 'CONTRIBUTING.md': GUIDE });
  const clock = { now: () => Date.now() };
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  let asked = 0;
  let reader: RepositoryReader = createRepositoryReader(hurried);
  const counting: RepositoryReader = {
    ...reader,
    contract: (texts) => {
      asked += 1;
      return reader.contract(texts);
    },
  };
  let ledger = opened.ledger;
  const facts = { id: '1', name, cloneUrl, defaultBranch: 'main', archived: false, mayPush: true };
  const open = () => {
    let hear: (run: Run) => void = () => {};
    const ids = { runId: () => 'x', nonce: () => 'n'.repeat(16) };
    const submit = createSubmitInput({ ledger, clock, ids, onWritten: (run) => hear(run) });
    const forge = {
      repo: async () => facts,
      files: async () => [],
      wantsSigned: async () => false,
      pastPulls: async () => [],
    };
    const parts = {
      ledger,
      clock,
      workspaces: world.workspaces,
      texts: { reader: counting },
      agents: { engines: { script: {} } },
      forge,
      settings: { forks: ForkSettings.parse({}) },
    } as unknown as EffectContext;
    const dispatch = createDispatch({
      ledger,
      clock,
      log: silent,
      heavyCap: 1,
      report: async () => undefined,
      timers: systemTimers,
      submit,
      handlers: { discover: createDiscoverHandler(parts) } as unknown as EffectHandlers,
      kinds: (kind) => kind === 'discover',
    });
    let keys = 0;
    const offer = (runId: string, input: Input): Promise<unknown> =>
      submit({ runId, input, key: `${runId}:${asked}:${(keys += 1)}`, cause: { kind: 'none' } });
    const discovered = async (runId: string, input: Input): Promise<Run> => {
      await offer(runId, input);
      const moved = new Promise<Run>((resolve) => {
        hear = (run) =>
          !['reading_repository', 'retried'].includes(run.lifecycle.reason.kind) && resolve(run);
      });
      dispatch.wake();
      return moved;
    };
    return {
      stop: () => dispatch.stop(),
      discovered,
      order: async (runId: string): Promise<Run> => {
        const order = anOrder({ repo: name });
        await offer(runId, { type: 'command.run.create', runId, order });
        return discovered(runId, { type: 'command.discovery.start' });
      },
    };
  };

  const first = open();
  const one = await first.order('r1');
  expect(one.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  const { reason } = one.lifecycle;
  expect(reason).toMatchObject({ kind: 'repository_unreadable', limit: 'time', foundInRun: null });
  // On a busy machine another file may be the first that takes longer.
  const file = reason.kind === 'repository_unreadable' ? reason.file : null;
  expect(ENGLISH_WORDING.reason(reason)).toContain(`The file ${file} could not be read within`);
  expect(asked).toBe(1);

  const two = await first.order('r2');
  expect(two.lifecycle.reason).toMatchObject({ kind: 'repository_unreadable', foundInRun: 'r1' });
  expect(two.target.readFailure).toBeUndefined();
  await first.stop();

  ledger = await opened.restart();
  reader = createRepositoryReader(patient);
  const second = open();
  expect((await second.order('r3')).lifecycle.reason).toMatchObject({
    kind: 'repository_unreadable',
    foundInRun: 'r1',
  });
  expect(asked).toBe(1);

  const by = { id: '7', name: 'Ana' };
  const retried = await second.discovered('r1', { type: 'command.retry', by, target: null });
  expect(retried.target.contract?.rules).toMatchObject([{ file: 'CONTRIBUTING.md' }]);
  expect(retried.target.readFailure).toBeUndefined();
  expect((await second.order('r4')).target.contract).not.toBeNull();
  await second.stop();
});

/** Rules in `folders` folders, one in the other, each of them with its own. */
const attributes = (folders: number, rules: number) => {
  const dirs = Array.from({ length: folders }, (_, d) =>
    Array.from({ length: d + 1 }, (__, i) => `d${i}`).join('/'),
  );
  const files = dirs.map((dir, d): [string, string] => [
    `${dir}/.gitattributes`,
    Array.from({ length: rules }, (_, i) => `*${d}?*${i}* filter=x\n`).join(''),
  ]);
  return { deepest: dirs.at(-1) ?? '', files: Object.fromEntries(files) };
};

it('O10: rules in folders that lie in folders are read, and those of the changed paths alone', async () => {
  const { deepest, files } = attributes(30, 450);
  const repo = world.repo('rules', { ...files, 'aside/.gitattributes': '* filter=y\n' });
  const { ws, sha } = await world.prepare('rules', repo);
  write(ws, { [`${deepest}/a29x7.txt`]: 'raw\n', [`${deepest}/plain.txt`]: 'raw\n' });
  const harvest = await world.harvest('rules', sha);
  expect(harvest).toMatchObject({ kind: 'commit' });
  const found = harvest.kind === 'commit' ? harvest.commit.diff.findings : [];
  expect(found.filter((f) => f.kind === 'filter_raw').map((f) => f.path)).toEqual([`${deepest}/a29x7.txt`]);
});

it('O10: more rules than anybody has stop the change, and are kept nowhere', async () => {
  const { deepest, files } = attributes(30, 13_500);
  const repo = world.repo('bomb', files);
  const { ws, sha } = await world.prepare('bomb', repo);
  write(ws, { [`${deepest}/a.txt`]: 'raw\n' });
  await expect(world.harvest('bomb', sha)).rejects.toMatchObject({
    class: 'repository_unreadable',
    unreadable: { file: '.gitattributes', limit: 'size', limitValue: 4 },
  });
  // A change that lies aside does not meet them.
  write(ws, { 'b.txt': 'raw\n' });
  rmSync(join(ws, deepest, 'a.txt'));
  expect(await world.harvest('bomb', sha)).toMatchObject({ kind: 'commit' });
});
