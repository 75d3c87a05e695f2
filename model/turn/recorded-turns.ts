/** Reads the stored facts and texts of an agent's turns, as far as they are our own. */
import { TurnFacts, type RecordedTurn } from './turn-record.ts';

type StoredTurn = { seq: number; facts: string; texts: string; fault: string | null };

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const textsOf = (read: unknown): Record<string, string> | null =>
  typeof read === 'object' &&
  read !== null &&
  !Array.isArray(read) &&
  Object.values(read).every((text) => typeof text === 'string')
    ? (read as Record<string, string>)
    : null;

export const readTurnTexts = ({ texts }: Pick<StoredTurn, 'texts'>): Record<string, string> | null =>
  texts === '' ? {} : textsOf(tryParseJson(texts));

export const parseTurnFacts = ({ facts }: Pick<StoredTurn, 'facts'>): TurnFacts | null =>
  TurnFacts.safeParse(tryParseJson(facts)).data ?? null;

export const readRecordedTurns = (
  rows: readonly StoredTurn[],
): {
  turns: RecordedTurn[];
  stored: { seq: number; texts: Record<string, string> }[];
} => {
  const all = new Map<string, string>();
  const stored: { seq: number; texts: Record<string, string> }[] = [];
  const turns: RecordedTurn[] = [];
  for (const row of rows) {
    const facts = parseTurnFacts(row);
    const texts = readTurnTexts(row);
    // guard: L5-own-turns
    if (row.fault !== null || facts === null || texts === null) break;
    stored.push({ seq: row.seq, texts });
    for (const [digest, text] of Object.entries(texts)) all.set(digest, text);
    turns.push({ seq: row.seq, facts, text: (digest) => all.get(digest) ?? null });
  }
  return { turns, stored };
};
