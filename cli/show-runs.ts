/** What `agentpr run list` and `agentpr run show` print; and whether a run is there at all. */
import { english } from '../bot/language/english.ts';
import { openReader } from '../db/directory/read.ts';
import { decidedBy } from '../orchestrator/core/govern/grade.ts';
import type { Grade } from '../orchestrator/core/facts.ts';
import { gradesIn } from '../orchestrator/engine/grades.ts';
import { repositoryOf, type Run } from '../orchestrator/core/machine/run.ts';
import { database, dataDir, print, printable, printJson } from './environment.ts';
import { EXIT, Exit } from './exit.ts';

export type Common = { json?: boolean; data?: string };

type Reader = ReturnType<typeof openReader>;
/** Looks at the ledger, also while a process runs. */
export const reading = async <T>(options: Common, read: (ledger: Reader) => Promise<T>): Promise<T> => {
  const ledger = openReader(dataDir(options.data), { database: database() });
  try {
    return await read(ledger);
  } finally {
    await ledger.close();
  }
};

const line = (run: Run): string =>
  `${run.id}  ${run.lifecycle.state.padEnd(18)}  ${repositoryOf(run)}  ${run.upstream.pullRequest ? `${run.upstream.pullRequest.id} ` : ''}${run.order.goal.split('\n')[0] ?? ''}`;

export const list = async (options: Common & { all?: boolean }): Promise<void> => {
  const runs = await reading(options, (ledger) => ledger.query.runs({ live: !options.all, limit: 1_000 }));
  if (options.json) return printJson(runs);
  print(runs.length === 0 ? 'No runs.' : runs.map(line).join('\n'));
};

const why = (grade: Grade): string =>
  decidedBy(grade)
    .map((j) => english.judgement(j))
    .join('; ');

const unknown = (runId: string): Exit =>
  new Exit(EXIT.notFound, `There is no run ${runId}. \`agentpr run list --all\` shows all.`);

/** Before anything is ordered of a run. */
export const known = async (runId: string, options: Common): Promise<void> => {
  if (!(await reading(options, (ledger) => ledger.query.run(runId)))) throw unknown(runId);
};

export const show = async (runId: string, options: Common): Promise<void> => {
  const found = await reading(options, async (ledger) => {
    const run = await ledger.query.run(runId);
    return (
      run && { run, events: await ledger.query.events(runId), attempts: await ledger.query.attempts(runId) }
    );
  });
  if (!found) throw unknown(runId);
  const { run, events, attempts } = found;
  const grades = gradesIn(events).map(({ seq, grade }) => ({ seq, grade }));
  if (options.json) return printJson({ ...found, grades });
  print(line(run));
  print(`  ${english.reason(run.lifecycle.reason)}`);
  for (const e of events) print(`  ${new Date(e.at).toISOString()}  ${String(e.seq).padStart(3)}  ${e.type}`);
  for (const { seq, grade } of grades)
    print(`  graded ${grade.level} (event ${seq}): ${printable(why(grade))}`);
  for (const a of attempts)
    print(`  attempt ${a.step} ${a.no}: ${a.outcome}, ${a.ms} ms, ${a.containment ?? 'containment unknown'}`);
};
