/** What right each button needs: that of the command which it stands for. */
import { neededFor } from '../../orchestrator/commands/read-command.ts';
import type { UserRole } from '../../orchestrator/core/roles.ts';
import type { ButtonVerb } from '../views/scene.ts';
import { ANSWERS_NEED } from './answer-permission.ts';

/**
 * A button needs what its command needs; words of others, and more of a budget, are an approver's
 * to pass on.
 */
// guard: G3-button-roles
export const BUTTON_ROLES = {
  open: neededFor('approve'),
  ok: neededFor('approve'),
  back: neededFor('approve'),
  deny: neededFor('deny'),
  denyas: neededFor('deny'),
  changes: neededFor('changes'),
  changeas: neededFor('changes'),
  risk: neededFor('detail'),
  diff: neededFor('diff'),
  text: neededFor('diff'),
  detail: neededFor('detail'),
  pending: neededFor('pending'),
  show: neededFor('detail'),
  retry: neededFor('retry'),
  resume: neededFor('resume'),
  overrule: neededFor('overrule'),
  cancel: neededFor('cancel'),
  start: neededFor('start'),
  rerun: neededFor('rerun'),
  without: neededFor('without'),
  update: neededFor('update'),
  revoke: neededFor('revoke'),
  take: neededFor('take'),
  fix: 'approver',
  raise: 'approver',
  begin: 'approver',
  choose: 'operator',
  ...({ page: 'viewer', remarks: 'viewer', out: 'viewer' } as const),
  hunkback: neededFor('diff'),
  hunkon: neededFor('diff'),
  fileback: neededFor('diff'),
  fileon: neededFor('diff'),
  nextrisk: neededFor('diff'),
  tocard: neededFor('diff'),
  picture: neededFor('diff'),
  all: neededFor('approve'),
  allsure: neededFor('approve'),
  allrest: neededFor('approve'),
  takeout: neededFor('approve'),
  pick: neededFor('approve'),
  each: neededFor('approve'),
  turn: neededFor('approve'),
  whole: neededFor('diff'),
  ...ANSWERS_NEED,
  batchgo: neededFor('batch'),
  batchhold: neededFor('batch'),
  batchon: neededFor('batch'),
  batchend: neededFor('batch'),
  batchsure: neededFor('batch'),
  batchcancel: neededFor('batch'),
  batchretry: neededFor('batch'),
  batchagain: neededFor('batch'),
  batchlearn: neededFor('campaign'),
  batchteach: neededFor('changes'),
  batchmore: neededFor('batch'),
  batchpulls: neededFor('campaign'),
  batchgiveup: neededFor('approve'),
  batchlook: neededFor('campaign'),
  batchfirst: neededFor('campaign'),
  batchbegin: neededFor('start'),
  batchskip: neededFor('skip'),
  batchsingly: neededFor('campaign'),
  // Each choice has a need of its own.
  give: 'viewer',
  // As what it says has.
  say: 'viewer',
  useas: 'viewer',
} satisfies Record<ButtonVerb, UserRole>;
export const isVerb = (verb: string): verb is ButtonVerb => Object.hasOwn(BUTTON_ROLES, verb);
