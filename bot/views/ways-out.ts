/** C2: renders links to the code host, and commands to copy into a terminal. */
import { repositoryOf, type Run } from '../../orchestrator/kernel/run/run.ts';
import type { LanguageTexts } from '../language/languages.ts';
import type { ViewButton } from './scene.ts';

/** Bot API, CopyTextButton: 1–256 characters. */
const MOST_COPIED = 256;

/** Encodes each segment separately, because branch names may contain slashes. */
const inPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');

const word = (text: string): string =>
  /^[\w./@+][\w./@+-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const pageOf = (run: Run, serverUrl: string): string | null => {
  const {
    upstream: { pullRequest: pr },
    change: { pushedHead: pushed },
    target: { fork },
    gate: { proposal },
  } = run;
  if (pr) return pr.url;
  const base = proposal?.fields.baseRef;
  if (!pushed || base === undefined) return null;
  const whose = fork ? `${fork.repo.replace('/', ':')}:` : '';
  return `${serverUrl}/${repositoryOf(run)}/compare/${inPath(base)}...${inPath(`${whose}${pushed.branch}`)}`;
};

/** Creates no branch, and works with any name of the remote. */
const checkoutOf = (run: Run, serverUrl: string): string | null => {
  const {
    change: { pushedHead: pushed },
    target: { fork },
  } = run;
  const from = `${serverUrl}/${fork?.repo ?? repositoryOf(run)}.git`;
  return pushed && `git fetch ${word(from)} ${word(pushed.branch)} && git checkout FETCH_HEAD`;
};

export const waysOut = (
  run: Run,
  serverUrl: string | undefined,
  { waysOut: words }: LanguageTexts,
): ViewButton[][] => {
  if (serverUrl === undefined) return [];
  const url = pageOf(run, serverUrl);
  const copies = (text: string, what: string | null | undefined): ViewButton[] =>
    what && what.length <= MOST_COPIED ? [{ verb: 'out', text, copies: what }] : [];
  const rows: ViewButton[][] = [
    url !== null && isWeb(url)
      ? [{ verb: 'out', text: run.upstream.pullRequest ? words.pull : words.compare, opens: url }]
      : [],
    [
      ...copies(words.branch, run.change.pushedHead?.branch),
      ...copies(words.commit, run.change.pushedHead?.sha),
      ...copies(words.checkout, checkoutOf(run, serverUrl)),
    ],
  ];
  return rows.filter((row) => row.length > 0);
};

/** Telegram rejects the whole message for an invalid button URL. */
const isWeb = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && text.length <= 2_000;
};
