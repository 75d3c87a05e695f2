/** Asks the chats, the code host and the engines whether they can be used, as a running process does. */
import { MINUTE } from '#model/values';
import type { FailureClass } from '#model/failure';
import { OutsideFailure } from '#ports/forge';
import type { ForgeAdapter, ForgeRepository } from '#ports/roles';
import type { ChatAdapter, ChatConnection } from '#chat';
import type { ConfiguredEngineName } from '#engines';
import { type HostFinding, LANGUAGE_TEXTS, sayFindings } from '#language';
import type { CommandSandbox } from '#sandbox';
import type { WorkConfig } from '../config.ts';
import type { ConnectionAnswer, ConnectionCheck } from '../connection-monitor.ts';
import { checkEngine, listConfiguredEngines } from './engines.ts';

export type WatchedHost = {
  config: WorkConfig;
  chats: readonly { adapter: Pick<ChatAdapter, 'name'>; connection: Pick<ChatConnection, 'whoAmI'> }[];
  host: Pick<ForgeAdapter, 'name'>;
  forge: Pick<ForgeRepository, 'login'>;
  sandbox: CommandSandbox;
};

/** Outages that end by themselves. */
const PASSING: readonly FailureClass[] = ['forge_unavailable', 'chat_unavailable'];
const OUTSIDE_PROBE_PACE = { everyMs: MINUTE, awayMs: MINUTE / 4 };

/** Logs, health pages and the ledger are English. */
const findingsAnswer = (
  ...findings: readonly HostFinding[]
): { says: string; findings: readonly HostFinding[] } => ({
  says: sayFindings(LANGUAGE_TEXTS.en, findings),
  findings,
});

type Reached = Omit<Extract<ConnectionAnswer, { kind: 'reached' }>, 'kind'>;
/** A rate limit is not an outage. */
const askConnection = async (ask: () => Promise<Reached>): Promise<ConnectionAnswer> => {
  try {
    return { kind: 'reached', ...(await ask()) };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    if (error.class === 'rate_limited') return { kind: 'unclear', says: error.message };
    return {
      kind: 'away',
      says: error.message,
      ...(error.detail
        ? { findings: [{ kind: 'outside_failure', text: error.message, detail: error.detail }] }
        : {}),
      person: !PASSING.includes(error.class),
    };
  }
};

const probeEngine = async (
  name: ConfiguredEngineName,
  config: WorkConfig,
  sandbox: CommandSandbox,
  signal: AbortSignal,
): Promise<ConnectionAnswer> => {
  // The engine is `script` without a command when none was configured.
  if (name === 'script')
    return config.file.script
      ? { kind: 'reached', ...findingsAnswer({ kind: 'engine_ready', engine: name }) }
      : { kind: 'unclear', ...findingsAnswer({ kind: 'engine_unchosen' }) };
  const checks = await checkEngine(name, config, sandbox, signal);
  const wrong = checks.find(({ level }) => level === 'failed');
  if (wrong) return { kind: 'away', ...findingsAnswer(wrong.finding), person: true };
  const odd = checks.filter(({ level }) => level === 'warning').map(({ finding }) => finding);
  return { kind: 'reached', ...findingsAnswer({ kind: 'engine_ready', engine: name }, ...odd) };
};

export const listChatConnectionChecks = ({ chats }: WatchedHost): ConnectionCheck[] =>
  chats.map(({ adapter: { name: service }, connection }) => ({
    party: { kind: 'chat', name: service },
    ask: (signal) =>
      askConnection(async () =>
        findingsAnswer({ kind: 'chat_connected', service, name: await connection.whoAmI(signal) }),
      ),
    ...OUTSIDE_PROBE_PACE,
  }));

export const listForgeConnectionChecks = ({ host, forge }: WatchedHost): ConnectionCheck[] => [
  {
    party: { kind: 'forge', name: host.name },
    ask: () =>
      askConnection(async () => {
        const account = await forge.login();
        return { ...findingsAnswer({ kind: 'forge_connected', forge: host.name, account }), account };
      }),
    ...OUTSIDE_PROBE_PACE,
  },
];

export const listEngineConnectionChecks = ({ config, sandbox }: WatchedHost): ConnectionCheck[] =>
  (config.role === 'control' ? [] : listConfiguredEngines(config)).map((name) => ({
    party: { kind: 'engine', name },
    ask: (signal) => probeEngine(name, config, sandbox, signal),
    everyMs: 15 * MINUTE,
    awayMs: MINUTE,
  }));
