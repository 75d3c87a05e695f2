/** Reads a gate card and its *More* page from the messages alone, never from the product. */
import type { Shown } from './world.ts';

export type Said = {
  what: 'open' | 'push' | 'both';
  /** Printed form, possibly cut with an ellipsis. */
  title: string;
  base: string;
  /** Prefixes of the change's first and last commit. */
  from: string;
  head: string;
  /** Deadline of the card (epoch ms, to the second); null when it was never shown. */
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

/** Returns null for a message that asks for no signature. */
export const readCard = ({ html, more, first }: Pick<Shown, 'html' | 'more' | 'first'>): Said | null => {
  const commits = COMMITS.exec(more);
  const title = html.split('\n')[1];
  const pushes = PUSHES.test(html) || FIXES.test(html);
  if (!commits || title === undefined || !(pushes || BOTH.test(html) || /^<b>Open this/.test(html)))
    return null;
  const [, base = '', from = '', head = ''] = commits;
  // An armed card shows its arming time instead of its deadline.
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

/** Compares a published text with its printed, possibly cut form. */
export const reads = (printed: string, published: string): boolean => {
  const [said, is] = [loose(printed), loose(published)];
  return said.endsWith('…') ? is.startsWith(said.slice(0, -1)) || said === is : said === is;
};

const ROW = /^\d+ <b>[^<]*<\/b> (\w+) · <code>(\S+) ([0-9a-f]{6}) → ([0-9a-f]{6})<\/code>/gm;

export const readCluster = ({ html, each, buttons }: Shown): (Said & { runId: string })[] => {
  if (!buttons.some((b) => /^\W*(?:Approve|Confirm) \d+$/.test(b.text))) return [];
  const title = plain(html.split('\n')[1] ?? '');
  const what = /Tap Confirm to push \d/.test(html)
    ? 'push'
    : /Tap Confirm to push/.test(html)
      ? 'both'
      : 'open';
  return [...each.matchAll(ROW)].map(([, runId = '', base = '', from = '', head = '']) => ({
    runId,
    what,
    title,
    base: plain(base),
    from,
    head,
    until: null,
  }));
};
