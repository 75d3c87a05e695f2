/** Renders a report as CSV (O4). */
import { figureRow, type PeriodReport } from '#reports';

/** RFC 4180. Security: cells that a spreadsheet would execute are quoted. */
const toCell = (value: string | number | null): string => {
  const text =
    value === null ? '' : typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const reportCsv = ({ by, all, groups }: PeriodReport): string => {
  const rows = [...groups, { name: '*', figures: all }].map(({ name, figures }) => ({
    [by]: name,
    ...figureRow(figures),
  }));
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => Object.values(row))]
    .map((line) => line.map(toCell).join(','))
    .join('\r\n');
};
