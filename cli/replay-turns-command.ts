/** `agentpr replay --turns`: folds the turns of the builtin engine. Read-only. */
import { openReader } from '#db';
import { reapplyPatch } from '#engines';
import { findRunTree } from '#git';
import { proposerTotals, type ProposerTotal } from '#model/turn';
import { MB } from '#model/values';
import {
  replayEdits,
  foldTurns,
  findTurnDifferences,
  type EditReplay,
  type EditSources,
  type TurnFinding,
  type TurnDifference,
  type TurnDifferences,
} from '#audit';
import type { LedgerQueries } from '#ports/ledger';
import { readDatabaseUrl, resolveDataDir, readFileSettings } from './load-config.ts';
import { printJson, printRedacted } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import type { LanguageTexts } from '#language';

type Options = { json?: boolean; data?: string; decide?: boolean; all?: boolean };
const MAX_FILE_BYTES = 64 * MB;

type ReplayedRun = {
  run: string;
  turns: number;
  actions: number;
  proposals: number;
  proposers: ProposerTotal[];
  withoutTexts: number;
  findings: TurnFinding[];
  edits: Omit<EditReplay, 'findings'> | null;
  policies?: TurnDifferences;
};

const sourcesOf = (dir: string, runId: string): EditSources => ({
  tree: async (sha) => {
    const tree = await findRunTree(dir, runId, sha);
    return tree && { bytes: (path) => tree.bytes(path, MAX_FILE_BYTES) };
  },
  apply: reapplyPatch,
});

const replayRun = async (
  query: LedgerQueries,
  dir: string,
  runId: string,
  { decide }: { decide: boolean },
): Promise<ReplayedRun | null> => {
  const rows = await query.turns(runId);
  const run = await query.run(runId);
  const events = await query.events(runId);
  const { turns, actions, proposals, findings, withoutTexts } = foldTurns(rows, events);
  if (!run) return null;
  if (rows.length === 0 && findings.length === 0) return null;
  const attempts = await query.attempts(runId);
  const whole = findings.every(({ verdict }) => verdict !== 'record');
  const edited = whole ? await replayEdits(run, turns, { events, attempts }, sourcesOf(dir, runId)) : null;
  const { findings: more = [], ...edits } = edited ?? {};
  return {
    run: runId,
    turns: rows.length,
    actions,
    proposals,
    proposers: proposerTotals(turns.map(({ facts }) => facts)),
    withoutTexts,
    findings: [...findings, ...more],
    edits: edited && (edits as Omit<EditReplay, 'findings'>),
    ...(decide ? { policies: findTurnDifferences(run, turns, readFileSettings().policies) } : {}),
  };
};

type Words = LanguageTexts['commandLine']['turns'];

const proposerLine = (words: Words, { usage, ...total }: ProposerTotal): string =>
  `  · ${words.proposer({
    ...total,
    read: usage.inputTokens,
    written: usage.outputTokens,
    cost: usage.costUsd > 0 ? usage.costUsd.toFixed(4) : null,
  })}`;

const markOfVerdict = (findings: readonly TurnFinding[], verdict: TurnFinding['verdict']): string =>
  findings.some((one) => one.verdict === verdict) ? '✘' : '✔';

const differenceLine = (words: Words, { action, then, today }: TurnDifference): string =>
  `  ${words.action({
    action,
    then: then.verdict,
    thenVersion: then.policyVersion,
    thenPolicies: then.policies,
    today: today.verdict,
    todayVersion: today.policyVersion,
    todayPolicies: today.policies,
  })}`;

const policyLines = (words: Words, { asked, gone, differences }: TurnDifferences): string[] => [
  differences.length === 0
    ? words.samePolicies({ asked })
    : words.otherPolicies({ differences: differences.length, asked }),
  ...differences.map((one) => differenceLine(words, one)),
  ...(gone > 0 ? [`  ${words.gone({ commands: gone })}`] : []),
];

const editLines = (words: Words, { findings, edits }: ReplayedRun): string[] => {
  if (edits === null) return [`  – ${words.unfollowed()}`];
  const { result, notes } = edits;
  const sign =
    result === 'gone' || result === 'mixed' || result === 'no_commit'
      ? '–'
      : markOfVerdict(findings, 'edits');
  return [`  ${sign} ${words.edits(edits)}`, ...notes.slice(0, 20).map((note) => `      ${note}`)];
};

const describeTurnReplay = (replayed: ReplayedRun): string[] => {
  const { proposers, findings, policies } = replayed;
  const words = cliWords().commandLine.turns;
  return [
    words.run(replayed),
    `  ${markOfVerdict(findings, 'record')} ${words.record()}`,
    `  ${markOfVerdict(findings, 'decisions')} ${words.decisions()}`,
    ...proposers.map((one) => proposerLine(words, one)),
    ...editLines(words, replayed),
    ...findings.map(({ says }) => `      ${says}`),
    ...(policies ? policyLines(words, policies) : []),
  ];
};

export const replayTurns = async (runId: string | undefined, options: Options): Promise<void> => {
  if (!runId && !options.all) throw new CommandExit(EXIT_CODES.usage, { kind: 'which_run' });
  const dir = resolveDataDir(options.data);
  const ledger = openReader(dir, { snapshot: true, database: readDatabaseUrl() });
  try {
    const { runs } = await ledger.query.audit.snapshot(runId);
    if (runId && runs.length === 0)
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_run', run: runId });
    const replayed: ReplayedRun[] = [];
    for (const id of runs) {
      const one = await replayRun(ledger.query, dir, id, { decide: options.decide === true });
      if (one) replayed.push(one);
    }
    if (runId && replayed.length === 0)
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_turns', run: runId });
    if (options.json) printJson({ runs: replayed });
    else if (replayed.length === 0) printRedacted(cliWords().commandLine.turns.none());
    else printRedacted(replayed.flatMap(describeTurnReplay).join('\n'));
    if (replayed.some(({ findings }) => findings.length > 0)) process.exitCode = EXIT_CODES.findings;
  } finally {
    await ledger.close();
  }
};
