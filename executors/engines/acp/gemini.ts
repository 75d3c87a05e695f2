/** Engine `gemini`: Google's agent with a key, by the Agent Client Protocol. */
import { readdirSync, renameSync, rmSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { ensureRealDirectory, placeFile } from '../../process/home-files.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { findOptionValue } from '../shared/engine-credentials.ts';
import type { AcpAgent } from './acp-permission-request.ts';
import { defineAcpEngine } from './define-acp-engine.ts';

/** A provider is waited for outside of the box, so that a single try is made here. */
const GEMINI_SETTINGS = {
  security: {
    auth: { selectedType: 'gemini-api-key' },
    folderTrust: { enabled: false },
    disableAlwaysAllow: true,
  },
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    maxAttempts: 1,
    retryFetchErrors: false,
  },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ide: { enabled: false },
  model: { disableLoopDetection: true },
  tools: { shell: { enableInteractiveShell: false } },
  hooksConfig: { enabled: false },
  skills: { enabled: false },
  experimental: { enableAgents: false },
};

/** The next round would load files that an agent left in HOME. */
const LEFT_BEHIND_FILES = ['.env', '.gemini/settings.json'].concat(
  ['.env', 'GEMINI.md', 'commands', 'extensions', 'policies', 'skills', 'agents', 'hooks'].map(
    (name) => `.gemini/${name}`,
  ),
);

const entriesOf = (dir: string): Dirent[] => readdirSync(dir, { withFileTypes: true });
const foldersIn = (dir: string, isOne: (name: string) => boolean): string[] =>
  entriesOf(dir).flatMap((one) => (one.isDirectory() && isOne(one.name) ? [path.join(dir, one.name)] : []));

/** Within a minute it would begin the file of the conversation anew, so that gets a name of its own. */
const keepConversation = (directory: string, session: string): void => {
  const ending = `-${session.slice(0, 8)}.jsonl`;
  const chats = foldersIn(directory, (name) => name === 'tmp')
    .flatMap((tmp) => foldersIn(tmp, () => true))
    .flatMap((project) => foldersIn(project, (name) => name === 'chats'));
  for (const dir of chats) {
    const files = entriesOf(dir).flatMap((one) =>
      one.isFile() && one.name.endsWith(ending) ? one.name : [],
    );
    const [first, ...begun] = files.sort();
    for (const name of begun) rmSync(path.join(dir, name), { force: true });
    if (first !== undefined) renameSync(path.join(dir, first), path.join(dir, `session-0${ending}`));
  }
};

export const GEMINI_AGENT: AcpAgent = { says: [], mode: 'autoEdit', asksByTitle: true };

export const geminiCli: AgentCli = defineAcpEngine({
  agent: GEMINI_AGENT,
  program: 'gemini',
  forgetsCancelled: true,
  readsInstructions: ['GEMINI.md'],
  tried: '0.61.0',
  install: 'npm i -g @google/gemini-cli@0.61.0',
  signInBy: 'none',
  page: {
    takeWhen: 'you have a key of Google, and want to be asked before it runs a command',
    cannot:
      'use a Google account: its sign-in opens more than models, and no box is ever lent it; go on while you are asked: its turn ends, and is resumed when you answer',
    memory: '220 to 350 MB',
    key: '`GEMINI_API_KEY`, with `-m <model>`',
    ownModel: '`GOOGLE_GEMINI_BASE_URL`, with `-m <model>`: a server that speaks Google’s protocol',
    readsLent: 'a key is not lent',
    settings: 'set aside, `.env` too; refused without a box',
  },
  directory: '.gemini',
  signIn: 'auth.json',
  lends: {
    plain: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_MODEL'],
    keys: { google: ['GEMINI_API_KEY'] },
    provider: () => 'google',
    endpoints: {
      google: {
        shapes: ['google'],
        usual: 'https://generativelanguage.googleapis.com/v1beta',
        variable: 'GOOGLE_GEMINI_BASE_URL',
        bare: '/v1beta',
        keys: ['GEMINI_API_KEY'],
      },
    },
  },
  modelIn: (args, env) => findOptionValue(args, '-m', '--model') ?? env.GEMINI_MODEL ?? null,
  // Its `.env` names a file for the system prompt, and how commands are run.
  obeys: ['.gemini', '.env'],
  launch: ({ home, session, args, deps }) => {
    for (const left of LEFT_BEHIND_FILES) rmSync(path.join(home, left), { recursive: true, force: true });
    const directory = ensureRealDirectory(home, '.gemini');
    placeFile(directory, 'settings.json', JSON.stringify(GEMINI_SETTINGS));
    if (session !== null) keepConversation(directory, session.id);
    return {
      args: ['--acp', ...args],
      env: { ...deps.env, GEMINI_CLI_NO_RELAUNCH: 'true' },
    };
  },
});
