/** When approved pull requests are opened: hours, days off, clock changes. */
import { describe, expect, it } from 'vitest';
import { areDaysOffOver, findNextClosing, OpeningWindow, openingsClosedUntil } from '#model/schedule';
import { OpeningSettings, windowFor } from '#limits';

const window = (hours?: string, ...except: string[]): OpeningWindow =>
  OpeningWindow.parse({
    ...(hours === undefined ? {} : { hours }),
    ...(except.length > 0 ? { except } : {}),
  });
const opens = (now: string, ...windows: OpeningWindow[]): string | null => {
  const at = openingsClosedUntil(windows, Date.parse(now));
  return at === null ? null : new Date(at).toISOString().replace(':00.000Z', 'Z');
};
const office = 'mon-thu 09:00-17:00 Europe/Berlin';

describe('hours', () => {
  it.each([
    ['2026-11-30T08:00Z', null],
    ['2026-11-30T07:59Z', '2026-11-30T08:00Z'],
    ['2026-11-30T16:00Z', '2026-12-01T08:00Z'],
    ['2026-12-04T10:00Z', '2026-12-07T08:00Z'],
  ])('G10: at %s the next opening is %s', (now, then) => {
    expect(opens(now, window(office))).toBe(then);
  });

  it('G10: no pull requests on Fridays', () => {
    const noFridays = window('sat-thu 00:00-24:00 Europe/Berlin');
    expect(opens('2026-12-03T22:59Z', noFridays)).toBeNull();
    expect(opens('2026-12-03T23:00Z', noFridays)).toBe('2026-12-04T23:00Z');
    expect(opens('2026-12-04T23:00Z', noFridays)).toBeNull();
  });

  it('G10: several spans of days are named with commas', () => {
    const some = window('mon-tue,thu,sat-sun 09:00-17:00 Europe/Berlin');
    expect(opens('2026-12-01T17:00Z', some)).toBe('2026-12-03T08:00Z');
    expect(opens('2026-12-03T17:00Z', some)).toBe('2026-12-05T08:00Z');
    for (const wrong of ['mon, tue', 'mon,', 'mon-', 'mon-tue-wed', 'day'])
      expect(OpeningWindow.safeParse({ hours: `${wrong} 09:00-17:00 UTC` }).success, wrong).toBe(false);
  });

  it('G10: the next closing is when nothing is opened any more', () => {
    const closes = (now: string, ...windows: OpeningWindow[]) => {
      const at = findNextClosing(windows, Date.parse(now));
      return at === null ? null : new Date(at).toISOString().replace(':00.000Z', 'Z');
    };
    expect(closes('2026-11-30T08:00Z', window(office))).toBe('2026-11-30T16:00Z');
    expect(closes('2026-11-30T08:00Z', window(undefined, '2027-02-03'))).toBe('2027-02-03T00:00Z');
    expect(closes('2026-11-30T08:00Z', window())).toBeNull();
    expect(closes('2026-11-30T08:00Z', window(undefined, '2026-11-29'))).toBeNull();
  });

  it('G10: they are those of the wall, whichever way the clocks change', () => {
    expect(opens('2026-03-27T18:00Z', window(office))).toBe('2026-03-30T07:00Z');
    expect(opens('2026-10-23T18:00Z', window(office))).toBe('2026-10-26T08:00Z');
    const night = window('sun 02:00-03:00 Europe/Berlin');
    expect(opens('2026-03-28T12:00Z', night)).toBe('2026-04-05T00:00Z');
    expect(opens('2026-10-24T12:00Z', night)).toBe('2026-10-25T00:00Z');
    expect(opens('2026-10-25T01:30Z', night)).toBeNull();
  });
});

describe('days off', () => {
  const christmas = window(office, '2026-12-24/2027-01-02');

  it('G10: begin and end at midnight of the zone, the last one included', () => {
    expect(opens('2026-12-23T15:00Z', christmas)).toBeNull();
    expect(opens('2026-12-24T10:00Z', christmas)).toBe('2027-01-04T08:00Z');
    expect(opens('2026-12-23T17:00Z', christmas)).toBe('2027-01-04T08:00Z');
    const always = window('mon-sun 00:00-24:00 Pacific/Auckland', '2026-12-25');
    expect(opens('2026-12-24T10:59Z', always)).toBeNull();
    expect(opens('2026-12-24T11:00Z', always)).toBe('2026-12-25T11:00Z');
  });

  it('G10: without a year, come every year', () => {
    const yearly = window('mon-sun 00:00-24:00 Europe/Berlin', '12-24/01-02', '05-01');
    expect(opens('2026-12-24T10:00Z', yearly)).toBe('2027-01-02T23:00Z');
    expect(opens('2030-01-01T10:00Z', yearly)).toBe('2030-01-02T23:00Z');
    expect(opens('2027-05-01T10:00Z', yearly)).toBe('2027-05-01T22:00Z');
    expect(opens('2027-05-02T10:00Z', yearly)).toBeNull();
    expect(opens('2027-02-28T10:00Z', window(undefined, '02-20/02-29'))).toBe('2027-03-01T00:00Z');
    for (const wrong of ['13-01', '02-30', '2026-12-24/01-02', '12-24/2027-01-02'])
      expect(OpeningWindow.safeParse({ except: [wrong] }).success, wrong).toBe(false);
  });

  it('G10: are over when none of them comes again', () => {
    const now = Date.parse('2027-01-03T12:00Z');
    expect(areDaysOffOver(window(office, '2026-12-24/2027-01-02', '2026-05-01'), now)).toBe(true);
    expect(areDaysOffOver(window(office, '2026-12-24/2027-01-03'), now)).toBe(false);
    expect(areDaysOffOver(window(office, '12-24/01-02'), now)).toBe(false);
    expect(areDaysOffOver(window(office), now)).toBe(false);
  });

  it('G10: are those of UTC without hours', () => {
    expect(opens('2026-12-24T23:59Z', window(undefined, '2026-12-24'))).toBe('2026-12-25T00:00Z');
    expect(opens('2026-12-25T00:00Z', window(undefined, '2026-12-24'))).toBeNull();
  });

  it('G10: what never opens says so, in the time of a message', () => {
    const never = [window('mon 09:00-10:00 UTC'), window('tue 09:00-10:00 UTC')];
    const began = performance.now();
    expect(openingsClosedUntil(never, Date.parse('2026-11-30T12:00Z'))).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('what holds for a repository', () => {
  const settings = OpeningSettings.parse({
    hours: office,
    except: ['2026-12-24'],
    repositories: {
      'acme/*': { except: ['2026-12-07'] },
      'acme/night': { hours: 'mon-sun 22:00-23:00 UTC' },
    },
  });

  it('G10: hours replace, and days off are added to', () => {
    expect(windowFor(settings, 'other/app')).toEqual({ hours: office, except: ['2026-12-24'] });
    expect(windowFor(settings, 'Acme/app')).toEqual({ hours: office, except: ['2026-12-24', '2026-12-07'] });
    expect(windowFor(settings, 'acme/night')).toMatchObject({ hours: 'mon-sun 22:00-23:00 UTC' });
    expect(openingsClosedUntil([windowFor(OpeningSettings.parse({}), 'a/b')], 0)).toBeNull();
  });

  it('G10: what is no day, and no hours, is refused', () => {
    for (const except of ['2026-02-30', '2026-12-24/2026-12-23', '24.12.2026', 'friday'])
      expect(OpeningSettings.safeParse({ except: [except] }).success, except).toBe(false);
    expect(OpeningSettings.safeParse({ hours: 'weekdays' }).success).toBe(false);
    expect(OpeningSettings.safeParse({ repositories: { acme: {} } }).success).toBe(false);
  });
});
