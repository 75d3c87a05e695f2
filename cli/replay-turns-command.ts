/** `agentpr replay --turns`: folds the turns of the builtin engine. Read-only. */
import { openReader } from '#db';
import { reapplyPatch } from '#engines';
import { openRunTree } from '#git';
import { proposerTotals, type ProposerTotal } from '../orchestrator/model/proposer-totals.ts';
import { countWords } from '../orchestrator/model/text-format.ts';
import { MB } from '../orchestrator/model/units.ts';
import {
  replayEdits,
  foldTurns,
  turnDifferences,
  type EditReplay,
  type EditSources,
  type TurnFinding,
  type TurnDifference,
  type TurnDifferences,
} from '#audit';
import type { LedgerQueries } from '../orchestrator/kernel/ports/index.ts';
import { databaseAddress, dataDir, fileSettings, printJson, printRedacted } from './environment.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';

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
    const tree = await openRunTree(dir, runId, sha);
    return tree && { bytes: (path) => tree.bytes(path, MAX_FILE_BYTES) };
  },
  apply: reapplyPatch,
});

const replayRun = async (
  query: LedgerQueries,
  dir: string,
  runId: string,
  decide: boolean,
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
    ...(decide ? { policies: turnDifferences(run, turns, fileSettings().policies) } : {}),
  };
};

const EDITS: Record<EditReplay['result'], string> = {
  same: 'lead from the base tree to the tree of the commit, byte for byte',
  other: 'do not lead from the base tree to the tree of the commit',
  gone: 'cannot be followed any more',
  mixed: 'cannot be followed by themselves alone',
  no_commit: 'made no commit',
};

const proposerLine = ({ proposer, turns, chosen, denied, failed, usage }: ProposerTotal): string =>
  `  · ${proposer}: chosen in ${chosen} of ${countWords(turns, 'turn')}, ${denied} denied, ${failed} without a valid answer; ${usage.inputTokens} tokens read, ${usage.outputTokens} written${usage.costUsd > 0 ? `, $${usage.costUsd.toFixed(4)}` : ''}`;

const mark = (findings: readonly TurnFinding[], verdict: TurnFinding['verdict']): string =>
  findings.some((one) => one.verdict === verdict) ? '✘' : '✔';

const differenceLine = ({ action, then, today }: TurnDifference): string =>
  `  action ${action}: ${then.verdict} under ${then.policyVersion} (${then.policies.join(', ')}); today ${today.verdict} under ${today.policyVersion} (${today.policies.join(', ')})`;

const policyLines = ({ asked, gone, differences }: TurnDifferences): string[] => [
  differences.length === 0
    ? `Today’s policies say the same about ${countWords(asked, 'action')}.`
    : `Today’s policies say otherwise about ${differences.length} of ${countWords(asked, 'action')}:`,
  ...differences.map(differenceLine),
  ...(gone > 0 ? [`  ${countWords(gone, 'command')} cannot be asked about: the text is gone.`] : []),
];

const editLines = ({ findings, edits }: ReplayedRun): string[] => {
  if (edits === null) return ['  – edits: not followed, because the record is not whole'];
  const { result, reapplied, byDigest, files, notes } = edits;
  const sign =
    result === 'gone' || result === 'mixed' || result === 'no_commit' ? '–' : mark(findings, 'edits');
  return [
    `  ${sign} edits: they ${EDITS[result]} (${countWords(files, 'file')}; ${reapplied} applied again, ${byDigest} known by digest)`,
    ...notes.slice(0, 20).map((note) => `      ${note}`),
  ];
};

export const describeTurnReplay = (replayed: ReplayedRun): string[] => {
  const { run, turns, actions, proposals, proposers, withoutTexts, findings, policies } = replayed;
  return [
    `Run ${run}: ${countWords(turns, 'turn')}, ${proposals > 0 ? `${countWords(proposals, 'proposal')}, ` : ''}${countWords(actions, 'action')}${withoutTexts > 0 ? `; of ${countWords(withoutTexts, 'turn')} some texts are not kept` : ''}.`,
    `  ${mark(findings, 'record')} record: every turn is as it was written`,
    `  ${mark(findings, 'decisions')} decisions: every action that ran was decided on, under a version of the policies, and nothing that was rejected ran`,
    ...proposers.map(proposerLine),
    ...editLines(replayed),
    ...findings.map(({ says }) => `      ${says}`),
    ...(policies ? policyLines(policies) : []),
  ];
};

export const replayTurns = async (runId: string | undefined, options: Options): Promise<void> => {
  if (!runId && !options.all) throw new CommandExit(EXIT_CODES.usage, 'Say which run, or --all.');
  const dir = dataDir(options.data);
  const ledger = openReader(dir, { snapshot: true, database: databaseAddress() });
  try {
    const { runs } = await ledger.query.audit.snapshot(runId);
    if (runId && runs.length === 0) throw new CommandExit(EXIT_CODES.notFound, `There is no run ${runId}.`);
    const replayed: ReplayedRun[] = [];
    for (const id of runs) {
      const one = await replayRun(ledger.query, dir, id, options.decide === true);
      if (one) replayed.push(one);
    }
    if (runId && replayed.length === 0)
      throw new CommandExit(
        EXIT_CODES.notFound,
        `Run ${runId} has no turns: only the builtin engine records them.`,
      );
    if (options.json) printJson({ runs: replayed });
    else if (replayed.length === 0) printRedacted('No run has turns: only the builtin engine records them.');
    else printRedacted(replayed.flatMap(describeTurnReplay).join('\n'));
    if (replayed.some(({ findings }) => findings.length > 0)) process.exitCode = EXIT_CODES.findings;
  } finally {
    await ledger.close();
  }
};
