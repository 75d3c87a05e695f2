/** Recognises by their output test runners that ran no test, ran some, or had some fail (E19). */
import { toPattern } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

export type TestResults = Readonly<
  Record<'noTests' | 'someTests' | 'someTestsUnlessCounted' | 'countedBy' | 'failures', readonly RegExp[]>
>;
type Told = NonNullable<ToolRow['testResults']>;

const patternsOf = (examples: Readonly<Record<string, string>> = {}): RegExp[] =>
  Object.keys(examples).map((text) => toPattern(text));

const toResults = (told: Told): TestResults => ({
  noTests: patternsOf(told.noTests),
  someTests: patternsOf(told.someTests),
  someTestsUnlessCounted: patternsOf(told.someTestsUnlessCounted),
  countedBy: patternsOf(told.countedBy),
  failures: patternsOf(told.failures),
});

/** `starters` start other programs: what those count weighs more than that something was started. */
export const readTestResults = createRowTable((rows) => {
  const all = rows.flatMap(({ testResults }) => testResults ?? []);
  const selectResults = ({ starts }: { starts: boolean }): TestResults[] =>
    all.filter(({ startsOthers = false }) => startsOthers === starts).map(toResults);
  return {
    runners: selectResults({ starts: false }),
    starters: selectResults({ starts: true }),
    /** Each captures how many tests there are, and matches where as many were skipped. */
    allSkipped: all.flatMap(({ allSkipped }) => patternsOf(allSkipped)),
  };
});
