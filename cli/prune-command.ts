/** `agentpr prune`: removes images that no sandbox has used for a while, and containers left behind. */
import { mkdirSync, realpathSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import { pruneContainers } from '#sandbox';
import { explainBoxFault } from '../app/sandbox-setup.ts';
import { loadConfig } from './load-config.ts';
import { printJson, printRedacted } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';

const KEEP_DAYS = 30;

const readDays = (text: string): number => {
  const days = Number(text);
  if (text.trim() !== '' && days >= 0 && Number.isFinite(days)) return days;
  throw new InvalidArgumentError('');
};

const pruneUnusedImages = async ({ days, json }: { days: number; json?: boolean }): Promise<void> => {
  const { dataDir, file, operator } = loadConfig();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const pruned = await pruneContainers({
    dataDir: realpathSync(dataDir),
    engine: file.containers.engine,
    env: operator.env,
    hosts: file.boxes.map(({ host }) => host),
    keepDays: days,
    now: Date.now(),
  });
  if ('fault' in pruned)
    throw new CommandExit(EXIT_CODES.unavailable, {
      kind: 'told',
      says: explainBoxFault(cliWords(), pruned.fault),
    });
  if (json) return printJson(pruned);
  const { containers, images, kept } = pruned;
  printRedacted(cliWords().commandLine.pruned({ containers, images, kept: kept.length }));
};

export const addPruneCommand = (program: Command): void => {
  program
    .command('prune')
    .option('--days <days>', 'keep images that were used within so many days', readDays, KEEP_DAYS)
    .option('--json', 'print JSON')
    .action(pruneUnusedImages);
};
