/** `agentpr report`: prints figures of runs as a table, Markdown, CSV, JSON or a chart. */
import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { renderCosts, renderReport, reportMarkdown, renderReportChart, reportCsv } from '#report-views';
import { stripMarkup } from '#chat-text';
import { openReader } from '#db';
import { createFigures, readCurrentReport, type PeriodReport } from '#reports';
import {
  REPORT_GROUPINGS,
  readDays,
  DEFAULT_REPORT,
  formatReportDays,
  type ReportGrouping,
} from '#model/reports';
import { readSpending } from '#limits';
import { readBudgets } from '../app/runtime-settings.ts';
import { readDatabaseUrl, resolveDataDir, loadConfig } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';

type Options = {
  since: string;
  by: ReportGrouping;
  json?: boolean;
  csv?: boolean;
  md?: boolean;
  svg?: string;
  cost?: boolean;
  data?: string;
};

export const readRunReport = async (
  { since, by, data }: Pick<Options, 'since' | 'by' | 'data'>,
  now = Date.now(),
): Promise<PeriodReport> => {
  const period = readDays(since);
  if (!period) throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_report_period', since });
  const ledger = openReader(resolveDataDir(data), { snapshot: true, database: readDatabaseUrl() });
  try {
    return (await readCurrentReport(createFigures({ query: ledger.query }), { ...period, by }, now)).report;
  } finally {
    await ledger.close();
  }
};

/** P7: by person, campaign, repository and engine, this month. */
const printCosts = async ({ data, json }: Options): Promise<void> => {
  const ledger = openReader(resolveDataDir(data), { snapshot: true, database: readDatabaseUrl() });
  try {
    const config = loadConfig();
    const budgets = () => readBudgets(ledger, config);
    const found = await readSpending({ ledger, budgets, clock: { now: () => Date.now() } });
    if (json) return printJson(found);
    printRedacted(stripMarkup(renderCosts(found, 'viewer', cliWords()).html));
  } finally {
    await ledger.close();
  }
};

const printReport = async (options: Options): Promise<void> => {
  if (options.cost) return printCosts(options);
  const found = await readRunReport(options);
  const texts = cliWords();
  if (options.svg !== undefined) writeFileSync(options.svg, renderReportChart(found, texts));
  if (options.json) return printJson(found);
  if (options.csv) return printRedacted(reportCsv(found));
  if (options.md) return printRedacted(reportMarkdown(found, texts).trimEnd());
  if (options.svg !== undefined) return printRedacted(texts.commandLine.report.chart({ file: options.svg }));
  printRedacted(stripMarkup(renderReport(found, false, texts).html));
};

export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .option(
      '--since <time>',
      'of runs ordered in this time: 30d, 12w, all',
      formatReportDays(DEFAULT_REPORT.days),
    )
    .addOption(
      new Option('--by <group>', 'how runs are grouped').choices(REPORT_GROUPINGS).default(DEFAULT_REPORT.by),
    )
    .addOption(new Option('--json', 'print JSON').conflicts(['csv', 'md']))
    .addOption(new Option('--csv', 'print CSV; times are seconds').conflicts('md'))
    .option('--md', 'print a Markdown table')
    .option('--cost', 'what this month cost, by person, campaign, repository and engine, beside its limits')
    .option('--svg <file>', 'write a chart there')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(printReport);
};
