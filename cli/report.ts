/** `agentpr report`: what runs took, as a table, Markdown, CSV, JSON or a chart. */
import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { LANGUAGES } from '../bot/language/language.ts';
import { renderReport, reportTable } from '../bot/views/report.ts';
import { strip } from '../bot/text/text.ts';
import { openReader } from '../db/directory/read.ts';
import { rowOf } from '../orchestrator/core/figures/columns.ts';
import type { Report } from '../orchestrator/core/figures/table.ts';
import { GROUPINGS, readDays, USUALLY, writeDays, type Grouping } from '../orchestrator/core/reported.ts';
import { createFigures, reportNow } from '../orchestrator/engine/figures.ts';
import { chartOf } from './chart.ts';
import { database, dataDir, print, printJson } from './environment.ts';
import { EXIT, Exit } from './exit.ts';

type Options = {
  since: string;
  by: Grouping;
  json?: boolean;
  csv?: boolean;
  md?: boolean;
  svg?: string;
  data?: string;
};

/** A cell of RFC 4180; one that a spreadsheet would run is quoted as text. */
const cell = (value: string | number | null): string => {
  const text =
    value === null ? '' : typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvOf = ({ by, all, groups }: Report): string => {
  const rows = [...groups, { name: '*', figures: all }].map(({ name, figures }) => ({
    [by]: name,
    ...rowOf(figures),
  }));
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => Object.values(row))]
    .map((line) => line.map(cell).join(','))
    .join('\r\n');
};

export const readReport = async (
  { since, by, data }: Pick<Options, 'since' | 'by' | 'data'>,
  now = Date.now(),
): Promise<Report> => {
  const period = readDays(since);
  if (!period) throw new Exit(EXIT.usage, `“${since}” is not a period to report on. Write 30d, 12w or all.`);
  const ledger = openReader(dataDir(data), { snapshot: true, database: database() });
  try {
    return (await reportNow(createFigures({ query: ledger.query }), { ...period, by }, now)).report;
  } finally {
    await ledger.close();
  }
};

const report = async (options: Options): Promise<void> => {
  const found = await readReport(options);
  if (options.svg !== undefined) writeFileSync(options.svg, chartOf(found));
  if (options.json) return printJson(found);
  if (options.csv) return print(csvOf(found));
  if (options.md) return print(reportTable(found, LANGUAGES.en).trimEnd());
  if (options.svg !== undefined) return print(`The chart is in ${options.svg}.`);
  print(strip(renderReport(found, false, LANGUAGES.en).html));
};

export const addReportCommand = (program: Command): void => {
  program
    .command('report')
    .option('--since <time>', 'of runs ordered in this time: 30d, 12w, all', writeDays(USUALLY.days))
    .addOption(new Option('--by <group>', 'how runs are grouped').choices(GROUPINGS).default(USUALLY.by))
    .addOption(new Option('--json', 'print JSON').conflicts(['csv', 'md']))
    .addOption(new Option('--csv', 'print CSV; times are seconds').conflicts('md'))
    .option('--md', 'print a Markdown table')
    .option('--svg <file>', 'write a chart there')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(report);
};
