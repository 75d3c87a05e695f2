/** C9: reading, installing and checks of the base show what runs, since when, and the last time's length. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { renderProgress } from '../../bot/views/run-messages.ts';
import { MINUTE } from '#model/values';
import { at, discovered, later, spent, type Story } from '../support/core.ts';
import { someBaseline } from '../support/ready-run.ts';

const drawn = ({ effects }: Story): number =>
  effects.filter(({ do: one }) => one.kind === 'chat_message' && one.content.view === 'progress').length;
const reading = at('DISCOVERY');
const checking = reading.when(later(2 * MINUTE, discovered()));
const attempt = {
  id: 1,
  runId: 'r1',
  step: 'test (base)',
  command: 'npm test',
  startedAt: checking.now,
  outcome: 'running',
} as never;

describe('a long preparation', () => {
  it('C9: names a check of the order by its command, since it has no other name', () => {
    const scene = { approval: null, patch: null, now: checking.now, run: checking.run };
    for (const [step, told] of [
      ['check 1', 'npm test'],
      ['check 2 (base)', 'npm test (base)'],
      ['checks', 'checks'],
    ]) {
      const attempts = [{ ...(attempt as object), step } as never];
      expect(renderProgress({ ...scene, attempts }, LANGUAGE_TEXTS.en).html).toContain(
        `our check <code>${told}</code> is running`,
      );
    }
  });

  it('C9: brings its message up to date when the base is checked, and while the checks run', () => {
    expect(drawn(checking)).toBe(1);
    expect(drawn(checking.when(later(MINUTE, spent({ by: 'check', ms: MINUTE }))))).toBe(1);
    expect(drawn(at('IMPLEMENTING').when(spent({ by: 'agent', ms: MINUTE })))).toBe(0);
  });

  it.each([
    ['en', 'fetched and read', 'our check <code>test (base)</code> is running', 'last time'],
    ['zh', '正在获取并读取仓库', 'test (base)', '上次'],
  ] as const)('C9: says what runs and how long it took last time (%s)', (code, reads, runs, before) => {
    const words = LANGUAGE_TEXTS[code];
    const scene = { approval: null, patch: null, now: checking.now };
    const first = renderProgress({ ...scene, run: reading.run, attempts: [] }, words).html;
    expect(first).toContain(reads);
    expect(first).not.toContain(before);
    const baseline = someBaseline({
      checks: [
        { name: 'test', command: 'npm test', exitCode: 0, outcome: 'passed', ms: 3 * MINUTE, tail: '' },
      ],
    });
    const earlier = { target: { ...checking.run.target, baseline } };
    const again = renderProgress({ ...scene, run: reading.run, attempts: [], earlier }, words).html;
    expect(again).toContain(before);
    const base = renderProgress({ ...scene, run: checking.run, attempts: [attempt], earlier }, words).html;
    expect(base).toContain(runs);
    expect(base).toContain(before);
  });
});
