/** Folds a run's turns again without model, tool, policy or network (L5, E9). */
import { z } from 'zod';
import {
  isLegalTurnPath,
  textsOfTurn,
  TurnHead,
  type TurnAction,
  type TurnFacts,
  rankProposals,
  RANKING_VERSION,
  parseTurnFacts,
  readTurnTexts,
} from '#model/turn';
import type { EventRow } from '#ports/ledger';
import type { TurnRow } from '#ports/records';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

export type TurnFinding = {
  verdict: 'record' | 'decisions' | 'edits';
  turn: number | null;
  says: string;
};
export type FoldedTurn = { row: TurnRow; facts: TurnFacts; text: (digest: string) => string | null };
type FoldedTurns = {
  turns: FoldedTurn[];
  actions: number;
  proposals: number;
  findings: TurnFinding[];
  withoutTexts: number;
};

const Named = z.object({
  input: z.object({
    turns: TurnHead.optional().catch(undefined),
    usageSoFar: z.object({ turns: TurnHead.optional() }).nullish().catch(null),
  }),
});

const headsIn = (events: readonly EventRow[]): { seq: number; head: TurnHead }[] =>
  events.flatMap(({ seq, body }) => {
    if (!body.includes('"turns"')) return [];
    const input = Named.safeParse(JSON.parse(body)).data?.input;
    const head = input?.turns ?? input?.usageSoFar?.turns;
    return head ? [{ seq, head }] : [];
  });

const wrongTexts = ({ named, texts }: ReadTurn): string[] => {
  const says: string[] = [];
  for (const digest in texts) {
    const text = texts[digest] ?? '';
    if (!named.includes(digest)) says.push(`holds a text that it does not name (${digest.slice(0, 12)})`);
    else if (sha256Hex(text) !== digest)
      says.push(`holds another text than it names (${digest.slice(0, 12)})`);
  }
  return says;
};

type ReadTurn = {
  row: TurnRow;
  facts: TurnFacts | null;
  texts: Record<string, string> | null;
  named: readonly string[];
};
const readTurns = (rows: readonly TurnRow[]): ReadTurn[] =>
  rows.map((row) => {
    const facts = parseTurnFacts(row);
    const named = facts === null ? [] : textsOfTurn(facts).map(({ digest }) => digest);
    return { row, facts, texts: readTurnTexts(row), named };
  });

const rowFaults = (read: readonly ReadTurn[], events: readonly EventRow[]): TurnFinding[] => {
  const findings: TurnFinding[] = [];
  const reportTurn = (turn: number, says: string): void =>
    void findings.push({ verdict: 'record', turn, says: `turn ${turn} ${says}` });
  for (const one of read) {
    const { row, facts, texts } = one;
    if (row.fault !== null) reportTurn(row.seq, row.fault);
    if (facts === null) reportTurn(row.seq, 'is no record of a turn');
    if (texts === null) reportTurn(row.seq, 'holds no texts that can be read');
    // guard: L5-turn-texts
    if (facts !== null && texts !== null) for (const says of wrongTexts(one)) reportTurn(row.seq, says);
  }
  for (const { seq, head } of headsIn(events)) {
    const found = read.find(({ row }) => row.seq === head.seq);
    // guard: L5-turn-head
    if (found?.row.hash !== head.hash)
      reportTurn(head.seq, `is not the one that event ${seq} names, or is gone`);
  }
  return findings;
};

export const turnRowFaults = (rows: readonly TurnRow[], events: readonly EventRow[]): TurnFinding[] =>
  rowFaults(readTurns(rows), events);

type Before = { id: string; tool: string; verdict: string };

const decisionFaults = (
  { id, decision, outcome, after, replaces }: TurnAction,
  last: Before | undefined,
  all: ReadonlyMap<string, Before>,
): string[] => {
  const says: string[] = [];
  // guard: P4-turn-decided
  if (outcome !== null && decision === null) says.push('ran without a decision');
  if (decision === null) return says;
  // guard: P4-turn-policy-version
  if (decision.policyVersion === '') says.push('was decided under no version of the policies');
  // guard: P4-turn-rejected
  if (outcome !== null && (decision.verdict === 'rejected' || decision.verdict === 'waits'))
    says.push(`ran, although it was decided: ${decision.verdict}`);
  // guard: P4-turn-original
  if (decision.verdict === 'modified' && (decision.original !== id || decision.input === null))
    says.push('was modified, and does not name what it was');
  if (decision.verdict !== 'modified' && decision.input !== null)
    says.push('ran another input than was proposed, and was not modified');
  // guard: P4-turn-lineage
  if (after !== (last?.id ?? null))
    says.push(`names ${after ?? 'nothing'} as the decision before it, which was ${last?.id ?? 'none'}`);
  if (replaces !== null && all.get(replaces)?.verdict !== 'rejected')
    says.push(`takes the place of ${replaces}, which was not rejected`);
  return says;
};

const shapeFaults = ({ states, tools, thought, actions, evaluation }: TurnFacts): string[] => {
  const says: string[] = [];
  // guard: E9-turn-way
  if (!isLegalTurnPath(states)) says.push(`went a way that no turn goes: ${states.join(' → ')}`);
  if (thought.kind !== 'actions' && actions.length > 0)
    says.push(`acted on a thought that proposes nothing (${thought.kind})`);
  for (const { id, tool } of actions)
    // guard: E9-turn-tools
    if (!tools.names.includes(tool)) says.push(`used ${tool} in ${id}, which it did not have`);
  if (evaluation?.kind === 'done' && thought.kind !== 'report') says.push('was done without a report');
  return says;
};

const choiceFaults = ({ choice, thought, actions }: TurnFacts): string[] => {
  if (choice === undefined) return [];
  const { ranking, proposals, isLastTurn } = choice;
  const says: string[] = [];
  for (const { proposer, actions: wanted } of proposals)
    for (const { policyVersion, verdict, allowedBy } of wanted) {
      // guard: P4-proposal-policy-version
      if (policyVersion === '')
        says.push(`weighed a proposal of ${proposer} under no version of the policies`);
      // guard: P4-picked-was-granted
      if (allowedBy !== undefined && verdict !== 'granted')
        says.push(`names ${allowedBy} for a proposal of ${proposer} that nobody was asked to allow`);
    }
  const chosen = proposals.filter(({ result }) => result === 'chosen');
  const [at] = rankProposals(proposals, { isLastTurn });
  const best = at === undefined ? undefined : proposals[at];
  const isFirst = ranking !== RANKING_VERSION || chosen[0] === best;
  // guard: E9-turn-choice
  if (chosen.length !== (best ? 1 : 0) || !isFirst)
    says.push(
      `chose the proposal of ${chosen.map(({ proposer }) => proposer).join(' and ') || 'nobody'}, where that of ${best?.proposer ?? 'nobody'} goes first`,
    );
  const ran = actions.some(({ outcome }) => outcome !== null);
  if (chosen.length === 0 && ran) says.push('acted, although no proposal was chosen');
  const [one] = chosen;
  const isIts =
    one === undefined ||
    (one.thought.text?.digest === thought.text?.digest &&
      one.actions.length === actions.length &&
      one.actions.every(
        ({ tool, input }, i) => tool === actions[i]?.tool && input.digest === actions[i].input.digest,
      ));
  // guard: E9-turn-of-the-chosen
  if (!isIts) says.push(`acted otherwise than the proposal of ${one.proposer}, which was chosen`);
  return says;
};

export const foldTurns = (rows: readonly TurnRow[], events: readonly EventRow[]): FoldedTurns => {
  const read = readTurns(rows);
  const findings = rowFaults(read, events);
  const reportFinding = (turn: number, verdict: TurnFinding['verdict'], says: string): void =>
    void findings.push({ verdict, turn, says: `turn ${turn} ${says}` });
  const all = new Map<string, string>();
  const turns: FoldedTurn[] = [];
  const decided = new Map<string, Before>();
  const last = new Map<string, Before>();
  let actions = 0;
  let proposals = 0;
  let withoutTexts = 0;
  for (const [i, { row, facts, texts, named }] of read.entries()) {
    if (facts === null) continue;
    for (const digest in texts) all.set(digest, texts[digest] ?? '');
    if (named.some((digest) => !all.has(digest))) withoutTexts += 1;
    turns.push({ row, facts, text: (digest) => all.get(digest) ?? null });
    const over = facts.evaluation !== null;
    if (over !== row.ended) reportFinding(row.seq, 'record', 'is marked otherwise than it ended');
    if (!over && i < rows.length - 1)
      reportFinding(row.seq, 'record', 'is still under way, and another follows it');
    for (const says of [...shapeFaults(facts), ...choiceFaults(facts)])
      reportFinding(row.seq, 'decisions', says);
    proposals += facts.choice?.proposals.length ?? 0;
    for (const action of facts.actions) {
      actions += 1;
      const faults = decisionFaults(action, last.get(facts.session), decided);
      for (const says of faults)
        findings.push({ verdict: 'decisions', turn: row.seq, says: `action ${action.id} ${says}` });
      if (action.decision === null) continue;
      const now = { id: action.id, tool: action.tool, verdict: action.decision.verdict };
      decided.set(action.id, now);
      last.set(facts.session, now);
    }
  }
  return { turns, actions, proposals, findings, withoutTexts };
};
