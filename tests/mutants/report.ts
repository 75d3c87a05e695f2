/** Reads what Stryker reports of its mutants. */
import { z } from 'zod';

const Place = z.object({ line: z.number(), column: z.number() });
const Report = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({ start: Place, end: Place }),
        }),
      ),
    }),
  ),
});

/**
 * `text` is the whole line that it begins on; `code` what stood there, `put` what was put in its
 * place.
 */
export type Mutant = {
  file: string;
  line: number;
  text: string;
  code: string;
  put: string;
  mutator: string;
  status: string;
};

const between = (
  lines: readonly string[],
  from: z.infer<typeof Place>,
  to: z.infer<typeof Place>,
): string => {
  const some = lines.slice(from.line - 1, to.line);
  const last = some.length - 1;
  return some
    .map((line, i) =>
      line.slice(i === 0 ? from.column - 1 : 0, i === last ? to.column - 1 : undefined).trim(),
    )
    .join(' ');
};

export const read = (json: string): Mutant[] =>
  Object.entries(Report.parse(JSON.parse(json)).files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map(({ location: { start, end }, mutatorName, replacement = '', status }) => ({
      file,
      line: start.line,
      text: lines[start.line - 1] ?? '',
      code: between(lines, start, end),
      put: replacement,
      mutator: mutatorName,
      status,
    }));
  });

export const killed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
export const alive = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';
