/** Makes the row of an engine that speaks the Agent Client Protocol out of what is particular to it. */
import { MINUTE } from '#model/values';
import type { AgentCli } from '../shared/agent-cli.ts';
import { engineFailure, errorLineSuffix } from '../shared/engine-failure.ts';
import type { AcpAgent } from './acp-permission-request.ts';
import { converseAs } from './converse.ts';
import { applyAcpEvent } from './events.ts';

export const PLAIN_AGENT: AcpAgent = { says: [], mode: null };

/** Long pauses are normal while a model thinks or a command runs (ms). */
const ACP_SILENCE_LIMITS = { first: 3 * MINUTE, between: 20 * MINUTE };

const explainAcpFailure: AgentCli['explain'] = (end) => {
  if (/unknown (?:option|argument)|^Usage:|Options:/im.test(`${end.stderr}\n${end.stdout.slice(0, 2_000)}`))
    return engineFailure('bad_config', `It did not understand its arguments${errorLineSuffix(end)}`);
  return null;
};

const PAGE = {
  limits: 'before each request, with a key; without one by its own count, at the end of the turn',
  tokens: 'as it tells them, of each turn',
  cost: 'told by few; behind the gateway by its price list',
  readsLent: 'a key is not lent; a sign-in: yes',
  resumedBy: 'session, where the agent can',
} as const;

type UsualKey = 'silence' | 'read' | 'explain' | 'converse' | 'page';
type AcpRow = Omit<AgentCli, UsualKey> &
  Partial<Pick<AgentCli, 'silence'>> & {
    agent: AcpAgent;
    page: Omit<AgentCli['page'], keyof typeof PAGE> & Partial<AgentCli['page']>;
  };

export const defineAcpEngine = ({ agent, page, ...row }: AcpRow): AgentCli => ({
  silence: ACP_SILENCE_LIMITS,
  ...row,
  converse: converseAs(agent),
  read: applyAcpEvent,
  explain: explainAcpFailure,
  page: { ...PAGE, ...page },
});
