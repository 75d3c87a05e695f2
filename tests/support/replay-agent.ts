/** Feeds recorded agent output to its translator in awkward pieces, without a process. */
import { readFileSync } from 'node:fs';
import type { AgentCli } from '../../executors/engines/shared/agent-cli.ts';
import { classifyRoundEnd } from '../../executors/engines/shared/conclude-round.ts';
import type { EngineFailure } from '../../executors/engines/shared/engine-failure.ts';
import { createJsonLineSplitter } from '../../executors/engines/shared/line-splitter.ts';
import { createRoundReading, type RoundReading } from '../../executors/engines/shared/round-reading.ts';
import type { AgentSession } from '#model/reports';
import type { ProcessEnd } from '#ports/processes';

export const recording = (name: string): string =>
  readFileSync(new URL(`../fixtures/agents/${name}.jsonl`, import.meta.url), 'utf8');

export const endOf = (more: Partial<ProcessEnd> = {}): ProcessEnd => ({
  exitCode: 0,
  ended: 'exited',
  signal: null,
  ms: 1,
  stdout: '{}',
  stderr: '',
  ...more,
});

export type Replayed = { reading: RoundReading; failure: EngineFailure | null; told: string[] };

export const replay = (
  dialect: AgentCli,
  stdout: string,
  more: { session?: AgentSession | null; end?: Partial<ProcessEnd> } = {},
): Replayed => {
  let reading = createRoundReading(more.session ?? null);
  const told: string[] = [];
  const lines = (dialect.createLines ?? createJsonLineSplitter)((event) => {
    reading = dialect.read(reading, event);
    if (reading.says !== null) told.push(reading.says);
  });
  const bytes = Buffer.from(stdout);
  for (let at = 0; at < bytes.length; at += 97) lines.add(bytes.subarray(at, at + 97));
  lines.end();
  return { reading, failure: classifyRoundEnd(dialect, reading, endOf({ stdout, ...more.end }), null), told };
};

export const lines = (...events: object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
