/** Starts the control process: it receives as soon as its ledger is open, and handles once the rest is loaded. */
import { setImmediate as turn } from 'node:timers/promises';
import { combineChatLimits, loadChats } from '#chat';
import { createChatIntake } from './chat-intake.ts';
import type { ControlConfig } from './config.ts';
import { openProcess } from './opened-process.ts';
import type { AppOptions, RunningApp } from './running-app.ts';

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
