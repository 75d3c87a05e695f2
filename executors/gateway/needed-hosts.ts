/** Hosts that agent programs call for themselves (telemetry, updates), as observed. */
import { z } from 'zod';
import hosts from './agent-hosts.json' with { type: 'json' };
import type { RefusedHost } from './gateway.ts';
import { isListedHost, parseHostPort } from './listed-hosts.ts';

const AgentHosts = z.strictObject({
  own: z.array(z.string()),
  /** Commands of the agent may need these too. */
  shared: z.array(z.string()),
});
type AgentHosts = z.infer<typeof AgentHosts>;

const REPORTS: readonly string[] = hosts.reports;
const HOSTS_BY_PROGRAM: Readonly<Record<string, AgentHosts>> = z
  .record(z.string(), AgentHosts)
  .parse(hosts.programs);

const ALL_AGENT_HOSTS: AgentHosts = {
  own: Object.values(HOSTS_BY_PROGRAM).flatMap(({ own }) => own),
  shared: Object.values(HOSTS_BY_PROGRAM).flatMap(({ shared }) => shared),
};

const hostsOf = (program: string): AgentHosts => {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return Object.hasOwn(HOSTS_BY_PROGRAM, name)
    ? (HOSTS_BY_PROGRAM[name] ?? ALL_AGENT_HOSTS)
    : ALL_AGENT_HOSTS;
};

const isOneOf = (patterns: readonly string[], name: string): boolean =>
  isListedHost(patterns, { name, port: 443 });

/** Keeps only refused hosts that the work needed, by the printed commands and errors. */
export const selectNeededHosts = (
  refused: readonly RefusedHost[],
  program: string,
  said: string,
): readonly RefusedHost[] => {
  const { own, shared } = hostsOf(program);
  return refused.filter(({ host }) => {
    const name = parseHostPort(host)?.name ?? host;
    // guard: E16-own-hosts-not-advertised
    if (isOneOf(REPORTS, name) || isOneOf(own, name)) return false;
    return !isOneOf(shared, name) || said.includes(name);
  });
};
