/** Keeps turns in the agent's HOME where there is no ledger: `agentpr run agent-step`. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StoredTexts, textsOfTurn, TurnFacts, turnFacts } from '#model/turn';
import { MB } from '#model/values';
import type { TurnRecorder } from '#ports/records';
import { placeFile } from '../../process/home-files.ts';

const MAX_SESSION_BYTES = 24 * MB;
const NAME = 'turns.json';

const Kept = z.object({
  turns: z.array(z.object({ seq: z.number().int(), facts: TurnFacts })).max(10_000),
  texts: StoredTexts,
});
type Kept = z.infer<typeof Kept>;

const readStoredSession = (directory: string): Kept => {
  const place = path.join(directory, NAME);
  const there = lstatSync(place, { throwIfNoEntry: false });
  const none = { turns: [], texts: {} };
  if (there?.isFile() !== true || there.size > MAX_SESSION_BYTES) return none;
  try {
    return Kept.safeParse(JSON.parse(readFileSync(place, 'utf8'))).data ?? none;
  } catch {
    return none;
  }
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const createFileRecorder = (directory: string): TurnRecorder => {
  const { turns, texts } = readStoredSession(directory);
  const text = (digest: string): string | null => texts[digest] ?? null;
  const past = turns.map((turn) => ({ ...turn, text }));
  return {
    past,
    next: (turns.at(-1)?.seq ?? 0) + 1,
    head: () => null,
    write: async (seq, draft) => {
      const all: Record<string, string> = {};
      const facts = turnFacts(draft, (one) => {
        const digest = sha256(one);
        all[digest] = one;
        return { digest, length: one.length };
      });
      for (const { digest } of textsOfTurn(facts)) texts[digest] ??= all[digest] ?? '';
      if (turns.at(-1)?.seq === seq) turns.pop();
      turns.push({ seq, facts });
      placeFile(directory, NAME, JSON.stringify({ turns, texts } satisfies Kept));
      return facts;
    },
  };
};
