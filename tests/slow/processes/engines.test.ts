/** The engines as an operator sets them up: what each may see, and which sign-in it gets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createEngines, type OperatorEnvironment } from '../../../executors/engines/engines.ts';
import { AgentSettings } from '../../../executors/engines/engine-settings.ts';
import { createStage } from '../../support/agent-contract.ts';

const OPERATOR: OperatorEnvironment['env'] = {
  GITHUB_TOKEN: 'ghp_operator',
  TELEGRAM_BOT_TOKEN: '1:operator',
  ANTHROPIC_API_KEY: 'sk-ant',
  CODEX_API_KEY: 'sk-codex',
  OTHER_KEY: 'sk-other',
  PATH: '/usr/bin',
};
const LENT = `fs.writeFileSync('lent', String(fs.existsSync(process.env.CODEX_HOME + '/auth.json')));`;

const stage = (env: OperatorEnvironment['env'], settings: object = {}) =>
  createStage(
    {
      name: 'codex',
      create: (deps) => {
        const { command, sandbox, tools } = deps;
        const home = path.join(path.dirname(command ?? ''), 'operator');
        mkdirSync(path.join(home, '.codex'), { recursive: true });
        writeFileSync(path.join(home, '.codex/auth.json'), '{}');
        const codex = AgentSettings.parse({ command, ...settings });
        return createEngines({ sandbox, tools: tools ?? [] }, { env, home }, { codex }).codex;
      },
    },
    LENT,
  );

it('G5: an agent sees its own key and what was named for it, and no other secret of the operator', async () => {
  const { run, seen, read } = await stage(OPERATOR, { env: ['OTHER_KEY'], args: ['-m', 'gpt'] });
  await run();
  expect(seen().env).toMatchObject({ CODEX_API_KEY: 'sk-codex', OTHER_KEY: 'sk-other' });
  expect(JSON.stringify(seen().env)).not.toMatch(/operator"|sk-ant|ghp_/);
  expect(seen().argv).toContain('gpt');
  expect(read('lent')).toBe('false');
});

it('an agent gets the sign-in of the operator when there is no key', async () => {
  const { run, read } = await stage({ PATH: '/usr/bin' });
  await run();
  expect(read('lent')).toBe('true');
});

it('G5: settings cannot name what the orchestrator alone may know', () => {
  const own = ['GITHUB_TOKEN', 'GH_TOKEN', 'TELEGRAM_BOT_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'];
  for (const name of [...own, 'AGENTPR_DATA_DIR', 'DATABASE_URL', 'OTEL_EXPORTER_OTLP_HEADERS'])
    expect(AgentSettings.safeParse({ env: [name] }).success, name).toBe(false);
  expect(AgentSettings.safeParse({ model: 'x' }).success).toBe(false);
});
