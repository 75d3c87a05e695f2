/** `agentpr insights` (O7): what costs attention. What it proposes, an admin applies in the chat. */
import type { Command } from 'commander';
import { hostOf } from '../app/house.ts';
import { LANGUAGES } from '../bot/language/language.ts';
import { strip } from '../bot/text/text.ts';
import { renderInsights } from '../bot/views/insights.ts';
import { openReader } from '../db/directory/read.ts';
import { ENGINE_NAMES } from '../executors/engines/engines.ts';
import { LOOKS_BACK, readDays, writeDays } from '../orchestrator/core/reported.ts';
import { createFigures } from '../orchestrator/engine/figures.ts';
import { houseNow } from '../orchestrator/engine/house-settings.ts';
import { insightsNow, type InsightsNow } from '../orchestrator/engine/insights.ts';
import { database, dataDir, fileSettings, print, printJson, readEnvironment } from './environment.ts';
import { EXIT, Exit } from './exit.ts';

type Options = { since: string; json?: boolean; data?: string };

const readInsights = async ({ since, data }: Options, now: number): Promise<InsightsNow> => {
  const period = readDays(since);
  if (!period) throw new Exit(EXIT.usage, `“${since}” is not a period to look at. Write 30d, 12w or all.`);
  const engine = ENGINE_NAMES.find((name) => name === readEnvironment().AGENTPR_ENGINE) ?? 'script';
  const host = hostOf({ engine, file: fileSettings() });
  const ledger = openReader(dataDir(data), { snapshot: true, database: database() });
  try {
    const { query } = ledger;
    const values = await houseNow(ledger, host);
    const figures = createFigures({ query });
    return await insightsNow({ figures, query, values, limits: host.limits }, period.days, now);
  } finally {
    await ledger.close();
  }
};

const insights = async (options: Options): Promise<void> => {
  const found = await readInsights(options, Date.now());
  const { insights: own, offers, followed } = found;
  if (options.json) return printJson({ ...own, offers, followed });
  const lines = offers.map(({ setting, to }) => `/settings ${setting} ${to}`);
  print(strip(renderInsights(found, 'admin', LANGUAGES.en).html));
  if (lines.length > 0) print(`An admin applies it in the chat:\n${lines.join('\n')}`);
};

export const addInsightsCommand = (program: Command): void => {
  program
    .command('insights')
    .option('--since <time>', 'of runs ordered in this time: 30d, 12w, all', writeDays(LOOKS_BACK))
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(insights);
};
