/** One agent round in a workspace with a failing test, in this machine's best sandbox. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { probeContainment } from '../../executors/sandbox/probe-containment.ts';
import type { AgentDeps } from '../../executors/engines/shared/agent-cli.ts';
import type { AgentSession } from '#model/reports';
import type {
  ArrivingWords,
  EngineExecutor,
  ExecutorDone,
  ExecutorEvent,
  PermissionAnswer,
  PermissionRequest,
  WeighedRequest,
} from '#ports/processes';
import type { TurnRecorder } from '#ports/records';
import { dataDirectory, sandboxOf, type Home } from './contained.ts';

export const { kind: BEST } = (await probeContainment()).profile;

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js': [
    "import assert from 'node:assert';",
    "import { test } from 'node:test';",
    "import { sum } from './sum.js';",
    "test('sum', () => assert.equal(sum(1, 2), 3));\n",
  ].join('\n'),
};
/** Commands that fix the workspace and verify the fix. */
export const MEND = "sed -i 's/a - b/a + b/' sum.js";
export const TEST = 'node --test 2>&1';

export type Round = {
  session?: AgentSession | null;
  writes?: 'change' | 'nothing';
  engineArgs?: string[];
  left?: { tokens: number | null; costUsd: number | null };
  prompt?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  onEvent?: (event: ExecutorEvent) => void;
  ask?: (request: PermissionRequest) => Promise<PermissionAnswer>;
  weigh?: (request: PermissionRequest) => Promise<WeighedRequest>;
  proposers?: readonly string[];
  turns?: TurnRecorder;
  map?: Parameters<EngineExecutor['run']>[0]['map'];
  /** Lies beside HOME, as in the product. */
  picture?: Uint8Array;
  words?: ArrivingWords;
  lint?: Parameters<EngineExecutor['run']>[0]['lint'];
};

/** Words that a test says; `heard` are the numbers that a conversation has. */
export const createTestWords = () => {
  let waiting: { no: number; text: string }[] = [];
  let call: (() => void) | null = null;
  let no = 0;
  const heard: number[] = [];
  const words: ArrivingWords = {
    take: () => Promise.resolve(waiting.splice(0)),
    onArrival: (listener) => {
      call = listener;
      if (waiting.length > 0) listener();
      return () => void (call = null);
    },
    heard: (nos) => void heard.push(...nos),
  };
  const say = (text: string): void => {
    no += 1;
    waiting = [...waiting, { no, text }];
    call?.();
  };
  return { words, heard, say };
};

export const pictureAt = ({ home }: Pick<Home, 'home'>) => ({
  file: path.join(path.dirname(home), 'pictures/picture.png'),
  mime: 'image/png',
});

export type Bench = {
  at: Home;
  read: (name: string) => string;
  write: (name: string, content: string) => void;
  run: (round?: Round) => Promise<ExecutorDone & { events: ExecutorEvent[]; told: string[] }>;
};

export const createBench = async (
  create: (deps: AgentDeps) => EngineExecutor,
  deps: (at: Home) => Omit<AgentDeps, 'sandbox'>,
  level: typeof BEST = BEST,
): Promise<Bench> => {
  const at = dataDirectory();
  const write = (name: string, content: string): void =>
    writeFileSync(path.join(at.workspace, name), content);
  for (const [name, content] of Object.entries(FILES)) write(name, content);
  const executor = create({ ...deps(at), sandbox: await sandboxOf(level, at.dataDir) });
  return {
    at,
    read: (name) => readFileSync(path.join(at.workspace, name), 'utf8'),
    write,
    run: async (round = {}) => {
      const events: ExecutorEvent[] = [];
      const done = await executor.run({
        runId: 'r1',
        engineArgs: round.engineArgs ?? [],
        prompt: round.prompt ?? 'Mend the test.\n',
        workspace: at.workspace,
        home: at.home,
        session: round.session ?? null,
        writes: round.writes ?? 'change',
        ...(round.left ? { left: round.left } : {}),
        timeoutMs: round.timeoutMs ?? 60_000,
        signal: round.signal ?? new AbortController().signal,
        ...(round.ask ? { ask: round.ask } : {}),
        ...(round.weigh ? { weigh: round.weigh } : {}),
        ...(round.proposers ? { proposers: round.proposers } : {}),
        ...(round.turns ? { turns: round.turns } : {}),
        ...(round.map ? { map: round.map } : {}),
        ...(round.picture ? { picture: { ...pictureAt(at), bytes: round.picture } } : {}),
        ...(round.words ? { words: round.words } : {}),
        ...(round.lint ? { lint: round.lint } : {}),
        onEvent: (event) => {
          events.push(event);
          round.onEvent?.(event);
        },
      });
      const told = events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));
      return { ...done, events, told };
    },
  };
};
