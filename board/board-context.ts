/** Types of the board: its parts, what a page is given, and what it answers. */
import type { FileOf, PatchOf } from '../bot/commands/command-context.ts';
import type { PatchBook } from '#chat-text';
import type { LanguageTexts, WordsFor } from '#language';
import type { BoardAccess, BoardVisitor } from '#notices';
import type { ReplayResult } from '#audit';
import type { KeyDecisions, KeyOrigin, PasskeyStore } from '#passkeys';
import type { ReportService } from '#reports';
import type { SpendingReport } from '#limits';
import type { LedgerQueries } from '#ports/ledger';
import type { LogPort, SystemClock } from '#ports/processes';
import type { ReadableLog } from '#ports/workspaces';
import type { Refusal } from '#run';
import type { Markup } from './markup.ts';

type BoardKeys = {
  passkeys: PasskeyStore;
  decisions: KeyDecisions;
  origin: () => KeyOrigin | null;
  onRegistered(person: { id: string; name: string }, fingerprint: string): Promise<unknown>;
};

type WordsOutcome = { kind: 'queued' } | { kind: 'role' } | { kind: 'refused'; reason: Refusal | null };

export type BoardParts = {
  access: BoardAccess;
  query: LedgerQueries;
  patch: PatchOf;
  fileOf: FileOf;
  readBook: (patch: string) => Promise<PatchBook>;
  distillLog: (log: string) => Promise<string>;
  readLog: (log: string) => Promise<Pick<ReadableLog, 'steps' | 'shown'>>;
  replay: (runId: string) => Promise<ReplayResult>;
  reports: ReportService;
  /** P7: this month, beside its limits. */
  costs: () => Promise<SpendingReport>;
  wordsFor: WordsFor;
  chatAddress: (payload: string) => string | null;
  serverUrl: string;
  /** Verifies `initData` of the Mini App; null where it is off. */
  appToken: string | null;
  /** E21: says words to the agent of a run, as the person who is signed in; null where nobody may. */
  tell:
    | ((
        by: Pick<BoardVisitor, 'id' | 'name'>,
        runId: string,
        words: string,
        when: 'now' | 'after',
      ) => Promise<WordsOutcome>)
    | null;
  /** G11: null where nobody decides here. */
  keys: BoardKeys | null;
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
};

export type PageContext = {
  parts: BoardParts;
  visitor: BoardVisitor;
  words: LanguageTexts;
  now: number;
  url: URL;
  params: Readonly<Record<string, string>>;
  knownTag: string | null;
  /** `/board`, or `/board/app` inside Telegram. */
  base: string;
};

export type BoardAnswer = {
  status?: number;
  type: string;
  body: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
};

export type BoardPage = {
  title: string;
  here?: 'inbox' | 'campaigns' | 'figures';
  body: Markup;
  status?: number;
  /** The page is outdated when this run, or any, was written; absent for a page that stays. */
  watches?: { run: string } | 'all';
  wide?: boolean;
  /** It has steps that a script plays. */
  plays?: boolean;
  opensApp?: boolean;
  /** It asks the person's own key for something. */
  asksKey?: boolean;
};
