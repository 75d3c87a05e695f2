/** Policies on the destination of a change, and on published text. */
import { matchesGlob, type TextSignal } from '#text-safety';
import { countLinesToRead } from '#model/paths';
import { denyOpinion, escalateOpinion, type PolicyQuestion, type PolicyRows } from '../policy-types.ts';
import { isChangeAction, isTextAction, type GovernedAction } from '../governed-action.ts';
import { signalsIn, listPublicTexts } from '../public-texts.ts';

const plainRef = (ref: string): string => ref.replace(/^(?:refs\/)?heads\//i, '').toLowerCase();

const noDefaultBranch: PolicyQuestion = (action, context) => {
  if (!isChangeAction(action)) return [];
  const branch = plainRef(action.branch);
  const targets = [context.defaultBranch, action.baseRef].map(plainRef);
  const guarded = targets.includes(branch) || matchesGlob(branch, context.settings.protectedBranches);
  return guarded ? [denyOpinion({ kind: 'branch_guarded', branch: action.branch })] : [];
};

const firstIsSmall: PolicyQuestion = (action, { firstPull, settings }) => {
  if (action.kind !== 'open_pr' || firstPull !== true) return [];
  const lines = countLinesToRead(action.commit.diff);
  const limit = settings.maxFirstLines;
  return lines > limit ? [escalateOpinion({ kind: 'first_pull', lines, limit })] : [];
};

const tooMany: PolicyQuestion = (action, { openPrs, settings }) => {
  if (action.kind !== 'open_pr') return [];
  if (openPrs === null) return [escalateOpinion({ kind: 'open_pulls_unknown' })];
  if (openPrs < settings.maxOpenPrs) return [];
  return [escalateOpinion({ kind: 'open_pulls', count: openPrs, limit: settings.maxOpenPrs })];
};

/** Also matches sentences that only mention the command. */
const ORDERS_MERGE =
  /@[\w-]{1,60}(?:\[bot\])?[ \t]{1,9}(?:please[ \t]{1,9})?(?:merge|squash|automerge|queue)\b/i;

/** Comments can make bots merge: a signature cannot permit it there (S8). */
const ordersBot = (action: GovernedAction, signal: TextSignal): boolean =>
  isTextAction(action) && (signal.kind === 'bot_command' || ORDERS_MERGE.test(action.body));

const publicText: PolicyQuestion = (action, context) =>
  listPublicTexts(action).flatMap(([where, text]) =>
    signalsIn(action, where, text, context).map((s) => {
      const never = ordersBot(action, s);
      const { kind: signal, excerpt } = s;
      return (never ? denyOpinion : escalateOpinion)({
        kind: 'public_text_signal',
        where,
        signal,
        excerpt,
        never,
      });
    }),
  );

/** The code host's limit of a comment (characters). */
const MOST_CHARACTERS = 65_536;

const commentLength: PolicyQuestion = (action, { settings }) => {
  if (!isTextAction(action)) return [];
  const { length } = action.body;
  if (action.body.trim() === '') return [denyOpinion({ kind: 'comment_empty' })];
  if (length > MOST_CHARACTERS) return [denyOpinion({ kind: 'comment_too_long', length })];
  return length > settings.maxCommentLength
    ? [escalateOpinion({ kind: 'comment_long', length, limit: settings.maxCommentLength })]
    : [];
};

const commentNeedsHuman: PolicyQuestion = (action) =>
  isTextAction(action) ? [escalateOpinion({ kind: 'comment_signed' })] : [];

export const targetPolicies = {
  'no-push-to-default-branch': {
    asks: [noDefaultBranch],
    version: 1,
    settings: ['protectedBranches'],
    card: 'shared',
  },
  'open-pr-limit': {
    asks: [tooMany, firstIsSmall],
    version: 1,
    settings: ['maxOpenPrs', 'maxFirstLines'],
    card: 'shared',
  },
  'public-text': { asks: [publicText], version: 1, settings: [], card: 'own' },
  'comment-length': { asks: [commentLength], version: 1, settings: ['maxCommentLength'], card: 'shared' },
  'comment-needs-human': { asks: [commentNeedsHuman], version: 1, settings: [], card: 'shared' },
} as const satisfies PolicyRows;
