/** Plays a recorded conversation of a real agent: each of its lines when what it answered to has come. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentCli, AgentDeps } from '../../executors/engines/shared/agent-cli.ts';
import { createAgentExecutor } from '../../executors/engines/shared/run-engine.ts';
import { createBench, type Bench } from './agent-round.ts';

const PROGRAM = String.raw`
const fs = require('node:fs');
const steps = RECORDED;
const ids = new Map();
const play = () => {
  while (steps.length > 0 && steps[0].out) {
    const line = { ...steps.shift().out };
    if (line.method === undefined) line.id = ids.get(line.id);
    process.stdout.write(JSON.stringify(line) + '\n');
  }
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  fs.appendFileSync(process.env.HOME + '/heard.jsonl', text + '\n');
  const { in: expected = {} } = steps[0] ?? {};
  if (line.method !== expected.method) process.exit(9);
  if (line.method !== undefined) ids.set(expected.id, line.id);
  steps.shift();
  play();
}).on('close', () => process.exit(0));
`;

export type PlayerStage = Bench & {
  heard: () => { method?: string; params?: Record<string, unknown>; result?: unknown }[];
};

export const createPlayerStage = async (
  name: string,
  dialect: AgentCli,
  deps: Partial<AgentDeps> = {},
): Promise<PlayerStage> => {
  const steps = readFileSync(new URL(`../fixtures/conversations/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const bench = await createBench(
    (all) => createAgentExecutor(dialect, all),
    (at) => {
      const command = path.join(at.dataDir, 'player');
      const recorded = `[${steps.join(',')}]`.replaceAll('WORKSPACE', at.workspace);
      const program = PROGRAM.replace('RECORDED', () => recorded);
      writeFileSync(command, `#!/usr/bin/env node\n${program}`, { mode: 0o755 });
      return { command, tools: [path.dirname(process.execPath)], ...deps };
    },
    'group',
  );
  const heard: PlayerStage['heard'] = () =>
    readFileSync(path.join(bench.at.home, 'heard.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ReturnType<PlayerStage['heard']>[number]);
  return { ...bench, heard };
};
