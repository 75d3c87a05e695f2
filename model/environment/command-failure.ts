/** Explains a failed command by its output: missing tools, a broken install, or the change (E15). */
import { z } from 'zod';
import { FailureDetail } from '#model/failure';

/** A package that one registry lacks may be in another: `undecided`. */
export type StopFault = 'environment' | 'undecided' | 'install';

const COMMAND_FAILURE_KINDS = [
  'no_program',
  'no_network',
  /** A registry refuses us (401, 403), or is down (429, 5xx). */
  'registry_refused',
  'registry_down',
  'bad_certificate',
  'proxy_refuses',
  'wrong_version',
  'no_box',
  'no_room',
  /** SIGKILL from outside, as by the kernel that runs out of memory. */
  'killed',
  /** A limit of ours ended it: memory, processes, disk or output. */
  'over_limit',
  'stale_lockfile',
  'no_package',
  'not_installed',
  'fails',
] as const;

export const CommandFailure = z.object({
  kind: z.enum(COMMAND_FAILURE_KINDS),
  program: z.string().nullable(),
  /** First real error of the output; may be empty. */
  says: z.string(),
  /** The host that failed and its HTTP status, when given. */
  host: z.string().exactOptional(),
  status: z.number().exactOptional(),
  /** The limit that ended it. */
  limit: FailureDetail.exactOptional(),
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
  killed: 'environment',
  over_limit: 'environment',
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

export const registryFailureOf = ({
  kind,
  host,
}: Pick<CommandFailure, 'kind' | 'host'>): 'registry_refused' | 'registry_unavailable' | null =>
  kind === 'no_network' && host !== undefined
    ? 'registry_unavailable'
    : kind in OF_REGISTRY
      ? OF_REGISTRY[kind as keyof typeof OF_REGISTRY]
      : null;

export const registryWords = ({ host, status, says }: CommandFailure): string =>
  [host, status, says].filter((one) => one !== undefined && one !== '').join(': ');

/** Our machine is to blame: a change to the repository cannot fix it. */
export const isEnvironmentFailure = ({ kind }: CommandFailure): boolean =>
  FAILURE_ORIGIN[kind] === 'environment';
