/** Linters and formatters that take file names: what of a contract's command stays, and how they answer (E9). */
import { toPattern } from './pattern.ts';
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

type Told = NonNullable<ToolRow['linters']>[number];
type AnswerForm = { head?: RegExp; line: RegExp };

export type LinterRow = {
  program: string;
  checkOptions?: RegExp;
  files: RegExp;
  valued: readonly string[];
  alone?: RegExp;
  adds: readonly string[];
  says: AnswerForm;
  takes?: 'folders';
};

const FORMS: Readonly<Record<string, AnswerForm>> = {
  'at its line': { line: /^\s*(?<path>[^\s:][^:]*):(?<line>\d+)(?::\d+)*:? (?<text>\S.*)$/ },
  'below the path': { head: /^(?<path>\S.*)$/, line: /^\s+(?<line>\d+):\d+\s+(?<text>\S.*)$/ },
  'the path': { line: /^(?:[Ww]ould reformat:? )?(?<path>\S.*)$/ },
};

const toRow = (program: string, told: Told): LinterRow => ({
  program,
  ...(told.checksWith === undefined ? {} : { checkOptions: toPattern(told.checksWith) }),
  files: toPattern(told.files),
  valued: told.valued ?? [],
  ...(told.alone === undefined ? {} : { alone: toPattern(told.alone) }),
  adds: told.adds ?? [],
  says: FORMS[told.answers] ?? { line: toPattern(told.answers) },
  ...(told.takes === undefined ? {} : { takes: told.takes }),
});

export const linterRows = createRowTable((rows): readonly LinterRow[] =>
  rows.flatMap(({ names = [], linters = [] }) =>
    names.flatMap((name) =>
      linters.flatMap((told) =>
        (told.subcommands?.map((word) => `${name} ${word}`) ?? [name]).map((program) => toRow(program, told)),
      ),
    ),
  ),
);
