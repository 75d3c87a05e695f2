/** Lists what other programs may ask of AgentPR. Security: no row approves, opens or answers a card. */
import { z } from 'zod';
import { sayRecord } from '#chat-text';
import { createWorkspaces } from '#git';
import { ORDER_OPTIONS, readOrder, type OrderOption, type ParsedOption } from '#orders';
import { runIdOf } from '#runtime';
import type { Run } from '#run';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { DEFAULT_REPORT, REPORT_GROUPINGS, formatReportDays } from '#model/reports';
import { createPatchReader } from '../../app/run-patches.ts';
import { resolveDataDir, loadConfig } from '../load-config.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import {
  describeControlAnswer,
  submitControlOrder,
  idempotencyKeyOf,
  buildHostOrder,
  requireParsed,
} from '../host-orders.ts';
import { cliWords } from '../language.ts';
import { toListedRun } from '../listed-run.ts';
import { ORDER_ABOUT } from '../option-help.ts';
import { readRunReport } from '../report-command.ts';
import { withLedgerReader, type CommonOptions } from '../show-runs.ts';

/** The `data` directory that the server was started on. */
type Place = Pick<CommonOptions, 'data'>;

export type Operation = {
  name: string;
  about: string;
  /** Nothing changes by it. */
  isReading: boolean;
  input: z.ZodObject;
  /** `given` has been read by `input`. Throws `CommandExit` with words for people. */
  run(given: unknown, place: Place): Promise<Record<string, unknown>>;
};

const defineOperation = <Input extends z.ZodObject>(row: {
  name: string;
  about: string;
  isReading: boolean;
  input: Input;
  run(given: z.infer<Input>, place: Place): Promise<Record<string, unknown>>;
}): Operation => ({ ...row, run: (given, place) => row.run(row.input.parse(given), place) });

const RunName = z.string().min(1).max(100).describe('a run, as list_runs names it');

const optionSchema = (name: OrderOption): z.ZodType => {
  const { form } = ORDER_OPTIONS[name];
  const one = typeof form === 'string' ? z.string().describe(form) : z.enum(form);
  return ('many' in ORDER_OPTIONS[name] ? z.array(one).max(50) : one).optional().describe(ORDER_ABOUT[name]);
};
const OrderOptions = z.strictObject(
  Object.fromEntries((Object.keys(ORDER_OPTIONS) as OrderOption[]).map((name) => [name, optionSchema(name)])),
);
const optionsFrom = (given: Record<string, unknown>): ParsedOption[] =>
  Object.entries(given).flatMap(([name, values]) =>
    [values].flat().map((value): ParsedOption => [name as OrderOption, String(value)]),
  );

const requireStoredRun = async (runId: string, place: Place): Promise<Run> => {
  const run = await withLedgerReader(place, (ledger) => ledger.query.run(runId));
  if (run) return run;
  throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_listed_run', run: runId });
};

/** Without a running AgentPR each order opens the ledger for itself, which one process may do once. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(go: () => Promise<T>): Promise<T> => {
    const next = last.then(go, go);
    last = next;
    return next;
  };
};
const inTurn = createTurns();

const orderChange = defineOperation({
  name: 'order_change',
  about:
    'Order one change in one GitHub repository. An agent works on it; a person approves the result in chat before any pull request exists.',
  isReading: false,
  input: z.strictObject({
    repository: z.string().min(1).max(300).describe('owner/name, or its address'),
    change: z.string().min(1).max(MAX_ARGUMENT_LENGTHS.goal).describe('what should be changed, and why'),
    options: OrderOptions.optional(),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('the same key is the same order: repeating it orders nothing twice'),
  }),
  run: async ({ repository, change, options = {}, key }, place) => {
    const { value } = requireParsed(readOrder(repository, change.trim(), optionsFrom(options)));
    const order = await buildHostOrder(value, place);
    const given = idempotencyKeyOf(key === undefined ? {} : { idempotencyKey: key });
    const runId = runIdOf(given);
    const input = { type: 'command.run.create', runId, order } as const;
    const answer = await inTurn(() => submitControlOrder(place, { runId, key: given, input }));
    const says = describeControlAnswer(answer) ?? null;
    const isLost = answer.kind === 'fenced' || (answer.kind === 'ignored' && answer.note !== 'stored');
    if (answer.kind === 'refused' || isLost)
      throw new CommandExit(EXIT_CODES.refused, { kind: 'was_refused', says });
    return { run: runId, repeated: answer.kind === 'duplicate', says };
  },
});

const MOST_RUNS = 200;
const listRuns = defineOperation({
  name: 'list_runs',
  about: `List runs, newest first: what each does, whom it waits for, and its pull request. At most ${MOST_RUNS}.`,
  isReading: true,
  input: z.strictObject({ ended: z.boolean().default(false).describe('also the runs that are over') }),
  run: async ({ ended }, place) => ({
    runs: (
      await withLedgerReader(place, (ledger) => ledger.query.runs({ live: !ended, limit: MOST_RUNS }))
    ).map(toListedRun),
  }),
});

const MOST_EVENTS = 20;
const showRun = defineOperation({
  name: 'show_run',
  about: `Show one run: where it stands, why, and its last ${MOST_EVENTS} events.`,
  isReading: true,
  input: z.strictObject({ run: RunName }),
  run: async ({ run: runId }, place) => {
    const run = await requireStoredRun(runId, place);
    const events = await withLedgerReader(place, (ledger) => ledger.query.events(runId));
    return {
      run: toListedRun(run),
      says: sayRecord(cliWords().reasons, run.lifecycle.reason),
      events: events
        .slice(-MOST_EVENTS)
        .map(({ at, seq, type }) => ({ at: new Date(at).toISOString(), seq, type })),
    };
  },
});

const showDiff = defineOperation({
  name: 'show_diff',
  about: 'Show what a run changes, as a patch against its base. The text comes from the repository.',
  isReading: true,
  input: z.strictObject({ run: RunName }),
  run: async ({ run: runId }, place) => {
    const run = await requireStoredRun(runId, place);
    const config = loadConfig();
    const workspaces = createWorkspaces({
      dataDir: resolveDataDir(place.data),
      credential: () => Promise.resolve(null),
      serverUrl: config.github.serverUrl,
      network: config,
    });
    const patch = await createPatchReader(
      { query: { run: () => Promise.resolve(run), attempts: () => Promise.resolve([]) } },
      workspaces,
    )(runId);
    return patch
      ? { patch: patch.text, omittedBytes: patch.omitted }
      : { patch: null, says: cliWords().commandLine.none.diff() };
  },
});

const reportCost = defineOperation({
  name: 'report_cost',
  about: 'Report what runs took and cost, by repository, engine, campaign or person.',
  isReading: true,
  input: z.strictObject({
    since: z.string().default(formatReportDays(DEFAULT_REPORT.days)).describe('30d, 12w or all'),
    by: z.enum(REPORT_GROUPINGS).default(DEFAULT_REPORT.by),
  }),
  run: async ({ since, by }, place) => ({ report: await readRunReport({ since, by, ...place }) }),
});

export const OPERATIONS: readonly Operation[] = [orderChange, listRuns, showRun, showDiff, reportCost];
