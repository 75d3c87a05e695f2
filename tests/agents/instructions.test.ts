/**
 * What the real programs read of a repository's words to coding agents under our flags: what they do
 * not read is told to them in the prompt, so it has to be known exactly.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import { createAgentExecutor } from '../../executors/engines/shared/run-engine.ts';
import { instructionPaths } from '../../orchestrator/briefing/repository-instructions.ts';
import { createBench } from '../support/agent-round.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { withAgent } from '../support/installed-agents.ts';
import { SCRIPTED_AGENTS } from '../support/scripted-agents.ts';

const REPORT = { report: { status: 'done', summary: 'Read it', ran: [] } };
const FILES = [
  ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md', '.claude/CLAUDE.md'],
  ...['.github/copilot-instructions.md', '.github/instructions/all.instructions.md'],
  ...['src/AGENTS.md', 'src/CLAUDE.md'],
];

const PROGRAMS = ['codex', 'claude', 'opencode', 'qwen', 'copilot', 'gemini'] as const;

let model: FakeModel;
beforeAll(async () => {
  model = await createFakeModel();
});
afterAll(() => model.close());

describe.each(PROGRAMS)('the real %s', (name) => {
  const { env, args } = SCRIPTED_AGENTS[name];
  const { program, test } = withAgent(AGENT_CLIS[name].program);

  /** The files whose words reach its model in a round that works below `src`. */
  const heard = async (files: readonly string[]): Promise<string[]> => {
    const tools = [path.dirname(process.execPath)];
    const deps = { command: program?.file, tools, env: env(model.url), args };
    const bench = await createBench(
      (given) => createAgentExecutor(AGENT_CLIS[name], given),
      () => deps,
    );
    const { workspace } = bench.at;
    execFileSync('git', ['init', '-q', workspace]);
    const word = (file: string): string => `WORDS-${files.indexOf(file)}-OF-IT`;
    mkdirSync(path.join(workspace, 'src'));
    for (const file of files) {
      mkdirSync(path.join(workspace, path.dirname(file)), { recursive: true });
      const whole = file.endsWith('.instructions.md') ? '---\napplyTo: "**"\n---\n' : '';
      bench.write(file, `${whole}${word(file)}\n`);
    }
    bench.write('src/a.js', 'export const a = 1;\n');
    const before = model.requests.length;
    model.plays({ run: 'cat src/a.js' }, REPORT);
    const ask = () => Promise.resolve({ kind: 'allow' } as const);
    expect(await bench.run({ ask })).toMatchObject({ outcome: 'completed' });
    const said = JSON.stringify(model.requests.slice(before));
    return files.filter((file) => said.includes(word(file)));
  };

  test('P5: reads exactly what we do not tell it', async () => {
    const told = instructionPaths(FILES, AGENT_CLIS[name].readsInstructions);
    expect((await heard(FILES)).sort()).toEqual(FILES.filter((file) => !told.includes(file)).sort());
  });

  if (name === 'codex')
    test('P5: reads an override in place of what it overrides', async () => {
      expect(await heard(['AGENTS.md', 'AGENTS.override.md'])).toEqual(['AGENTS.override.md']);
    });
});
