/** Records the turns of a round: facts for good, each text once, within the run's quota (E9). */
import { canonicalJson } from '#model/seal';
import {
  textsOfTurn,
  turnFacts,
  type TextRef,
  type TurnDraft,
  type TurnHead,
  parseTurnFacts,
  readRecordedTurns,
} from '#model/turn';
import { MB } from '#model/values';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import type { TurnRecorder } from '#ports/records';
import type { SystemClock } from '#ports/processes';
import type { EffectContext } from '../kernel/handlers/effect-context.ts';
import type { PromptEvidence } from './render-prompt.ts';

const MAX_TURN_TEXTS = 512_000;
const MAX_RUN_TEXTS = 16 * MB;

const guidesOf = (evidence: readonly PromptEvidence[]): TurnDraft['context']['parts'] =>
  evidence.map(({ title, ours, data }) => ({
    kind: 'guide',
    name: title.slice(0, 200),
    text: [ours, data].join('\n'),
  }));

/** L6: the process of a turn that is still under way was killed: nobody goes on with it. */
const closeInterrupted = async (ledger: EffectContext['ledger'], runId: string): Promise<void> => {
  const last = (await ledger.query.turns(runId)).at(-1);
  const facts = last && parseTurnFacts(last);
  if (!last || !facts || last.ended || last.fault !== null) return;
  const evaluation = { kind: 'interrupted', failure: null } as const;
  await ledger.turn({ ...last, ended: true, facts: canonicalJson({ ...facts, evaluation }) });
};

export const createTurnRecorder = async (
  { ledger, clock }: Pick<EffectContext, 'ledger'> & { clock: SystemClock },
  runId: string,
  attempt: number,
  evidence: readonly PromptEvidence[],
): Promise<TurnRecorder> => {
  await closeInterrupted(ledger, runId);
  const rows = await ledger.query.turns(runId);
  const past = readRecordedTurns(rows);
  const known = new Map<string, number>();
  let kept = 0;
  for (const { seq, texts } of past.stored)
    for (const [digest, text] of Object.entries(texts)) {
      known.set(digest, seq);
      kept += text.length;
    }
  let head: TurnHead | null = null;
  let guides = guidesOf(evidence);
  let guided = 0;

  return {
    past: past.turns,
    next: (rows.at(-1)?.seq ?? 0) + 1,
    head: () => head,
    write: async (seq, said) => {
      if (guided === 0) guided = seq;
      if (guided !== seq) guides = [];
      const draft = {
        ...said,
        context: { ...said.context, parts: [...said.context.parts, ...guides] },
      };
      const texts: Record<string, string> = {};
      let size = 0;
      const toTextRef = (text: string): TextRef => {
        const digest = sha256Hex(text);
        const isKept = (known.get(digest) ?? seq) < seq || texts[digest] !== undefined;
        // guard: L8-turn-quota
        if (!isKept && size + text.length <= MAX_TURN_TEXTS && kept + size + text.length <= MAX_RUN_TEXTS) {
          texts[digest] = text;
          size += text.length;
        }
        return { digest, length: text.length };
      };
      const facts = turnFacts(draft, toTextRef);
      const ended = facts.evaluation !== null;
      head = await ledger.turn({
        runId,
        seq,
        attempt,
        at: clock.now(),
        ended,
        facts: canonicalJson(facts),
        texts: JSON.stringify(texts),
      });
      if (ended) {
        kept += size;
        for (const { digest } of textsOfTurn(facts)) if (!known.has(digest)) known.set(digest, seq);
      }
      return facts;
    },
  };
};
