/** Prints the results of `agentpr run list` and `agentpr run show`. */
import { readAttemptGrades } from '#reports';
import type { LanguageTexts } from '#language';
import { findEnding } from '#views';
import { sayRecord } from '#chat-text';
import { repositoryOf, type Run } from '#run';
import { openReader } from '#db';
import { listDecidingReasons } from '#governor';
import type { Grade } from '#model/assessment';
import { readDatabaseUrl, resolveDataDir } from './load-config.ts';
import { printRedacted, escapeControlCharacters, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { toListedRun } from './listed-run.ts';

export type CommonOptions = { json?: boolean; data?: string };

type Reader = ReturnType<typeof openReader>;
export const withLedgerReader = async <T>(
  options: CommonOptions,
  read: (ledger: Reader) => Promise<T>,
): Promise<T> => {
  const ledger = openReader(resolveDataDir(options.data), { database: readDatabaseUrl() });
  try {
    return await read(ledger);
  } finally {
    await ledger.close();
  }
};

/** A run that a person ended is called denied or cancelled, not failed. */
const describeStanding = (run: Run): string => findEnding(run, cliWords())?.title ?? run.lifecycle.state;

const formatRunLine = (run: Run): string =>
  `${run.id}  ${describeStanding(run).padEnd(18)}  ${repositoryOf(run)}  ${run.upstream.pullRequest ? `${run.upstream.pullRequest.id} ` : ''}${run.order.goal.split('\n')[0] ?? ''}`;

export const printRuns = async (options: CommonOptions & { all?: boolean }): Promise<void> => {
  const runs = await withLedgerReader(options, (ledger) =>
    ledger.query.runs({ live: !options.all, limit: 1_000 }),
  );
  if (options.json) return printJson(runs.map(toListedRun));
  printRedacted(runs.length === 0 ? cliWords().commandLine.none.runs() : runs.map(formatRunLine).join('\n'));
};

const formatGradeReasons = ({ judgement }: LanguageTexts, grade: Grade): string =>
  listDecidingReasons(grade)
    .map((one) => judgement(one))
    .join('; ');

const createUnknownExit = (runId: string): CommandExit =>
  new CommandExit(EXIT_CODES.notFound, { kind: 'no_listed_run', run: runId });

export const requireRunExists = async (runId: string, options: CommonOptions): Promise<void> => {
  if (!(await withLedgerReader(options, (ledger) => ledger.query.run(runId)))) throw createUnknownExit(runId);
};

export const printRun = async (runId: string, options: CommonOptions): Promise<void> => {
  const found = await withLedgerReader(options, async (ledger) => {
    const run = await ledger.query.run(runId);
    return (
      run && { run, events: await ledger.query.events(runId), attempts: await ledger.query.attempts(runId) }
    );
  });
  if (!found) throw createUnknownExit(runId);
  const { run, events, attempts } = found;
  const grades = readAttemptGrades(events).map(({ seq, grade }) => ({ seq, grade }));
  if (options.json) return printJson({ ...found, grades });
  printRedacted(formatRunLine(run));
  const texts = cliWords();
  const words = texts.commandLine.run;
  printRedacted(`  ${sayRecord(texts.reasons, run.lifecycle.reason)}`);
  for (const e of events)
    printRedacted(`  ${new Date(e.at).toISOString()}  ${String(e.seq).padStart(3)}  ${e.type}`);
  for (const { seq, grade } of grades)
    printRedacted(
      `  ${words.graded({ level: grade.level, seq, why: escapeControlCharacters(formatGradeReasons(texts, grade)) })}`,
    );
  for (const attempt of attempts)
    printRedacted(`  ${words.attempt({ ...attempt, outcome: texts.log.outcome(attempt.outcome) })}`);
};
