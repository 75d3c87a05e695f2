/** The settings of an agent that speaks ACP. */
import path from 'node:path';
import { z } from 'zod';
import { isOwnVariable } from '../../process/credential-variables.ts';

const isInside = (name: string): boolean =>
  !path.isAbsolute(name) && name.split('/').every((part) => !['', '.', '..', '.git'].includes(part));

/** Settings that only `engines.acp` has. */
export const ACP_SETTINGS = {
  /** The agent's mode in which it asks before it runs a command. */
  mode: z.string().min(1).max(100).optional(),
  /** Paths that the agent would load from a repository and run. */
  setAside: z.array(z.string().max(200).refine(isInside, 'a path below the repository')).max(50).optional(),
  /** Its own names of variables: `{"MY_KEY": "${OPENAI_API_KEY}"}`. */
  variables: z
    .record(
      z
        .string()
        .regex(/^[A-Z_][A-Z0-9_]*$/)
        .refine((name) => !isOwnVariable(name), 'an agent may not see that'),
      z.string().max(4_000),
    )
    .optional(),
};
export type AcpSettings = {
  [Name in keyof typeof ACP_SETTINGS]?: z.infer<(typeof ACP_SETTINGS)[Name]>;
} & { command?: string | undefined };
