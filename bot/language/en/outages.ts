/** English texts for failed polls of GitHub, and how to fix them. Plain text, not escaped. */
import type { PollPart, PollFailure } from '../../../orchestrator/model/outage.ts';
import { enHostRefusal } from './host-refusals.ts';

const names: Record<PollPart, string> = {
  pull: 'the pull request',
  branch: 'the branch',
  checks: 'the checks',
  reports: 'check runs',
  statuses: 'commit statuses',
  jobs: 'Actions runs',
  rules: 'rules of the base branch',
  reviews: 'reviews',
  comments: 'comments',
};
/** Names match GitHub's settings page for tokens. */
const permissions: Record<PollPart, string> = {
  pull: 'Pull requests',
  branch: 'Contents',
  checks: 'Checks',
  reports: 'Checks',
  statuses: 'Commit statuses',
  jobs: 'Actions',
  rules: 'Contents',
  reviews: 'Pull requests',
  comments: 'Issues',
};
const listed = (parts: readonly PollPart[]): string => parts.map((part) => names[part]).join(', ');

export const enOutages = {
  title: {
    none: 'GITHUB CANNOT BE READ',
    some: 'SOME OF GITHUB CANNOT BE READ',
    again: 'GITHUB CAN BE READ AGAIN',
  },
  last: 'last looked',
  since: 'not seen since',
  runs: (n: number) => (n === 1 ? '1 run is waiting:' : `${n} runs are waiting:`),
  short: ({ kind, status, parts }: PollFailure): string => {
    if (kind === 'long') return `there are more ${listed(parts)} than AgentPR reads`;
    if (kind === 'ours') return 'AgentPR made a mistake';
    if (kind === 'limit') return 'GitHub asks us to wait';
    return status === null ? 'GitHub cannot be reached' : `GitHub says ${status}`;
  },
  unread: (parts: readonly PollPart[]): string => `Not read: ${listed(parts)}.`,
  todo: ({ kind, parts, refusal }: PollFailure): string => {
    // The missing permissions are derived from the poll's parts instead.
    if (refusal && refusal.kind !== 'right_missing') return enHostRefusal(refusal);
    switch (kind) {
      case 'credential':
        return 'The token was refused. Set a valid GITHUB_TOKEN and start AgentPR again.';
      case 'forbidden': {
        const wanted = [...new Set(parts.map((part) => permissions[part]))].join(', ');
        const fine = parts.includes('reports')
          ? ' Fine-grained tokens cannot read check runs: use a classic token, or look at the checks on GitHub before you merge.'
          : '';
        return `The token may not read this. Give it read access to: ${wanted}.${fine}`;
      }
      case 'missing':
        return 'It was deleted, made private or moved, or the token no longer covers it. Check both, or cancel the runs.';
      case 'refused':
        return 'Look at what GitHub says, or cancel the runs.';
      case 'limit':
        return 'There is nothing to do: GitHub said when to come back.';
      case 'host':
        return 'Nothing if it passes. If it lasts, check the network of this host and githubstatus.com.';
      case 'network':
        return 'Fix it on the host: `agentpr doctor` tries each way out of this network, and says what to set.';
      case 'long':
        return 'Look at the checks on GitHub before you merge.';
      case 'ours':
        return 'Look at the log on the host, and report it.';
    }
  },
  goesOn:
    'AgentPR keeps looking and catches up on what happens meanwhile. Nothing counts as green until it has been seen.',
};
