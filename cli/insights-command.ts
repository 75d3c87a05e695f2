/** `agentpr insights` (O7): prints what costs attention; an admin applies proposals in chat. */
import type { Command } from 'commander';
import { settingsHostOf } from '../app/runtime-settings.ts';
import { stripMarkup } from '#chat-text';
import { renderInsights } from '#report-views';
import { openReader } from '#db';
import { ENGINE_NAMES } from '#engines';
import { DEFAULT_INSIGHT_DAYS, readDays, formatReportDays } from '#model/reports';
import { createFigures, readCurrentInsights, type InsightsNow } from '#reports';
import { currentSettings } from '#settings';
import { readDatabaseUrl, resolveDataDir, readFileSettings, readRawEnvironment } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';

type Options = { since: string; json?: boolean; data?: string };

const readInsights = async ({ since, data }: Options, now: number): Promise<InsightsNow> => {
  const period = readDays(since);
  if (!period) throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_insight_period', since });
  const engine = ENGINE_NAMES.find((name) => name === readRawEnvironment().AGENTPR_ENGINE) ?? 'script';
  const host = settingsHostOf({ engine, file: readFileSettings() });
  const ledger = openReader(resolveDataDir(data), { snapshot: true, database: readDatabaseUrl() });
  try {
    const { query } = ledger;
    const values = await currentSettings(ledger, host);
    const figures = createFigures({ query });
    return await readCurrentInsights({ figures, query, values, limits: host.limits }, period.days, now);
  } finally {
    await ledger.close();
  }
};

const printInsights = async (options: Options): Promise<void> => {
  const found = await readInsights(options, Date.now());
  const { insights: own, offers, followed } = found;
  if (options.json) return printJson({ ...own, offers, followed });
  const lines = offers.map(({ setting, to }) => `/settings ${setting} ${to}`);
  const texts = cliWords();
  printRedacted(stripMarkup(renderInsights(found, 'admin', texts).html));
  if (lines.length > 0) printRedacted(texts.commandLine.insights.apply({ lines: lines.join('\n') }));
};

export const addInsightsCommand = (program: Command): void => {
  program
    .command('insights')
    .option(
      '--since <time>',
      'of runs ordered in this time: 30d, 12w, all',
      formatReportDays(DEFAULT_INSIGHT_DAYS),
    )
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(printInsights);
};
