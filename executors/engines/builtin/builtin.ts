/** Engine `builtin`: our governed loop. The trusted process asks the model; tools run in the box. */
import { realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MINUTE } from '#model/values';
import type { AgentCli } from '../shared/agent-cli.ts';
import { ANTHROPIC_ENDPOINT, OPENAI_ENDPOINT, findConfiguredProvider } from '../shared/provider-endpoints.ts';
import { errorLineSuffix, engineFailure } from '../shared/engine-failure.ts';
import { applyLoopEvent } from './events.ts';
import { runGovernedLoop } from './run-loop.ts';
import { createSessionTest } from './restore-session.ts';
import { createFileRecorder } from './stored-session.ts';
import { findRequestedModel, readNamedModel } from './named-model.ts';

const MAIN = fileURLToPath(import.meta.resolve('#programs/box-tools'));
/** The box reads the sources of a checkout; a bundle has the package inside. */
const PACKAGES = MAIN.endsWith('.ts') ? [findPackageJSON('diff', import.meta.url) ?? MAIN] : [];
const TOOL_FOLDERS = [path.dirname(MAIN), ...PACKAGES].map((file) => path.dirname(file));

export const builtinCli: AgentCli = {
  program: 'builtin',
  readsInstructions: [],
  pictures: (args) => (args.includes('--no-pictures') ? null : 'attached'),
  ours: () => {
    const node = realpathSync(process.execPath);
    return { file: node, shown: [node, ...TOOL_FOLDERS.map((folder) => realpathSync(folder))] };
  },
  tried: null,
  install: 'nothing',
  signInBy: 'none',
  page: {
    takeWhen:
      'you want every command of the agent decided on, its model’s key nowhere near it, and nothing to install',
    cannot: 'sign in: it needs a key, or a model of your own; do more than 20 turns in a round',
    key: '`OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, with `-m <model>`',
    limits: 'before each request',
    memory: 'about 50 MB in its box, and 35 MB of AgentPR’s own while it is used',
    ownModel: '`OPENAI_BASE_URL` (chat completions) or `ANTHROPIC_BASE_URL`, with `-m <model>`',
    resumedBy: 'session',
    tokens: 'of each request, as the gateway counts them',
    cost: 'by the gateway’s price list',
    readsLent: 'nothing is lent',
    settings: 'set aside: it knows none',
  },
  directory: '.agentpr-builtin',
  signIn: 'none',
  lends: {
    plain: ['OPENAI_BASE_URL', 'OPENAI_MODEL', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'],
    keys: { openai: ['OPENAI_API_KEY'], anthropic: ['ANTHROPIC_API_KEY'] },
    provider: (args, env) => readNamedModel(args)?.provider ?? findConfiguredProvider(env),
    endpoints: { openai: OPENAI_ENDPOINT, anthropic: ANTHROPIC_ENDPOINT },
  },
  modelIn: (args, env) =>
    findRequestedModel(args, env, readNamedModel(args)?.provider ?? findConfiguredProvider(env)),
  silence: { first: 5 * MINUTE, between: 10 * MINUTE, command: 25 * MINUTE },
  recordsTurns: true,
  refuse: ({ directory, session, turns }) =>
    session !== null && !(turns ?? createFileRecorder(directory)).past.some(createSessionTest(session.id))
      ? engineFailure('session_lost', 'The conversation is not there any more.')
      : null,
  // The box gets neither the model's token nor its address.
  launch: () => ({ args: ['--no-warnings', MAIN], env: {} }),
  converse: runGovernedLoop,
  read: applyLoopEvent,
  explain: (end) => engineFailure('crashed', `The tools in the box ended too early${errorLineSuffix(end)}`),
};
