/**
 * Mutants that no test can notice, and why. `code` stands on the line that is changed; `puts`, where it is given, is what was
 * put there. A row that explains nothing any more is refused by main.ts.
 */
import type { Mutant } from './report.ts';

export type Explained = { file: string; code: string; puts?: readonly string[]; why: string };

const NEVER_ABSENT = 'only the type needs it: what is looked for is there whenever this is reached';

export const SURVIVORS: readonly Explained[] = [
  {
    file: 'orchestrator/core/seal.ts',
    code: 'a < b ? -1',
    puts: ['a <= b'],
    why: 'no two keys of an object are equal',
  },
  {
    file: 'orchestrator/engine/digest.ts',
    code: 'prepared.set(key, known)',
    why: 'it saves time and says nothing',
  },
  {
    file: 'orchestrator/core/publish/receipt.ts',
    code: '} catch (error) {',
    why: 'nothing is no receipt either',
  },
  {
    file: 'orchestrator/core/publish/receipt.ts',
    code: 'error instanceof SyntaxError',
    why: 'JSON.parse throws nothing else',
  },
  { file: 'orchestrator/core/publish/receipt.ts', code: 'match.groups?.', why: NEVER_ABSENT },
  {
    file: 'bot/commands/tokens.ts',
    code: 'SHAPE.exec(text) ?? []',
    why: 'what is no token is refused on the next line',
  },
  {
    file: 'bot/commands/tokens.ts',
    code: 'verb === undefined || number',
    why: 'the three are there together, or none is',
  },
  { file: 'bot/commands/roles.ts', code: 'return known ? [', why: NEVER_ABSENT },
  { file: 'bot/places.ts', code: 'if (chat >= 0)', puts: ['chat > 0'], why: 'no chat has the id 0' },
  {
    file: 'bot/documents.ts',
    code: 'patch.split(',
    why: 'where a patch is taken apart changes only how soon others are served',
  },
  { file: 'bot/documents.ts', code: 'words.diff.none(run?.id', why: NEVER_ABSENT },
  {
    file: 'bot/tell.ts',
    code: "if (show.view === 'gate' && run && message",
    why: 'no other view has such a slot',
  },
  { file: 'bot/tell.ts', code: 'attempts: []', why: 'the view of a comment shows no attempts' },
  { file: 'bot/tell.ts', code: 'Promise.resolve([])', why: 'no other view shows attempts' },
  {
    file: 'bot/tell.ts',
    code: 'gone.size >= MOST_GONE',
    why: 'it bounds what is remembered; to ask once more is no harm',
  },
  {
    file: 'bot/tell.ts',
    code: "row.do.kind !== 'tell' || row.do.show.view",
    why: 'no other effect has a card with that id',
  },
];

export const explained = ({ file, text, put }: Mutant): Explained | null =>
  SURVIVORS.find((s) => s.file === file && text.includes(s.code) && (s.puts?.includes(put) ?? true)) ?? null;
