/** E7: the report is found among an agent's words, however many of them look like one. */
import { describe, expect, it } from 'vitest';
import { EMPTY_REPORT } from '#model/agent';
import { readAgentReport } from '../../executors/engines/shared/agent-report.ts';
import { growth, LINEAR } from '../support/cost.ts';

const REPORT = '{"status": "done", "summary": "Mended."}';

it('E7: the last line that is a report counts, behind any number that are none', () => {
  const words = (lines: number): string =>
    `${'{\n'.repeat(lines)}{"status": "blocked", "summary": "No."}\n${REPORT}\n{ so it is\n`;
  expect(readAgentReport(words(1_000_000))).toMatchObject({ kind: 'valid', report: { summary: 'Mended.' } });
  expect(growth(250_000, words, readAgentReport)).toBeLessThan(LINEAR);
});

it('E7: one that is followed by hundreds of lines that look alike is not looked for', () => {
  expect(readAgentReport(`${REPORT}\n${'{\n'.repeat(500)}`).kind).toBe('invalid');
});

describe('what a report says of its change', () => {
  const report = (more: object): string => JSON.stringify({ status: 'done', summary: 'Mended.', ...more });
  const said = (more: object) => {
    const read = readAgentReport(report(more));
    if (read.kind === 'invalid') throw new Error(read.why);
    return read.report.reported;
  };

  it('E7: a short report is valid, and says nothing of the change', () => {
    expect(said({})).toEqual(EMPTY_REPORT);
    expect(readAgentReport(report({}))).toMatchObject({ kind: 'valid', report: { ran: [] } });
  });

  it('E7: every field is read, bounded, on one line', () => {
    const all = {
      what: 'Keep it',
      why: 'It\nwas\tlost',
      tested: 'A case',
      type: 'fix',
      breaking: 'X',
      issue: '#4',
      note: 'N',
    };
    expect(said(all)).toEqual({ ...all, why: 'It was  lost' });
    const long = said({ what: 'x'.repeat(9_000), why: 'y'.repeat(9_000), note: 'z'.repeat(9_000) });
    expect([long.what, long.why, long.note].map((text) => text?.length)).toEqual([200, 1_000, 400]);
  });

  it('E7: what is of another shape is nothing said, and the report stays valid', () => {
    for (const odd of [null, {}, [], ['x'], true, false, { toString: 1 }])
      expect(
        said({ what: odd, why: odd, type: odd, breaking: odd, issue: odd, note: odd }),
        JSON.stringify(odd),
      ).toEqual(EMPTY_REPORT);
    expect(said({ breaking: 'none', note: 'N/A', issue: '-' })).toEqual(EMPTY_REPORT);
    expect(said({ issue: 12 }).issue).toBe('12');
  });

  it('E7: types have other names as well, and an unknown one is none', () => {
    expect(['feat', 'Bug', 'perf', 'deps', 'magic'].map((type) => said({ type }).type)).toEqual([
      'feature',
      'fix',
      'perf',
      'dependencies',
      null,
    ]);
  });

  it('E7: nothing hidden passes', () => {
    expect(said({ what: 'Keep\u202e it\u0007\u001b[31m' }).what).toBe('Keep it');
  });
});
