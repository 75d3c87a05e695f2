/** The control process as its starter uses it. */
import type { Run } from '#run';
import type { Ledger } from '#ports/ledger';
import type { BoardNeeds } from './board-parts.ts';
import type { ConnectionStatus } from './connection-monitor.ts';

export type RunningApp = {
  ledger: Ledger;
  address: string;
  /** O5: a link that opens the board once, within `validMs`; null where it is not served. */
  boardLink(person: { id: string; name: string }, validMs?: number): Promise<string | null>;
  /** Rejects when the bot cannot go on, e.g. with a refused token. */
  failed: Promise<never>;
  stop(): Promise<void>;
};

export type AppOptions = Pick<BoardNeeds, 'chatAddress'> & {
  onConnection?: (all: readonly ConnectionStatus[], changed: ConnectionStatus | null) => void;
  onWritten?: (run: Run, before: Run | null) => void;
};
