/** Chooses one of several proposals, and tells the next turn why not the others (E9). */
import {
  isDeniedProposal,
  isValidProposal,
  rankProposals,
  type DraftedProposal,
  type ProposalResult,
} from '#model/turn';
import type { PermissionRequest } from '#ports/processes';
import { restorePermissionRequest } from './govern-action.ts';
import { parseMessageText } from './parse-thought.ts';

export type Chosen = { at: number | null; proposals: DraftedProposal[] };

export const chooseProposal = (
  drafts: readonly DraftedProposal[],
  { isLastTurn }: { isLastTurn: boolean },
): Chosen => {
  const [best] = rankProposals(drafts, { isLastTurn });
  const denied = drafts.findIndex((one) => isValidProposal(one));
  const invalid = drafts.findIndex(({ result }) => result === 'invalid');
  const at = best ?? (denied >= 0 ? denied : invalid >= 0 ? invalid : null);
  const resultOf = (draft: DraftedProposal, index: number): ProposalResult => {
    if (!isValidProposal(draft)) return draft.result;
    if (isDeniedProposal(draft)) return 'denied';
    return index === best ? 'chosen' : 'not_chosen';
  };
  return { at, proposals: drafts.map((draft, i) => ({ ...draft, result: resultOf(draft, i) })) };
};

type OtherProposal = {
  proposer: string;
  result: ProposalResult;
  actions: readonly { tool: string; input: string | null; reason: string | null }[];
  thought: string | null;
  problem: string | null;
  failure: string | null;
};

const MAX_REASON_LENGTH = 400;
const MAX_INPUT_LENGTH = 1_200;
const WHY: Readonly<Record<ProposalResult, string>> = {
  chosen: 'it was done',
  not_chosen: 'another proposal went before it',
  denied: 'it is denied',
  invalid: 'it counted for nothing',
  failed: 'no answer came',
};

const lineOf = ({ proposer, result, actions, thought, problem, failure }: OtherProposal): string => {
  const denied = actions.find(({ reason }) => reason !== null)?.reason;
  const why = (result === 'denied' ? denied : null) ?? problem ?? failure;
  const wanted = actions.map(({ tool, input }) => `${tool} ${(input ?? '').slice(0, MAX_INPUT_LENGTH)}`);
  const reason =
    thought === null ? '' : parseMessageText(thought).replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
  return [
    `- ${proposer}: ${WHY[result]}${why ? `: ${why}` : ''}`,
    ...wanted.map((one) => `  it wanted: ${one}`),
    ...(reason === '' ? [] : [`  it said: ${reason}`]),
  ].join('\n');
};

export const renderOtherProposals = (others: readonly OtherProposal[]): string | null =>
  others.length === 0
    ? null
    : ['Others proposed something in this turn as well. Nothing of it was done:', ...others.map(lineOf)].join(
        '\n',
      );

export const listOtherProposals = ({ at, proposals }: Chosen): OtherProposal[] =>
  proposals
    .filter((_, i) => i !== at)
    .map(({ thought, ...rest }) => ({ ...rest, thought: thought.text, problem: thought.problem }));

/** Lists for each other proposal the action that a person would be asked about, else its first. */
export const listAlternativeActions = ({
  at,
  proposals,
}: Chosen): NonNullable<PermissionRequest['alternatives']> =>
  proposals.flatMap(({ proposer, result, actions }, i) => {
    const action = actions.find(({ verdict }) => verdict === 'ask') ?? actions[0];
    const isOther = i !== at && result === 'not_chosen' && action !== undefined;
    return isOther ? [{ proposer, request: restorePermissionRequest(action) }] : [];
  });
