/** Guards of the last doors, the two effects that make something public: each condition by itself. */
import type { Check, Guard } from './table.ts';

const OPEN = 'orchestrator/effects/open-pr.ts';
const OPENING = 'orchestrator/effects/opening.ts';
const PUSH = 'orchestrator/effects/push.ts';
const doors: Check = { test: 'tests/contracts/last-doors.test.ts' };
const READ_BACK = [
  'author',
  'target repository',
  'head repository',
  'target branch',
  'branch',
  'head',
  'title',
];
const READ_ALSO = ['description', 'draft flag'];
const row = (name: string, find: string, put = ''): Guard => ({
  ...{ rule: 'G1', name: `an opening’s approval ${name}`, file: OPEN, by: doors },
  find,
  put,
});
const door = (rule: string, name: string, file: string, find: string, put = ''): Guard => ({
  ...{ rule, name, file, by: doors },
  find,
  put,
});

export const LAST_DOORS: readonly Guard[] = [
  row('is for an opening', "row?.kind === 'open_pr' &&", 'row !== null &&'),
  row('is of this run', '      row.runId === claim.runId &&\n'),
  row('is used up', "      row.state === 'consumed' &&\n"),
  row('is used up by it', '      row.consumedBy === claim.id &&\n'),
  row('is for its digest', 'claim.id &&\n      row.digest === digest', 'claim.id'),
  door(
    'G2',
    'what was signed is published, not what came after',
    OPEN,
    '=== approvalId ? run.consumed.fields : need',
    '=== null ? run.consumed.fields : need',
  ),
  door(
    'G2',
    'a conflict cannot be approved away',
    OPEN,
    'now.digest === digest && !now.fields.conflicts)',
    'now.digest === digest)',
  ),
  door(
    'P3',
    'an opening that is denied by now asks for no signature',
    OPEN,
    "if (assessment.decision === 'deny')",
    'if (false)',
  ),
  door('G1', 'a lease that was lost opens nothing', OPEN, 'if (!(await live(o.claim))) return MOVED_ON;'),
  ...[...READ_BACK, ...READ_ALSO].map((what) =>
    door(
      'G1',
      `the ${what} is read back`,
      OPENING,
      '([, shown, signed]) => shown !== signed)',
      `([name, shown, signed]) => name !== '${what}' && shown !== signed)`,
    ),
  ),
  door('L4', 'only our own is adopted', OPENING, 'pull.author === login && readReceipt', 'readReceipt'),
  door(
    'L4',
    'only this run’s is adopted',
    OPENING,
    'readReceipt(pull.body)?.run === run.id',
    'readReceipt(pull.body) !== null',
  ),
  door(
    'L4',
    'only these bytes are adopted',
    OPENING,
    'isOfRun(pull, o) && readReceipt(pull.body)?.digest === o.digest',
    'isOfRun(pull, o)',
  ),
  door(
    'L6',
    'an answer that was lost is looked for',
    OPEN,
    "error.class === 'forge_refused' ? await existing(parts, o) : null",
    "error.class === 'forge_refused' ? null : null",
  ),
  door(
    'E14',
    'a push is of the commit that was checked',
    PUSH,
    'evaluation?.commitSha !== commitSha ||',
    '!evaluation ||',
  ),
  door('E14', 'a push is of a commit that passed', PUSH, ' || !evaluation.passed)', ')'),
  door(
    'G6',
    'a push goes out unsigned only where none is needed',
    PUSH,
    "} else if (evaluation.assessment.decision === 'deny' || needsSignature(run, evaluation.assessment)) {",
    '} else if (false) {',
  ),
  door('G6', 'a signed push has used its approval up', PUSH, "row.state !== 'consumed' || "),
  door('G6', 'a signed push has used it up itself', PUSH, ' || row.consumedBy !== claim.id'),
  door('P3', 'a push never goes to the default branch', PUSH, 'first === facts.defaultBranch || '),
  door('P3', 'a push never goes to its target', PUSH, " || first === need(run.base, 'base').ref"),
  door('G2', 'a push is read back', PUSH, 'if (head !== sha)\n', 'if (false)\n'),
  door(
    'G6',
    'a name that was signed is not changed',
    PUSH,
    ' && !run.pushed && approvalId === null)',
    ' && !run.pushed)',
  ),
];
