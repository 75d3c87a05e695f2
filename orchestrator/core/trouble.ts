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

export const TROUBLES = [
  'no_program',
  'no_network',
  'wrong_version',
  'no_box',
  'no_room',
  'stale_lockfile',
  'no_package',
  'not_installed',
  'fails',
] as const;

export const Complaint = z.object({
  kind: z.enum(TROUBLES),
  /** The program that is missing, or whose version does not fit; null where none is named. */
  program: z.string().nullable(),
  /** The first real error of the output, in the tool's own words; may be empty. */
  says: z.string(),
});
export type Complaint = z.infer<typeof Complaint>;

const OF: Readonly<Record<Complaint['kind'], 'environment' | null>> = {
  no_program: 'environment',
  no_network: 'environment',
  wrong_version: 'environment',
  no_box: 'environment',
  no_room: 'environment',
  stale_lockfile: null,
  no_package: null,
  not_installed: null,
  fails: null,
};
/** Neither the repository nor an agent can fix it. */
export const isEnvironment = ({ kind }: Complaint): boolean => OF[kind] === 'environment';
