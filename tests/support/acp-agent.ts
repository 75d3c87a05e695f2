/** A small agent that speaks the Agent Client Protocol; tests script it, also dishonestly. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acpCli } from '../../executors/engines/acp/acp.ts';
import { createAgentExecutor } from '../../executors/engines/shared/run-engine.ts';
import type { AgentDeps, AgentCli } from '../../executors/engines/shared/agent-cli.ts';
import type { BoxKind } from '../../executors/sandbox/wrap-command.ts';
import { createBench, type Bench } from './agent-round.ts';

/** The body runs once per turn and returns the stop reason. */
const PROGRAM = String.raw`
const fs = require('node:fs');
const argv = process.argv.slice(2);
const seen = [];
const note = (message) => { seen.push(message); fs.writeFileSync(process.env.HOME + '/seen.json', JSON.stringify(seen)); };
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
let sessionId = 'made-1';
let next = 0;
let turns = 0;
let cancelled = false;
const waiting = new Map();
const update = (one) => send({ method: 'session/update', params: { sessionId, update: one } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const report = (summary = 'all is well') => say(JSON.stringify({ status: 'done', summary, ran: [] }));
const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
/** Resolves with the option that was chosen, or 'cancelled'. */
const permit = (rawInput, more = {}, options = OPTIONS) => {
  const id = 'q' + ++next;
  send({ id, method: 'session/request_permission',
    params: { sessionId, toolCall: { toolCallId: 'call-' + next, title: 'Read a file', kind: 'execute', status: 'pending', rawInput, ...more }, options } });
  return new Promise((resolve) => waiting.set(id, (m) => resolve(m.result?.outcome?.optionId ?? 'cancelled')));
};
/** As an agent runs a command: asked about first, then told of. */
const run = async (command) => {
  const chosen = await permit({ command });
  if (chosen === 'once') require('node:child_process').execSync(command, { stdio: 'ignore' });
  return chosen;
};
const turn = async (text, n) => { BODY };
const ANSWERS = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } }, ...START }),
  'session/new': () => ({ sessionId, ...SESSION }),
  'session/resume': (p) => ((sessionId = p.sessionId), {}),
  'session/set_mode': () => ({}),
  'session/prompt': async (p) => {
    const end = await turn(p.prompt.map((one) => one.text).join(''), ++turns);
    return typeof end === 'string' ? { stopReason: end } : { stopReason: 'end_turn', ...end };
  },
};
BEFORE
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  note(message);
  if (message.method === 'session/cancel') cancelled = true;
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (message.id === undefined) return;
  try { send({ id: message.id, result: await ANSWERS[message.method](message.params) }); }
  catch (error) { send({ id: message.id, error: { code: error.code ?? -32603, message: error.message, data: error.data } }); }
}).on('close', () => process.exit(0));
`;

/** `before` runs once, before the first message. */
export type AcpScript = { turn: string; start?: object; session?: object; before?: string };
export const acpAgent = ({ turn, start = {}, session = {}, before = '' }: AcpScript): string =>
  `#!/usr/bin/env node\n${PROGRAM.replace('BODY', () => turn)
    .replace('BEFORE', () => before)
    .replace('...START', () => `...${JSON.stringify(start)}`)
    .replace('...SESSION', () => `...${JSON.stringify(session)}`)}`;

export type AcpStage = Bench & {
  /** Messages that the agent got, oldest first. */
  seen: () => { id?: unknown; method?: string; params?: Record<string, unknown>; result?: unknown }[];
};

export const createAcpStage = async (
  script: AcpScript,
  deps: Partial<AgentDeps> = {},
  dialect: AgentCli = acpCli,
  level: BoxKind = 'group',
): Promise<AcpStage> => {
  const bench = await createBench(
    (all) => createAgentExecutor(dialect, all),
    (at) => {
      const command = path.join(at.dataDir, 'acp-agent');
      writeFileSync(command, acpAgent(script), { mode: 0o755 });
      return { command, tools: [path.dirname(process.execPath)], ...deps };
    },
    level,
  );
  const seen: AcpStage['seen'] = () =>
    JSON.parse(readFileSync(path.join(bench.at.home, 'seen.json'), 'utf8')) as ReturnType<AcpStage['seen']>;
  return { ...bench, seen };
};
