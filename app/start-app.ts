/** Starts the control process: it receives as soon as its ledger is open, and handles once the rest is loaded. */
import { setImmediate as turn } from 'node:timers/promises';
import { combineChatLimits, loadChats } from '#chat';
import type { Run } from '#run';
import type { Ledger } from '#ports/ledger';
import type { BoardNeeds } from './board-parts.ts';
import { createChatIntake } from './chat-intake.ts';
import type { ControlConfig } from './config.ts';
import type { ConnectionStatus } from './connection-monitor.ts';
import { openProcess } from './opened-process.ts';

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

export const startApp = async (config: ControlConfig, options: AppOptions = {}): Promise<RunningApp> => {
  const loaded = await loadChats(config.chats);
  const opened = await openProcess(config, combineChatLimits(loaded));
  const intake = createChatIntake(config, loaded, opened);
  await intake.receive();
  // The first request leaves before modules are read.
  await turn();
  const { startHandling } = await import('./start-handling.ts');
  return startHandling(config, { opened, intake }, options);
};
