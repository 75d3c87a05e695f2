/** Tells an agent which changes earlier rounds made, and how to look at them. */
import { ROUND_ROWS, type AgentRound } from '../kernel/run/round-table.ts';
import type { Run } from '../kernel/run/run.ts';
import { isAdaptedToEngine } from '#model/order';
import type { AgentAbilities } from '#ports/processes';
import { parentCommitsOf } from '../kernel/upstream/update-from-base.effect.ts';
import type { PromptEvidence } from './render-prompt.ts';

const MAX_FILES = 100;

const filesOf = ({ change: { commit } }: Run): string[] => {
  const files = commit?.diff.files ?? [];
  const more = files.length - MAX_FILES;
  return [
    ...files.slice(0, MAX_FILES).map((f) => `${f.status} ${f.path} +${f.added} -${f.deleted}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
};

/** Summary of the changes and of our last check results. */
const describeSnapshot = (run: Run, round: AgentRound): PromptEvidence[] => {
  if (ROUND_ROWS[round.kind].verifiedBy !== 'plan' || !run.change.commit) return [];
  const files = run.change.commit.diff.files.map((f) => `${f.status} ${f.path} +${f.added} -${f.deleted}`);
  const checks = (run.change.evaluation?.checks ?? []).map((c) => `${c.command}: ${c.outcome}`);
  return [{ title: 'What is changed so far', data: [...files.slice(0, 100), '', ...checks].join('\n') }];
};

/** Used when the conversation was lost, grew too long, or is not kept by the engine. */
const describeEarlierWork = ({
  agent: { session, summary },
  change: { commit },
  target: { base },
}: Run): PromptEvidence[] => {
  if (session !== null || commit?.base !== base?.sha || !commit) return [];
  const files = commit.diff.files.map((f) => `${f.status} ${f.path} +${f.added} -${f.deleted}`);
  const said = summary === '' ? [] : ['', `What was said of it then: ${summary}`];
  const title = 'What was done before, in a conversation that is gone; the files are as it left them';
  return [{ title, data: [...files.slice(0, 100), ...said].join('\n') }];
};

/** Agents need commands to see the diff; new files are not in the workspace's git. */
const describeChangeSoFar = (run: Run, round: AgentRound, { commands }: AgentAbilities): PromptEvidence[] => {
  const { writes, verifiedBy } = ROUND_ROWS[round.kind];
  const isNew = run.agent.session === null;
  if (!run.change.commit || (writes !== 'change' && verifiedBy !== 'plan' && !isNew)) return [];
  const diff = commands
    ? `\`git diff ${parentCommitsOf(run).base.slice(0, 12)}\` shows it; new files are only listed.`
    : '';
  const said =
    run.agent.summary === '' || !isNew ? [] : ['', `What was said of it then: ${run.agent.summary}`];
  const checks =
    verifiedBy === 'plan'
      ? ['', ...(run.change.evaluation?.checks ?? []).map((c) => `${c.command}: ${c.outcome}`)]
      : [];
  return [
    {
      title: isNew
        ? 'What was done before, in a conversation that is gone; the files are as it left them'
        : 'Your change so far',
      ours: writes === 'change' ? diff : '',
      data: [...filesOf(run), ...said, ...checks].join('\n'),
    },
  ];
};

/** Released prompt sets keep their original evidence. */
export const describeEarlierChanges = (run: Run, round: AgentRound, can: AgentAbilities): PromptEvidence[] =>
  isAdaptedToEngine(run.order.promptVersion)
    ? describeChangeSoFar(run, round, can)
    : [...describeEarlierWork(run), ...describeSnapshot(run, round)];
