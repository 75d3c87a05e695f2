/** Turns the answers of several proposers into proposals with verdict, evidence and size (E9). */
import { extractQuestion } from '#model/agent';
import { canonicalJson } from '#model/seal';
import type { DraftedProposal, KnownOfProposal } from '#model/turn';
import type { WeighedRequest } from '#ports/processes';
import { readAgentReport } from '../shared/agent-report.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import { toActionPermissionRequest, toRecordedRequest } from './govern-action.ts';
import type { BoxTools } from './box-tools.ts';
import type { FileDigests } from './file-digests.ts';
import {
  serializeMessage,
  parseThought,
  TOO_LONG,
  type ProposedAction,
  type ToolName,
} from './parse-thought.ts';
import type { ProposerReply } from './think-together.ts';

type Around = {
  talk: Pick<ProgramConversation, 'weigh' | 'workspace'>;
  tools: BoxTools;
  files: Pick<FileDigests, 'isKnown'>;
  shielded: readonly string[];
  allowed: readonly ToolName[];
  checked: boolean;
};

const SIZE_OF_GIVING_UP = 1_000_000;

const sizeOf = ({ tool, input }: ProposedAction): number =>
  tool === 'patch' ? String(input.patch).split('\n').length : 0;

const draftAction = async (
  action: ProposedAction,
  { talk }: Around,
): Promise<DraftedProposal['actions'][number]> => {
  const asked = toActionPermissionRequest(action, talk.workspace);
  const said = await talk.weigh(asked);
  const verdict: WeighedRequest['verdict'] = asked.outside === true ? 'deny' : said.verdict;
  const { risk, policies, policyVersion } = said.governed;
  return {
    tool: action.tool,
    input: canonicalJson({ ...action.input }),
    request: toRecordedRequest(asked),
    verdict,
    risk,
    policies: [...policies],
    policyVersion,
    reason: said.reason?.slice(0, 500) ?? null,
    ...(verdict === 'granted' && said.by !== undefined ? { allowedBy: said.by } : {}),
  };
};

const evidenceOf = async (
  actions: readonly ProposedAction[],
  drafts: DraftedProposal['actions'],
  { tools, files, shielded }: Around,
): Promise<KnownOfProposal[]> => {
  const edits = actions.filter(({ tool }) => tool === 'patch');
  if (edits.length === 0) return [];
  const named = drafts.flatMap(({ tool, request }) => (tool === 'patch' ? (request.files ?? []) : []));
  const fits: boolean[] = [];
  for (const { input } of edits)
    fits.push((await tools.use('patch', { ...input, protects: shielded, dry: true })).ok);
  return [
    ...(named.length > 0 && named.every((file) => files.isKnown(file)) ? (['read'] as const) : []),
    ...(fits.every(Boolean) ? (['fits'] as const) : []),
  ];
};

const draftProposal = async (
  { proposer, reply, usage, ms }: ProposerReply,
  around: Around,
): Promise<DraftedProposal> => {
  const { name, model, prompt } = proposer;
  const base = { proposer: name, model, prompt, failure: null, actions: [], ends: false, usage, ms };
  const nothing = { ...base, evidence: [], size: 0 };
  if (reply.kind === 'refused')
    return {
      ...nothing,
      thought: { kind: 'none', text: null, problem: null },
      failure: reply.failure.class,
      result: 'failed',
    };
  const text = serializeMessage(reply);
  if (reply.cut) return { ...nothing, thought: { kind: 'cut', text, problem: TOO_LONG }, result: 'invalid' };
  const read = parseThought(reply, around.allowed);
  if ('why' in read) {
    const asks = reply.calls.length === 0 && extractQuestion(reply.text) !== null;
    return asks
      ? {
          ...nothing,
          thought: { kind: 'question', text, problem: null },
          ends: true,
          size: SIZE_OF_GIVING_UP,
          result: 'not_chosen',
        }
      : { ...nothing, thought: { kind: 'invalid', text, problem: read.why }, result: 'invalid' };
  }
  if (read.thought.done) {
    const told = readAgentReport(read.thought.report);
    const isDone = told.kind === 'valid' && told.report.status === 'done';
    return {
      ...nothing,
      thought: { kind: 'report', text, problem: null },
      ends: true,
      evidence: isDone && around.checked ? ['checked'] : [],
      size: isDone ? 0 : SIZE_OF_GIVING_UP,
      result: 'not_chosen',
    };
  }
  const proposed = read.thought.actions;
  const actions = await Promise.all(proposed.map((action) => draftAction(action, around)));
  return {
    ...base,
    thought: { kind: 'actions', text, problem: null },
    actions,
    evidence: await evidenceOf(proposed, actions, around),
    size: proposed.reduce((sum, action) => sum + sizeOf(action), 0),
    result: 'not_chosen',
  };
};

const wishOf = ({ thought, actions, size }: DraftedProposal): string | null => {
  if (thought.kind === 'actions') return JSON.stringify(actions.map(({ tool, input }) => [tool, input]));
  return thought.kind === 'report' && size === 0 ? 'done' : null;
};

export const evaluateProposals = async (
  replies: readonly ProposerReply[],
  around: Around,
): Promise<DraftedProposal[]> => {
  const drafts = await Promise.all(replies.map((reply) => draftProposal(reply, around)));
  const wishes = drafts.map(wishOf);
  return drafts.map((draft, i) => {
    const isAgreed = wishes.some((wish, j) => i !== j && wish !== null && wish === wishes[i]);
    return isAgreed ? { ...draft, evidence: [...draft.evidence, 'agreed'] } : draft;
  });
};
