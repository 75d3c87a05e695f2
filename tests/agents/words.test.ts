/** E21: words of an operator to the real agents, with a scripted model; skipped where they are not installed. */
import { describe, expect } from 'vitest';
import { claudeCli } from '../../executors/engines/claude/claude.ts';
import { codexCli } from '../../executors/engines/codex/codex.ts';
import { opencodeCli } from '../../executors/engines/opencode/opencode.ts';
import type { AgentCli } from '../../executors/engines/shared/agent-cli.ts';
import { createAgentExecutor } from '../../executors/engines/shared/run-engine.ts';
import { BEST, createBench, createTestWords, MEND } from '../support/agent-round.ts';
import { createFakeModel } from '../support/fake-model.ts';
import { withAgent } from '../support/installed-agents.ts';

const KEY = 'sk-scripted-key';
const HELPER = 'HELPER-WORDS: use the helper.';
const REPORT = { report: { status: 'done', summary: 'with the helper', ran: [] } };
const AGENTS: readonly [string, AgentCli, string[], (url: string) => Record<string, string>][] = [
  [
    'claude',
    claudeCli,
    ['--model', 'claude-opus-5-5'],
    (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  ],
  [
    'codex',
    codexCli,
    ['-m', 'scripted-model'],
    (url) => ({ CODEX_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  ],
  [
    'opencode',
    opencodeCli,
    ['-m', 'own/scripted-model'],
    (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  ],
];

describe.each(AGENTS)('words to the real %s', (name, cli, args, env) => {
  const { program, test } = withAgent(name);
  test('E21: reach its model once, in the same conversation, and its edits stay', async () => {
    const model = await createFakeModel();
    const { words, heard, say } = createTestWords();
    let asked = 0;
    model.answers((body) => {
      const isTold = JSON.stringify(body).includes('HELPER-WORDS');
      if (!isTold) return { run: `echo step >> steps.txt; sleep 1` };
      asked += 1;
      return asked === 1 ? { run: MEND } : REPORT;
    });
    const { run, read } = await createBench(
      (deps) => createAgentExecutor(cli, deps),
      () => ({ command: program?.file, args, env: env(model.url) }),
      BEST,
    );
    let said = false;
    const first = await run({
      words,
      prompt: 'Mend the test.\n',
      onEvent: ({ type }) => {
        if (type !== 'progress' || said) return;
        said = true;
        say(HELPER);
      },
    });
    const done = first.interrupted ? await run({ session: first.session, prompt: `${HELPER}\n` }) : first;
    await model.close();
    expect(done).toMatchObject({ outcome: 'completed', summary: 'with the helper' });
    expect(done.session?.id).toBe(first.session?.id);
    expect(first.interrupted === true || heard.length === 1).toBe(true);
    expect(read('sum.js')).toContain('a + b');
    expect(read('steps.txt')).toContain('step');
    const last = JSON.stringify(
      model.requests.findLast(({ body }) => JSON.stringify(body).includes('HELPER'))?.body,
    );
    expect(last.split('HELPER-WORDS')).toHaveLength(2);
    expect(last).toContain('Mend the test.');
  });
});
