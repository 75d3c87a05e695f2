/** An order's issue and its status, read from the code host and never from a text. */
import { z } from 'zod';
import { findIssueReferences } from './issue-references.ts';

/** `missing`: it does not exist; `unread`: it could not be read. */
export const IssueFacts = z.object({
  id: z.string(),
  state: z.enum(['open', 'closed', 'missing', 'unread']),
  assignees: z.array(z.string()),
  ours: z.boolean(),
  labels: z.array(z.string()),
  pullsUnread: z.string().max(100).exactOptional(),
  locked: z.literal(true).exactOptional(),
});
export type IssueFacts = z.infer<typeof IssueFacts>;

export const ISSUE_STANDINGS = [
  'fine',
  'none',
  'missing',
  'unread',
  'closed',
  'assigned_elsewhere',
  'locked',
  'unassigned',
  'not_accepted',
] as const;
type IssueStanding = (typeof ISSUE_STANDINGS)[number];

const ACCEPTED =
  /\b(?:accept\w*|approved|confirmed|triaged?|help[- ]wanted|ready(?:[- ]for[- ](?:work|dev\w*|pr))?|good[- ]first[- ]issues?|contributions?[- ]welcome|up[- ]for[- ]grabs|status: ?(?:accepted|ready))\b/i;
const NOT_YET = /\b(?:needs?|awaiting|pending|not|un)[- ]?(?:triage\w*|accept\w*|approv\w*|confirm\w*)/i;

const isAccepted = (labels: readonly string[]): boolean =>
  labels.some((l) => ACCEPTED.test(l) && !NOT_YET.test(l));

const plainLabel = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
export const hasSimilarLabel = (labels: readonly string[], label: string | undefined): boolean => {
  const sought = plainLabel(label ?? '').replace(/s$/, '');
  return sought !== '' && labels.some((l) => plainLabel(l).includes(sought));
};

/** `wants`: the repository's requirement (`open`, `accepted`, `assigned`), or null. */
export const issueStanding = (issue: IssueFacts | null, wants: string | null): IssueStanding => {
  if (!issue) return wants === null ? 'fine' : 'none';
  if (issue.state !== 'open') return issue.state;
  if (issue.assignees.length > 0 && !issue.ours) return 'assigned_elsewhere';
  if (wants === null && issue.locked) return 'locked';
  if (wants === 'assigned' && !issue.ours) return 'unassigned';
  if (wants === 'accepted' && !issue.ours && !isAccepted(issue.labels)) return 'not_accepted';
  return 'fine';
};

/** F10: somebody else works on it, or nobody needs to. */
export const checkIssueFree = (
  issue: IssueFacts | null,
): {
  kind: 'issue_not_free';
  issue: string;
  standing: 'assigned_elsewhere' | 'closed';
  assignees: string[];
} | null => {
  const standing = issueStanding(issue, null);
  if (!issue || (standing !== 'assigned_elsewhere' && standing !== 'closed')) return null;
  return { kind: 'issue_not_free', issue: issue.id, standing, assignees: issue.assignees.slice(0, 5) };
};

const REPOSITORY_AND_NUMBER = /^(?:https?:\/\/[^/]+\/)?(?:(.+?)(?:\/-)?(?:\/issues\/|#)|#)(\d+)$/;

export const findNamedIssue = (words: string, repo: string): string | null => {
  for (const ref of findIssueReferences(words)) {
    const [, elsewhere, number = ''] = REPOSITORY_AND_NUMBER.exec(ref) ?? [];
    if (elsewhere === undefined || elsewhere.toLowerCase() === repo.toLowerCase()) return `#${number}`;
  }
  return null;
};
