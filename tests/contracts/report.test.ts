/** E7: the report is found among an agent's words, however many of them look like one. */
import { expect, it } from 'vitest';
import { readReport } from '../../executors/engines/shared/report.ts';
import { growth, LINEAR } from '../support/cost.ts';

const REPORT = '{"status": "done", "summary": "Mended."}';

it('E7: the last line that is a report counts, behind any number that are none', () => {
  const words = (lines: number): string =>
    `${'{\n'.repeat(lines)}{"status": "blocked", "summary": "No."}\n${REPORT}\n{ so it is\n`;
  expect(readReport(words(1_000_000))).toMatchObject({ kind: 'valid', report: { summary: 'Mended.' } });
  expect(growth(250_000, words, readReport)).toBeLessThan(LINEAR);
});

it('E7: one that is followed by hundreds of lines that look alike is not looked for', () => {
  expect(readReport(`${REPORT}\n${'{\n'.repeat(500)}`).kind).toBe('invalid');
});
