/** F9: what is said of a repository's last pull requests, and that little says nothing. */
import { describe, expect, it } from 'vitest';
import { forecastPull, type PastPull } from '#model/pull';
import { forecastLine } from '../../bot/views/gate-card.ts';
import type { Run } from '#run';
import { LANGUAGE_TEXTS } from '#language';

const { en: english, zh: chinese } = LANGUAGE_TEXTS;

const past = (count: number, more: Partial<PastPull> = {}): PastPull[] =>
  Array.from({ length: count }, (_, n) => ({
    title: n % 2 === 0 ? `fix: close ${n}` : `feat: add ${n}`,
    merged: n % 3 === 0,
    hours: 10 * n,
    outsider: true,
    ...more,
  }));

describe('a forecast', () => {
  it('F9: counts those of outsiders, those alike, and when half had ended', () => {
    const said = forecastPull(
      [...past(12), ...past(30, { outsider: false, merged: true })],
      'Fix the socket',
    );
    expect(said).toEqual({
      outsiders: { closed: 12, merged: 4 },
      alike: { closed: 6, merged: 2, work: 'fix' },
      medianHours: 50,
    });
    const run = { target: { pullForecast: said }, upstream: { pullRequest: null } } as unknown as Run;
    expect(forecastLine(run, english)).toBe(
      'Lately 4 of 12 pull requests from outsiders were merged there (2 of 6 like this one); half ended within 2d',
    );
    expect(forecastLine(run, chinese)).toContain('12 个中合并了 4 个');
    const open = { ...run, upstream: { pullRequest: {} } } as Run;
    expect(forecastLine(open, english)).toBe('');
  });
  it.each([
    [[1, 2, 3, 50, null], { hours: 3, of: 5 }],
    [[null, null, null, 50, 4, 2, 1, 3], { hours: 4, of: 8 }],
    [[null, null, null, 50, 4], undefined],
    [[1, 2, 3, 50], undefined],
  ])('F9: counts when half of those asked about had an answer, and none as never: %j', (answers, said) => {
    const pulls = answers.map((answeredHours) => ({ ...past(1)[0]!, answeredHours }));
    expect(forecastPull([...past(6), ...pulls], 'Fix it')?.firstAnswer).toEqual(said);
  });
  it('F9: says when the first answer came, with how many were counted', () => {
    const said = { ...forecastPull(past(12), 'Fix it')!, firstAnswer: { hours: 30, of: 8 } };
    const run = { target: { pullForecast: said }, upstream: { pullRequest: null } } as unknown as Run;
    expect(forecastLine(run, english)).toMatch(/2d; half of the last 8 had a first answer within 30h$/);
    expect(forecastLine(run, chinese)).toMatch(/；最近 8 个中半数在 .+内得到首次回应$/);
  });
  it.each([[past(4)], [past(40, { outsider: false })], [[]]])('F9: says nothing of too few', (pulls) => {
    expect(forecastPull(pulls, 'Fix it')).toBeNull();
  });
  it('F9: says nothing of outsiders where we are none', () => {
    expect(forecastPull(past(12), 'Fix it', { mayPush: true })).toBeNull();
    expect(forecastPull(past(12), 'Fix it', { mayPush: false })).not.toBeNull();
  });
  it('F9: says nothing of a kind with too few', () => {
    expect(forecastPull(past(8), 'docs: name it')?.alike).toBeNull();
  });
});
