/**
 * What a gate card says to whoever reads it and taps *More*, taken from those messages alone: never
 * from what our code knows.
 */
import type { Shown } from './world.ts';

export type Said = {
  what: 'open' | 'push' | 'both';
  /** As it is printed: possibly cut, then it ends with an ellipsis. */
  title: string;
  base: string;
  /** The first characters of the commits that the change starts from and ends with. */
  from: string;
  head: string;
  /** Until when the card may be decided, epoch ms to the second; null when it was never shown. */
  until: number | null;
};

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

const COMMITS = /^Commit <code>(\S+) ([0-9a-f]{6}) → ([0-9a-f]{6})<\/code>/m;
const DECIDE = /^Decide <tg-time unix="(\d+)"/m;
const PUSHES = /^<b>Push this to/;
const FIXES = /^<b>Push this fix to/;
const BOTH = /^<b>Push this and open a pull request/;

/** Null for a message that asks for no signature. */
export const readCard = ({ html, more, first }: Pick<Shown, 'html' | 'more' | 'first'>): Said | null => {
  const commits = COMMITS.exec(more);
  const title = html.split('\n')[1];
  const pushes = PUSHES.test(html) || FIXES.test(html);
  if (!commits || title === undefined || !(pushes || BOTH.test(html) || /^<b>Open this/.test(html)))
    return null;
  const [, base = '', from = '', head = ''] = commits;
  // Once it is armed it tells how long it stays so; before, until when it may be decided.
  const until = (DECIDE.exec(html) ?? DECIDE.exec(first))?.[1];
  return {
    what: BOTH.test(html) ? 'both' : pushes ? 'push' : 'open',
    title: plain(title),
    base: plain(base),
    from,
    head,
    until: until === undefined ? null : Number(until) * 1_000,
  };
};

const loose = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether a text that is published is the one that was printed, as far as it was. */
export const reads = (printed: string, published: string): boolean => {
  const [said, is] = [loose(printed), loose(published)];
  return said.endsWith('…') ? is.startsWith(said.slice(0, -1)) || said === is : said === is;
};

const ROW = /^\d+ <b>[^<]*<\/b> (\w+) · <code>(\S+) ([0-9a-f]{6}) → ([0-9a-f]{6})<\/code>/gm;

/** What a card of many says of each that it shows. */
export const readCluster = ({ html, buttons }: Shown): (Said & { runId: string })[] => {
  if (!buttons.some((b) => /^\W*(?:Approve|Confirm) \d+$/.test(b.text))) return [];
  const title = plain(html.split('\n')[1] ?? '');
  const what = /Tap Confirm to push \d/.test(html)
    ? 'push'
    : /Tap Confirm to push/.test(html)
      ? 'both'
      : 'open';
  return [...html.matchAll(ROW)].map(([, runId = '', base = '', from = '', head = '']) => ({
    runId,
    what,
    title,
    base: plain(base),
    from,
    head,
    until: null,
  }));
};
