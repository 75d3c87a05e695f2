/** F5: what arrives: how many of one source are shown, when a preview lapses, and what times a schedule has. */
import { describe, expect, it } from 'vitest';
import { evolveCampaign, validateDecision, planNewCampaign } from '#model/campaign';
import {
  toCron,
  RepeatRule,
  admitArrival,
  isExpiredPreview,
  findReplacedPreviews,
  type CampaignTrigger,
} from '#model/schedule';
import { findIssueReferences } from '#model/requirements';
import { advanceCampaign } from '../../orchestrator/campaign-standing/advance-campaign.ts';
import {
  findDueCampaignInboxItem,
  scheduleTimesOf,
} from '../../orchestrator/campaigns/campaign-schedules.io.ts';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { quoteIssue, cleanIssueTitle } from '../../orchestrator/campaigns/labelled-issues.io.ts';
import { findTextSignals } from '../../text-safety/neutralise-text.ts';
import { escapeBlock } from '../../bot/text/telegram-html.ts';
import { aCampaign } from '../support/campaigns.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (iso: string): number => Date.parse(iso);
const one = (id: string, origin: CampaignTrigger, plannedAt = 0) =>
  planNewCampaign({ id: `c-${id.padEnd(6, 'a')}`, digest: 'd', by: null, origin }, plannedAt);
const issue = (n: number, repo = 'acme/api'): CampaignTrigger => ({
  kind: 'issue',
  repo,
  issue: `#${n}`,
  by: 'ben',
  url: `https://github.com/${repo}/issues/${n}`,
});
const closed = { kind: 'closed' } as const;

describe('F5: how many are shown', () => {
  it('given a preview of an issue, when its label comes again, then there is no second one until it ended', () => {
    const first = one('a', issue(1));
    expect(admitArrival([first], issue(1, 'ACME/api'), HOUR, 10)).toEqual({
      kind: 'open',
      campaign: first.id,
    });
    expect(admitArrival([first], issue(2), HOUR, 10)).toEqual({ kind: 'taken' });
    const ended = evolveCampaign(first, closed, null, 1);
    expect(admitArrival([ended], issue(1), HOUR, 10)).toEqual({ kind: 'taken' });
  });

  it('given as many of one repository as a day may have, then no more of it, and as many of others', () => {
    const all = [1, 2, 3].map((n) => one(`r${n}`, issue(n), n));
    expect(admitArrival(all, issue(4), 4, 3)).toEqual({ kind: 'full', most: 3 });
    expect(admitArrival(all, issue(4, 'acme/web'), 4, 3)).toEqual({ kind: 'taken' });
    expect(admitArrival(all, issue(4), DAY + 2, 3)).toEqual({ kind: 'taken' });
    const hook = (n: number) => one(`h${n}`, { kind: 'hook', hook: 'deps' }, n);
    expect(admitArrival([...all, hook(1)], { kind: 'hook', hook: 'deps' }, 4, 1)).toMatchObject({
      kind: 'full',
    });
  });

  it('given a preview that nobody began for a week, then it lapses, and Start is refused after that', () => {
    const waiting = one('a', issue(1));
    expect(isExpiredPreview(waiting, 7 * DAY - 1)).toBe(false);
    expect(isExpiredPreview(waiting, 7 * DAY)).toBe(true);
    const lapsed = evolveCampaign(waiting, { kind: 'lapsed', replaced: false }, null, 7 * DAY);
    expect(lapsed).toMatchObject({ state: 'closed', expiry: 'late' });
    expect(validateDecision(lapsed, { kind: 'started' })).toBe('refused');
    const running = evolveCampaign(waiting, { kind: 'started' }, null, 1);
    expect(isExpiredPreview(running, 30 * DAY)).toBe(false);
    expect(validateDecision(running, { kind: 'lapsed', replaced: false })).toBe('refused');
  });
});

describe('F5: schedules', () => {
  const ID = 'c-sssssh';
  const every = 'monday 09:00 Europe/Berlin';
  const order = aCampaign({ schedule: { every, named: [{ repo: 'acme/api', vars: {} }], queries: [] } });
  const scheduled = (since: string) =>
    evolveCampaign(
      planNewCampaign({ id: ID, digest: 'd', by: null, every }, at(since)),
      { kind: 'started' },
      null,
      at(since),
    );
  const shown = (due: number) => one(`d${due % 1_000}`, { kind: 'schedule', schedule: ID, due }, due);
  const keyAt = (since: string, now: string, lastDue = 0) =>
    findDueCampaignInboxItem(scheduled(since), order, lastDue, at(now))?.key ?? null;

  it.each([
    ['monday 09:00', '0 9 * * 1', 'UTC'],
    ['mon-fri 09:30 Europe/Berlin', '30 9 * * 1,2,3,4,5', 'Europe/Berlin'],
    ['Friday-Monday 00:00 Asia/Shanghai', '0 0 * * 0,1,5,6', 'Asia/Shanghai'],
    ['day 23:59', '59 23 * * *', 'UTC'],
    ['month 06:00 America/New_York', '0 6 1 * *', 'America/New_York'],
  ])('%s', (text, pattern, zone) => {
    expect(RepeatRule.safeParse(text).success).toBe(true);
    expect(toCron(text)).toEqual({ pattern, zone });
  });

  it.each([
    'monday',
    '9:00',
    'moonday 09:00',
    'monday 24:00',
    'monday 09:60',
    'monday 09:00 Mars/Base',
    '* * * * *',
  ])('refuses %s', (text) => {
    expect(RepeatRule.safeParse(text).success).toBe(false);
    const file = `name: x\nrepositories: [acme/api]\ngoal: y\nevery: "${text}"`;
    expect(readCampaignFile(file)).toMatchObject({
      problem: { kind: 'file_value', line: 4, misfit: { path: ['every'] } },
    });
  });

  it('given a schedule, when its time comes, then one campaign is planned, however often it is asked', () => {
    const due = at('2026-11-30T08:00:00Z');
    expect(keyAt('2026-11-24T10:00:00Z', '2026-11-30T07:59:59Z')).toBeNull();
    expect(keyAt('2026-11-24T10:00:00Z', '2026-11-30T08:00:00Z')).toBe(`schedule:${ID}:${due}`);
    expect(keyAt('2026-11-24T10:00:00Z', '2026-11-30T08:00:30Z', due)).toBeNull();
    expect(advanceCampaign(order, scheduled('2026-11-24T10:00:00Z'), new Map(), due)).toEqual({
      start: [],
      enter: null,
      waits: null,
    });
  });

  it('given that nobody ran for a month, then what was missed is one preview', () => {
    const last = at('2026-12-28T08:00:00Z');
    expect(keyAt('2026-11-24T10:00:00Z', '2027-01-01T00:00:00Z')).toBe(`schedule:${ID}:${last}`);
    expect(keyAt('2026-11-24T10:00:00Z', '2027-01-01T00:00:00Z', last)).toBeNull();
  });

  it('given a clock that goes back, then no earlier time is shown after a later one', () => {
    const later = at('2026-12-07T08:00:00Z');
    expect(keyAt('2026-11-24T10:00:00Z', '2026-12-01T08:00:00Z', later)).toBeNull();
  });

  it('given a pause, then what came meanwhile is not made up for', () => {
    expect(keyAt('2026-12-07T08:00:01Z', '2026-12-08T00:00:00Z')).toBeNull();
  });

  it('given clocks that change, then it stays at nine o’clock there; an hour that does not exist comes once', () => {
    const next = (text: string, now: string) =>
      scheduleTimesOf({ ...scheduled('2026-01-01T00:00:00Z'), schedule: text }, [], at(now)).next;
    expect(next(every, '2026-03-28T00:00:00Z')).toBe(at('2026-03-30T07:00:00Z'));
    expect(next(every, '2026-10-24T00:00:00Z')).toBe(at('2026-10-26T08:00:00Z'));
    expect(next('day 02:30 Europe/Berlin', '2026-03-29T00:00:00Z')).toBe(at('2026-03-29T01:00:00Z'));
    expect(next('day 02:30 Europe/Berlin', '2026-03-29T01:00:00Z')).toBe(at('2026-03-30T00:30:00Z'));
    // The hour that comes twice in October is one time.
    expect(next('day 02:30 Europe/Berlin', '2026-10-25T00:30:00Z')).toBe(at('2026-10-26T01:30:00Z'));
  });

  it('given that the last one still waits, then the new one takes its place', () => {
    const [old, other] = [shown(1), one('x', { kind: 'schedule', schedule: 'c-others', due: 1 })];
    const fresh: CampaignTrigger = { kind: 'schedule', schedule: ID, due: 2 };
    expect(findReplacedPreviews([old, other], fresh)).toEqual([old.id]);
    expect(findReplacedPreviews([evolveCampaign(old, { kind: 'started' }, null, 2)], fresh)).toEqual([]);
  });
});

describe('P5: the words of an issue', () => {
  it.each([
    ['Fixes #99 and closes acme/api#7', 'Fixes # 99 and closes acme/api# 7'],
    ['@everyone see https://evil.example/x', '@ everyone see https: //evil.example/x'],
    ['{{{name}}} {{{{repo}}}} {', '{ { {name}}} { { { {repo}}}} {'],
    ['{{team}} <img src=x> `code`\n/deploy now', "{ {team}} < img src=x> 'code' `/deploy` now"],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    [' \u200b ', '\\u{200b}'],
    ['', 'What the issue asks for'],
  ])('given the title %j, then the goal says %j', (title, goal) => {
    expect(cleanIssueTitle(title)).toBe(goal);
    expect(findIssueReferences(cleanIssueTitle(title))).toEqual([]);
    const named = findTextSignals(cleanIssueTitle(title)).map(({ kind }) => kind);
    expect(named.filter((kind) => kind === 'mention' || kind === 'closing_keyword')).toEqual([]);
  });

  it('given a title of any length, then it is one line that fits a card', () => {
    expect(cleanIssueTitle('x'.repeat(5_000)).length).toBe(160);
  });

  it('given any text, then a card shows all that the agent reads', () => {
    for (const sign of ['x', '<', '&', '𝒳', '\u202e', '\n'])
      for (const body of [sign.repeat(300), sign.repeat(60_000)]) {
        const text = quoteIssue('Title', body);
        const shown = escapeBlock(text, 2_600);
        expect(shown.endsWith('…')).toBe(false);
        expect(text.length).toBeLessThan(3_000);
        if (text.includes('more characters')) expect(shown).toContain('more characters stand in the issue)');
      }
  });
});
