/** Prints the results of `agentpr run list` and `agentpr run show`. */
import { gradesIn } from '#reports';
import { ENGLISH_WORDING } from '../bot/language/english-wording.ts';
import { openReader } from '#db';
import { decidedBy } from '#governor';
import type { Grade } from '../orchestrator/model/change-records.ts';
import { repositoryOf, type Run } from '../orchestrator/kernel/run/run.ts';
import {
  databaseAddress,
  dataDir,
  printRedacted,
  escapeControlCharacters,
  printJson,
} from './environment.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';

export type CommonOptions = { json?: boolean; data?: string };

type Reader = ReturnType<typeof openReader>;
export const withLedgerReader = async <T>(
  options: CommonOptions,
  read: (ledger: Reader) => Promise<T>,
): Promise<T> => {
  const ledger = openReader(dataDir(options.data), { database: databaseAddress() });
  try {
    return await read(ledger);
  } finally {
    await ledger.close();
  }
};

const line = (run: Run): string =>
  `${run.id}  ${run.lifecycle.state.padEnd(18)}  ${repositoryOf(run)}  ${run.upstream.pullRequest ? `${run.upstream.pullRequest.id} ` : ''}${run.order.goal.split('\n')[0] ?? ''}`;

export const printRuns = async (options: CommonOptions & { all?: boolean }): Promise<void> => {
  const runs = await withLedgerReader(options, (ledger) =>
    ledger.query.runs({ live: !options.all, limit: 1_000 }),
  );
  if (options.json) return printJson(runs);
  printRedacted(runs.length === 0 ? 'No runs.' : runs.map(line).join('\n'));
};

const why = (grade: Grade): string =>
  decidedBy(grade)
    .map((j) => ENGLISH_WORDING.judgement(j))
    .join('; ');

const unknown = (runId: string): CommandExit =>
  new CommandExit(EXIT_CODES.notFound, `There is no run ${runId}. \`agentpr run list --all\` shows all.`);

export const requireRun = async (runId: string, options: CommonOptions): Promise<void> => {
  if (!(await withLedgerReader(options, (ledger) => ledger.query.run(runId)))) throw unknown(runId);
};

export const printRun = async (runId: string, options: CommonOptions): Promise<void> => {
  const found = await withLedgerReader(options, async (ledger) => {
    const run = await ledger.query.run(runId);
    return (
      run && { run, events: await ledger.query.events(runId), attempts: await ledger.query.attempts(runId) }
    );
  });
  if (!found) throw unknown(runId);
  const { run, events, attempts } = found;
  const grades = gradesIn(events).map(({ seq, grade }) => ({ seq, grade }));
  if (options.json) return printJson({ ...found, grades });
  printRedacted(line(run));
  printRedacted(`  ${ENGLISH_WORDING.reason(run.lifecycle.reason)}`);
  for (const e of events)
    printRedacted(`  ${new Date(e.at).toISOString()}  ${String(e.seq).padStart(3)}  ${e.type}`);
  for (const { seq, grade } of grades)
    printRedacted(`  graded ${grade.level} (event ${seq}): ${escapeControlCharacters(why(grade))}`);
  for (const a of attempts)
    printRedacted(
      `  attempt ${a.step} ${a.no}: ${a.outcome}, ${a.ms} ms, ${a.containment ?? 'containment unknown'}`,
    );
};
