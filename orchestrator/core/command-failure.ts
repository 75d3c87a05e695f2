/**
 * E15: why a command of the repository did not do its work, as far as its output tells. What a
 * machine lacks, what a project cannot install, what was red before and what a change broke are
 * four different things.
 */
import { z } from 'zod';

/**
 * `environment`: the machine lacks something, and no change can fix it; `install`: the
 * project's own installation fails.
 */
export type StopFault = 'environment' | 'install';

export const COMMAND_FAILURE_KINDS = [
  'no_program',
  'no_network',
  /** A registry refuses us (401, 403), or does not work now (429, 5xx). */
  'registry_refused',
  'registry_down',
  /** Whoever answers shows a certificate that this machine does not trust, or the proxy refuses. */
  'bad_certificate',
  'proxy_refuses',
  'wrong_version',
  'no_box',
  'no_room',
  'stale_lockfile',
  'no_package',
  'not_installed',
  'fails',
] as const;

export const CommandFailure = z.object({
  kind: z.enum(COMMAND_FAILURE_KINDS),
  /** The program that is missing, or whose version does not fit; null where none is named. */
  program: z.string().nullable(),
  /** The first real error of the output, in the tool's own words; may be empty. */
  says: z.string(),
  /** Which registry or other host failed, and the HTTP status of its answer, where they are said. */
  host: z.string().exactOptional(),
  status: z.number().exactOptional(),
});
export type CommandFailure = z.infer<typeof CommandFailure>;

const FAILURE_ORIGIN: Readonly<Record<CommandFailure['kind'], 'environment' | null>> = {
  no_program: 'environment',
  no_network: 'environment',
  registry_refused: 'environment',
  registry_down: 'environment',
  bad_certificate: 'environment',
  proxy_refuses: 'environment',
  wrong_version: 'environment',
  no_box: 'environment',
  no_room: 'environment',
  stale_lockfile: null,
  no_package: null,
  not_installed: null,
  fails: null,
};
const OF_REGISTRY = {
  registry_refused: 'registry_refused',
  bad_certificate: 'registry_refused',
  proxy_refuses: 'registry_refused',
  registry_down: 'registry_unavailable',
} as const satisfies Partial<Record<CommandFailure['kind'], string>>;

/** How a run fails for it, where a registry or the way to it is to blame; null for all else. */
export const registryFailureOf = ({
  kind,
  host,
}: Pick<CommandFailure, 'kind' | 'host'>): 'registry_refused' | 'registry_unavailable' | null =>
  kind === 'no_network' && host !== undefined
    ? 'registry_unavailable'
    : kind in OF_REGISTRY
      ? OF_REGISTRY[kind as keyof typeof OF_REGISTRY]
      : null;

/** Which registry, what it answered and the tool's own words, in no language. */
export const registryWords = ({ host, status, says }: CommandFailure): string =>
  [host, status, says].filter((one) => one !== undefined && one !== '').join(': ');

/** Neither the repository nor an agent can fix it. */
export const isEnvironment = ({ kind }: CommandFailure): boolean => FAILURE_ORIGIN[kind] === 'environment';
