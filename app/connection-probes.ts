/**
 * How `start` finds out what it can work with: Telegram, the code host, and each engine in use; and
 * how a console is told.
 */
import type { WorkConfig } from './config.ts';
import type { ConnectionAnswer, ConnectionStatus, ConnectionCheck, ConnectionParty } from './connections.ts';
import type { ConfiguredEngineName } from '#engines';
import type { CommandSandbox } from '#sandbox';
import { OutsideFailure, type ForgePort, refusedBy } from '../orchestrator/ports.ts';
import { engineCheck, enginesOf } from './engine-checks.ts';
import { MINUTE } from '../orchestrator/core/units.ts';

const OUTSIDE_PROBE_PACE = { everyMs: MINUTE, awayMs: MINUTE / 4 };

export const nameOf = ({ kind, name }: ConnectionParty): string =>
  kind === 'engine' ? `engine ${name}` : name;

type Reached = Omit<Extract<ConnectionAnswer, { kind: 'reached' }>, 'kind'>;
/** What somebody outside says, or why nobody does. Patience that was asked for is no absence. */
const asked = async (ask: () => Promise<Reached>): Promise<ConnectionAnswer> => {
  try {
    return { kind: 'reached', ...(await ask()) };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    if (error.class === 'rate_limited') return { kind: 'unclear', says: error.message };
    return {
      kind: 'away',
      says: error.message,
      person: error.class !== 'forge_unavailable',
      ...refusedBy(error),
    };
  }
};

/** `script` without a command is what is left where nobody has chosen. */
const NO_ENGINE =
  'no engine is chosen: AGENTPR_ENGINE in .env names one (codex, claude, opencode, …), and agentpr init finds those of this machine; until then each run brings its own';

const engine = async (
  name: ConfiguredEngineName,
  config: WorkConfig,
  sandbox: CommandSandbox,
  signal: AbortSignal,
): Promise<ConnectionAnswer> => {
  if (name === 'script')
    return config.file.script
      ? { kind: 'reached', says: 'engine script ready' }
      : { kind: 'unclear', says: NO_ENGINE };
  const checks = await engineCheck(name, config, sandbox, signal);
  const wrong = checks.find(({ ok }) => !ok);
  if (wrong) return { kind: 'away', says: `${wrong.says}. ${wrong.fix}`, person: true };
  const odd = checks.filter(({ fix }) => fix !== '').map(({ says }) => says);
  return { kind: 'reached', says: `engine ${name} ready${odd.length > 0 ? ` (${odd.join('; ')})` : ''}` };
};

type LooksParts = {
  config: WorkConfig;
  /** Null for a worker, which talks to nobody. */
  bot: { whoAmI(signal: AbortSignal): Promise<string> } | null;
  forge: Pick<ForgePort, 'login'>;
  sandbox: CommandSandbox;
};

/** Engines are where work is done: a control has none. */
export const connectionProbes = ({ config, bot, forge, sandbox }: LooksParts): ConnectionCheck[] => [
  ...(bot
    ? [
        {
          party: { kind: 'chat', name: 'Telegram' } as const,
          ask: (signal: AbortSignal) =>
            asked(async () => ({ says: `@${await bot.whoAmI(signal)} connected` })),
          ...OUTSIDE_PROBE_PACE,
        },
      ]
    : []),
  {
    party: { kind: 'forge', name: 'GitHub' },
    ask: () =>
      asked(async () => {
        const account = await forge.login();
        return { says: `GitHub as ${account}`, account };
      }),
    ...OUTSIDE_PROBE_PACE,
  },
  ...(config.role === 'control' ? [] : enginesOf(config)).map((name): ConnectionCheck => ({
    party: { kind: 'engine', name },
    ask: (signal) => engine(name, config, sandbox, signal),
    // It starts programs, and nobody signs out an engine without knowing it.
    everyMs: 15 * MINUTE,
    awayMs: MINUTE,
  })),
];

const sentence = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** All of them: one line for those that can be used, and one for each that cannot. */
export const summariseConnections = (all: readonly ConnectionStatus[]): string[] => {
  const here = all.filter(({ state }) => state === 'reached').map(({ says }) => says);
  const away = all.filter(({ state }) => state !== 'reached').map(describeConnection);
  return [...(here.length > 0 ? [here.join(' · ')] : []), ...away];
};

/** One of them, as it is now. */
export const describeConnection = ({ party, state, says }: ConnectionStatus): string =>
  state === 'reached' ? sentence(says) : `${nameOf(party)} cannot be used: ${sentence(says)}`;
