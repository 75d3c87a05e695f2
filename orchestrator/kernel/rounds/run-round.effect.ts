/** `implement` runs one agent round, waits until its processes are dead, and harvests a commit. */
import { sha256Hex } from '../runtime/content-hash.ts';
import { accountOf, boundsOf, usedUp, remainingRunMs } from '../lifecycle/run-budget.ts';
import { commitMessage, type FixCommit } from '#pull-text';
import { EMPTY_REPORT, NO_CLAIMS, questionIn } from '#model/agent';
import { NO_USAGE, type AgentSession } from '#model/reports';
import type { Commit, DiscardedEdits } from '#model/change';
import { enginesInTurn, proposersWithin } from '#model/order';
import { asksModel } from '#model/trailers';
import { DAY, MINUTE } from '#model/values';
import { engineOf } from '../run/proposer-rotation.ts';
import { askedFor, ROUND_ROWS, type AgentRound } from '../run/round-table.ts';
import { fixNow } from './ordered-fixes.ts';
import { isResolving, workspaceAt, type Run } from '../run/run.ts';
import { discardedFiles } from './discarded-edits.ts';
import { reportedSummary, stepsDone, wholeSummaryAfter, summaryAfter } from '../gate/summarise-change.ts';
import { stepFailed, type EffectHandler, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { AttemptRow, MeterReading, SpendingMeter } from '#ports/ledger';
import type { CollectedChange, WorkspaceLeftovers } from '#ports/workspaces';
import type { EngineRound, ExecutorDone, RoundGround } from '#ports/processes';
import type { TurnRecorder } from '#ports/records';
import { billedBy, countUnheard } from './count-billed.effect.ts';
import { parentCommitsOf, mergeMessage } from '../upstream/update-branch.effect.ts';
import { findLeftovers, putBack } from './restore-guarded-files.effect.ts';
import { ASKED_OUTCOME } from '../run/permissions.ts';
import { required, type EffectContext } from '../handlers/effect-context.ts';
import { contractRead } from '../preparation/preflight-round.effect.ts';
import { createAsk, type PermissionQuestion } from './decide-permission.effect.ts';
import { createRepeatReport } from './report-repeated-call.effect.ts';
import { writeAcceptedNotes, planTouched, planUpdate } from './plan-round.effect.ts';
import { commitTrailers } from '../gate/commit-trailers.effect.ts';
import { messageOfRevert, revertedChange, scriptRefused } from '../upstream/revert-pull.effect.ts';
import { suggestedLines } from '../reviews/apply-suggestions.effect.ts';

/** Fallback limit when budgets cannot be recorded (ms). */
const LONGEST_MS = DAY;
const LOG_LIMIT = 200_000;

type Asking = ReturnType<typeof createAsk>;

const NOTHING_LEFT: WorkspaceLeftovers = { files: [], unfit: [] };
type Conflicts = RoundGround['conflicts'];
type Found = {
  past: AttemptRow[];
  left: WorkspaceLeftovers;
  /** The agent is told `undone`; people have not been told `lost` yet. */
  undone: DiscardedEdits | null;
  lost: DiscardedEdits | null;
};

const namesMaker = ({ order, target: { contract } }: Run): boolean =>
  enginesInTurn(order).length > 0 || contract?.rules.some(asksModel) === true;

/** E17: true when the workspace was reset to that commit before: later edits must survive. */
const isLaid = (
  { change: { resetTo: lay, adoptedHead: taken }, agent: { proposerRotation: proposers } }: Run,
  past: readonly AttemptRow[],
): boolean =>
  taken?.sha === lay
    ? past.some((a) => a.baseSha === lay)
    : proposers !== undefined && past.some((a) => a.step === 'agent' && a.startedAt >= proposers.startedAt);

export const createImplement = (parts: EffectContext): EffectHandler<'implement'> => {
  const { ledger, workspaces } = parts;

  /** E17: the workspace stays as the last round left it; a missing one is reported. */
  const find = async (run: Run, conflicts: Conflicts, signal: AbortSignal): Promise<Found> => {
    const past = await ledger.query.attempts(run.id);
    const { base } = parentCommitsOf(run);
    if (run.change.resetTo && !isLaid(run, past))
      await workspaces.reset({ runId: run.id, sha: run.change.resetTo, base });
    const worked = past.some(({ step }) => step === 'agent');
    if (conflicts && (!worked || !(await workspaces.exists(run.id))))
      await workspaces.reset({ runId: run.id, sha: conflicts.laid, base, signal });
    // guard: E17-edits-stay
    if (await workspaces.exists(run.id)) {
      const left = worked ? await findLeftovers(parts, run, signal) : NOTHING_LEFT;
      return { past, left, undone: run.agent.discardedEdits, lost: null };
    }
    await workspaces.reset({ runId: run.id, sha: required(workspaceAt(run), 'base'), base, signal });
    const lost = worked && !run.agent.discardedEdits ? discardedFiles('missing', []) : null;
    return { past, left: NOTHING_LEFT, undone: run.agent.discardedEdits ?? lost, lost };
  };

  const cannotWork = (run: Run): HandlerOutcome | null => {
    const engine = engineOf(run);
    const refused = scriptRefused(run, engine);
    if (refused) return refused;
    if (!parts.executors[engine])
      return stepFailed('agent', 'agent_missing', `the engine ${engine} is not configured`);
    if (!usedUp(run) && remainingRunMs(run) > 0) return null;
    const minutes = Math.round(boundsOf(run).runMs / MINUTE);
    return stepFailed('agent', 'budget_exceeded', `${minutes} minutes of agent and check time are used up`);
  };

  const work = async (
    run: Run,
    round: AgentRound,
    { past, left, undone }: Found,
    conflicts: Conflicts,
    meter: SpendingMeter,
    reportRepeat: ReturnType<typeof createRepeatReport>['report'],
    { ask, weigh, question }: Asking,
    signal: AbortSignal,
  ): Promise<ExecutorDone> => {
    const { order } = run;
    const engine = engineOf(run);
    const script = engine === 'script' ? fixNow(run)?.script : undefined;
    const engineArgs = script !== undefined ? [script] : engine === order.engine ? order.engineArgs : [];
    const executor = required(parts.executors[engine], 'engine');
    const { writes } = ROUND_ROWS[round.kind];
    const places = workspaces.places(run.id);
    await writeAcceptedNotes(parts, run, round);
    const briefing = await parts.briefAgent(run, round, { past, left, undone, conflicts });
    const { prompt, picture } = briefing;
    if (prompt.length <= LOG_LIMIT)
      await ledger.artifact({ runId: run.id, type: 'prompt', content: prompt, at: parts.clock.now() });
    const attempt = await ledger.attempt.start({
      runId: run.id,
      step: 'agent',
      command: `${engine} ${engineArgs.join(' ')}`.trim(),
      startedAt: parts.clock.now(),
      engine,
      model: null,
      promptHash: sha256Hex(prompt),
      baseSha: parentCommitsOf(run).parent,
      containment: null,
      pid: null,
      pidStart: null,
    });
    let reserved = false;
    const given = executor.recordsTurns ? await briefing.equip(attempt, signal) : null;
    const turns = given?.tools.turns ?? null;
    const asked: EngineRound = {
      ...(picture ? { picture } : {}),
      ...given?.tools,
      runId: run.id,
      engineArgs,
      prompt,
      workspace: places.workspace,
      home: places.home,
      session: run.agent.session ?? sessionCutOff(turns),
      writes: writes === 'change' ? 'change' : 'nothing',
      left: { tokens: accountOf(run, 'tokens').left, costUsd: accountOf(run, 'cost').left },
      timeoutMs: LONGEST_MS,
      signal,
      ask,
      weigh,
      proposers: proposersWithin(order, engine),
      reserve: async (most) => {
        reserved = true;
        await ledger.attempt.billed(attempt, billedBy(run, most));
      },
      onEvent: (event) => {
        if (event.type === 'used') meter.used(event);
        if (event.type === 'repeated') reportRepeat(event);
        if (event.type !== 'started') return;
        meter.begin();
        ledger.attempt
          .running(attempt, event.pid, event.pidStart)
          .catch((error: unknown) =>
            parts.log.warn({ err: error, run: run.id }, 'a process could not be noted'),
          );
      },
    };
    let done: ExecutorDone;
    try {
      done = await executor.run(asked);
    } finally {
      await given?.end();
    }
    const { exitCode, ms, stdout, stderr } = done.end;
    const outputBytes = Buffer.byteLength(stdout) + Buffer.byteLength(stderr);
    const head = turns?.head() ?? null;
    meter.end({
      session: done.session,
      usage: done.usage,
      ms,
      outputBytes,
      ...(head ? { turns: head } : {}),
    });
    await meter.told();
    const outcome = question() ? ASKED_OUTCOME : (done.failure?.class ?? 'completed');
    if (reserved) await ledger.attempt.billed(attempt, billedBy(run, done.usage));
    await ledger.attempt.end(attempt, {
      exitCode,
      outcome,
      containment: done.containment,
      model: done.model,
      ms,
      stdout: logOf(done.transcript, stdout),
      stderr: stderr.slice(0, LOG_LIMIT),
    });
    return done;
  };

  /** Discovery made the trailers; the proposer's engine and its model are only known now. */
  const trailersNow = async (run: Run, { model }: Pick<ExecutorDone, 'model'>): Promise<readonly string[]> =>
    namesMaker(run) && !run.upstream.pullRequest
      ? commitTrailers(parts, run, required(run.target.contract, 'contract'), model)
      : run.target.commitTrailers;

  const harvest = async (run: Run, done: ExecutorDone, signal: AbortSignal): Promise<CollectedChange> => {
    const fix = fixOf(run);
    const shape = required(run.target.contract, 'contract');
    const trailers = await trailersNow(run, done);
    const report = { said: done.claims?.reported, summary: reportedSummary(done) };
    const words = summaryAfter(run, report);
    const steps = stepsDone(words);
    // A summary of the last step or fix alone would describe only part of the change.
    const whole = wholeSummaryAfter(run, report) ?? report.summary;
    const summary = steps.length > 0 || run.order.fixes ? '' : whole;
    const told = fix
      ? { said: report.said ?? EMPTY_REPORT, summary: report.summary }
      : { said: words.agent.agentReports, summary, steps };
    return workspaces.harvest({
      runId: run.id,
      ...parentCommitsOf(run),
      evenSame: isResolving(run),
      message: run.change.pendingMerge
        ? mergeMessage(run, run.change.pendingMerge)
        : run.order.reverts && !fix
          ? messageOfRevert(run)
          : (change) => commitMessage({ order: run.order, ...told, fix, shape, trailers, ...change }),
      author: parts.settings.author,
      // A constant time makes commits reproducible: same bytes and stage, same commit.
      at: run.lifecycle.createdAt,
      signal,
    });
  };

  /** A note-only round without a box is checked for edits, however it ended. */
  const guarded = async (run: Run, round: AgentRound, done: ExecutorDone, { left, lost }: Found) => {
    const looks = ROUND_ROWS[round.kind].writes === 'note' && done.containment === 'group';
    if (done.failure?.class === 'disk_full' && !(await workspaces.exists(run.id)))
      return discardedFiles('disk', left.files);
    return (looks ? await putBack(parts, run, left) : null) ?? lost;
  };

  /** C4: final words may contain a question, which the next report would overwrite. */
  const asked = async (
    run: Run,
    round: AgentRound,
    { failure, words = '' }: ExecutorDone,
    signal: AbortSignal,
  ) => {
    const text = failure?.class === 'invalid_output' ? questionIn(words) : null;
    if (text === null) return {};
    const edited =
      ROUND_ROWS[round.kind].writes === 'change' &&
      (await findLeftovers(parts, run, signal)).files.length > 0;
    return { question: { text, edited } };
  };

  const committed = async (
    run: Run,
    done: ExecutorDone,
    spent: MeterReading,
    lost: DiscardedEdits | null,
    signal: AbortSignal,
  ) => {
    const violations = await planTouched(parts, run);
    const harvested = await harvest(run, done, signal);
    if (harvested.kind === 'unsafe') {
      const leftOut = harvested.findings.slice(0, 5);
      return stepFailed('agent', 'unsafe_workspace', '', {
        skippedFiles: leftOut,
        usageSoFar: spent,
        discardedEdits: lost,
      });
    }
    const { skipped } = harvested;
    const question = harvested.kind === 'commit' ? null : questionIn(done.words ?? '');
    const input = {
      type: 'worker.implementation.completed',
      commit: harvested.kind === 'commit' ? withSkipped(harvested) : null,
      ...spent,
      summary: done.summary.slice(0, 2_000),
      containment: done.containment,
      exposedCredentials: done.lends ?? null,
      claims: done.claims ?? NO_CLAIMS,
      violations,
      ...(namesMaker(run) ? { commitTrailers: [...(await trailersNow(run, done))] } : {}),
      skippedFiles: skipped.filter(({ kind }) => kind !== 'skipped_ignored' && kind !== 'agent_git'),
      ...(harvested.kind === 'no_changes' ? { ignored: harvested.ignored } : {}),
      ...(question === null ? {} : { question }),
      discardedEdits: lost ?? (violations > 0 ? discardedFiles('plan', ['PLAN.md']) : null),
    } as const;
    return { kind: 'result', input } as const;
  };

  return async (claim, signal) => {
    const { round } = claim.do;
    const run = await countUnheard(parts, claim);
    const revert = await revertedChange(parts, run, round);
    if (revert && revert.kind !== 'conflicts') return revert;
    const stop = cannotWork(run);
    if (stop) return stop;
    const without = await suggestedLines(parts, run, round);
    if (without) return without;
    const meter = parts.createMeter(run, claim, 'agent');
    const found = await find(run, revert, signal);
    const asking = createAsk(parts, claim, round);
    const repeats = createRepeatReport(parts, run.id, claim);
    const done = await work(run, round, found, revert, meter, repeats.report, asking, signal);
    await repeats.settled();
    if (signal.aborted) {
      await meter.flush();
      return { kind: 'done', result: 'stopped' };
    }
    const spent = meter.rest();
    const undone = await guarded(run, round, done, found);
    const wanted = asking.question();
    if (wanted) return askedOf(wanted, done, spent, undone);
    if (ROUND_ROWS[round.kind].verifiedBy === 'contract' && readsWell(done))
      return contractRead(parts, run, done, spent, undone);
    if (done.failure) {
      const { failure } = done;
      return stepFailed('agent', failure.class, failure.message, {
        retryAt: failure.retryAt,
        usageSoFar: spent,
        discardedEdits: undone,
        ...(failure.model === undefined ? {} : { model: failure.model }),
        ...(failure.detail === undefined ? {} : { detail: failure.detail }),
        ...(await asked(run, round, done, signal)),
      });
    }
    if (ROUND_ROWS[round.kind].verifiedBy === 'plan')
      return planUpdate(parts, run, { ...spent, containment: done.containment }, undone);
    return committed(run, done, spent, undone, signal);
  };
};

const askedOf = (
  question: PermissionQuestion,
  { containment, lends = null }: ExecutorDone,
  spent: MeterReading,
  undone: DiscardedEdits | null,
): HandlerOutcome => ({
  kind: 'result',
  input: {
    type: 'worker.permission.asked',
    ...question,
    ...spent,
    containment,
    exposedCredentials: lends,
    discardedEdits: undone,
  },
});

/** A process that was killed in its first turn told its session to the turn's row alone. */
const sessionCutOff = (turns: TurnRecorder | null): AgentSession | null => {
  const last = turns?.past.at(-1)?.facts;
  // guard: L6-session-of-cut-turn
  return last?.evaluation?.kind === 'interrupted' ? { id: last.session, usage: NO_USAGE } : null;
};

const logOf = (transcript: string | undefined, stdout: string): string =>
  (transcript === undefined ? stdout : `${transcript}\n${stdout}`).slice(0, LOG_LIMIT);

const readsWell = ({ failure }: ExecutorDone): boolean =>
  failure === null || failure.class === 'invalid_output';

const fixOf = (run: Run): FixCommit | null =>
  run.upstream.pullRequest && run.change.pushedHead
    ? { no: run.lifecycle.counts.iterations, asked: askedFor(run.agent.round) }
    : null;

/** Findings on skipped files are judged by the governor and shown on the card. */
const withSkipped = ({ commit, skipped }: Extract<CollectedChange, { kind: 'commit' }>): Commit => ({
  ...commit,
  diff: { ...commit.diff, findings: [...commit.diff.findings, ...skipped] },
});
