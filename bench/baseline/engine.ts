/** Creates the worker: the program of `tasks.ts`, or a real agent whose scripted model runs it. */
import { join, resolve } from 'node:path';
import { readRawEnvironment } from '../../cli/load-config.ts';
import { isAgentEngine, type ConfiguredEngineName } from '../../executors/engines/engine-settings.ts';
import { createFakeModel } from '../../tests/support/fake-model.ts';
import { afterTool, promptIn } from '../../tests/support/sample-model.ts';
import { goalIn } from './tasks.ts';

const END = 'END_OF_THE_PROMPT';
const KEY = 'sk-scripted-key';
const TASK = `'${process.execPath}' '${join(import.meta.dirname, 'tasks.ts')}'`;

export type Worker = { script: string; env: Record<string, string>; close(): Promise<void> };

/** `agents` is a folder with npm installations of the agents. */
export const createWorker = async (
  engine: ConfiguredEngineName,
  agents: string | undefined,
): Promise<Worker> => {
  if (!isAgentEngine(engine)) return { script: TASK, env: {}, close: () => Promise.resolve() };
  const model = await createFakeModel();
  model.answers((body) => {
    const prompt = promptIn(body);
    if (!afterTool(body)) return { run: `${TASK} <<'${END}'\n${prompt}\n${END}` };
    return { report: { status: 'done', summary: goalIn(JSON.stringify(body)) ?? 'Nothing', ran: [] } };
  });
  const bin = agents === undefined ? [] : [join(resolve(agents), 'node_modules/.bin')];
  return {
    script: TASK,
    env: {
      AGENTPR_ENGINE: engine,
      PATH: [...bin, readRawEnvironment()['PATH']].join(':'),
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: 'scripted-model',
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: model.url,
    },
    close: () => model.close(),
  };
};
