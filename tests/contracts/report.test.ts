/** E7: the report is found among an agent's words, however many of them look like one. */
import { expect, it } from 'vitest';
import { readReport } from '../../executors/engines/report.ts';

const REPORT = '{"status": "done", "summary": "Mended."}';

it('E7: the last line that is a report counts, behind any number that are none', () => {
  const words = `${'{\n'.repeat(1_000_000)}{"status": "blocked", "summary": "No."}\n${REPORT}\n{ so it is\n`;
  const from = process.cpuUsage();
  expect(readReport(words)).toMatchObject({ kind: 'valid', report: { summary: 'Mended.' } });
  const { user, system } = process.cpuUsage(from);
  expect(user + system).toBeLessThan(2_000_000);
});

it('E7: one that is followed by hundreds of lines that look alike is not looked for', () => {
  expect(readReport(`${REPORT}\n${'{\n'.repeat(500)}`).kind).toBe('invalid');
});
