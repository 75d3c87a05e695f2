/** Finds the runs that a text refers to (C4). Pure. */
import { parseRepoLink, type RepoLink } from '#orders';
import type { LanguagePhrases } from './phrase-rules.ts';

export type KnownRun = {
  id: string;
  repo: string;
  what: string;
  stands: 'decision' | 'failed' | 'paused' | 'queued' | 'checked' | 'works' | 'watched' | 'ended';
  pull: string | null;
};

export type AnsweredMessage = { id: string; to: 'card' | 'call' | 'progress' };

export type PhraseScene = {
  runs: readonly KnownRun[];
  replied: AnsweredMessage | null;
};

export type MeantRuns = { kind: 'named' | 'all' | 'this' | 'none'; ids: readonly string[]; by?: 'state' };

const toNamedRuns = (runs: readonly KnownRun[]): MeantRuns | null =>
  runs.length > 0 ? { kind: 'named', ids: runs.map(({ id }) => id) } : null;
const liveFirst = (runs: readonly KnownRun[]): readonly KnownRun[] => {
  const live = runs.filter(({ stands }) => stands !== 'ended');
  return live.length > 0 ? live : runs;
};

export const findMeantRuns = (said: string, phrases: LanguagePhrases, scene: PhraseScene): MeantRuns => {
  const { replied } = scene;
  return (
    byId(said, scene) ??
    byPull(said, scene) ??
    byRepository(said, phrases, scene) ??
    ofAnotherRepository(said, scene) ??
    byNumber(said, phrases, scene) ??
    (replied
      ? null
      : (byContent(said.replace(new RegExp(phrases.actions, 'gu'), ' '), scene) ??
        byState(said, phrases, scene))) ??
    (replied ? { kind: 'this', ids: [replied.id] } : null) ??
    (phrases.which.all.test(said) ? { kind: 'all', ids: [] } : { kind: 'none', ids: [] })
  );
};

/** `sure` is false for names that can change their meaning, e.g. list positions. */
export const findRunsByWord = (
  word: string,
  scene: PhraseScene,
): { ids: readonly string[]; sure: boolean } => {
  const said = word.toLowerCase();
  const bare = said.replace(/^#/, '');
  const { runs } = scene;
  const idsOf = (of: readonly KnownRun[]): string[] => of.map(({ id }) => id);
  const whole = runs.filter(({ id }) => id.toLowerCase() === bare);
  if (whole.length > 0) return { ids: idsOf(whole), sure: true };
  const link = parseRepoLink(said);
  const pulled = runs.filter(
    ({ repo, pull }) =>
      pull !== null &&
      (link ? link.repo === repo.toLowerCase() && link.pull : /^#\d+$/.test(said) && bare) === numberOf(pull),
  );
  if (pulled.length > 0 || link?.pull) return { ids: idsOf(pulled), sure: true };
  const repository = link?.repo ?? said;
  const within = liveFirst(runs.filter(({ repo }) => repo.toLowerCase() === repository));
  if (within.length > 0) return { ids: idsOf(within), sure: true };
  const begun = runs.filter(({ id }) => bare.length >= 3 && id.toLowerCase().startsWith(bare));
  if (begun.length > 0) return { ids: idsOf(begun), sure: begun.length === 1 };
  const listed = runs.filter(({ stands }) => stands !== 'ended');
  const place = /^\d{1,2}$/.test(bare) ? listed[Number(bare) - 1] : undefined;
  if (place) return { ids: [place.id], sure: false };
  const [, name = ''] = /^([\w.-]{2,})$/.exec(bare) ?? [];
  const part = runs.filter(({ repo }) => {
    const short = repo.toLowerCase().split('/')[1] ?? '';
    return name !== '' && (short === name || nameParts(repo).includes(name));
  });
  return { ids: idsOf(liveFirst(part)), sure: false };
};

const TOKEN = /[a-z0-9]+/g;

const byId = (said: string, { runs }: PhraseScene): MeantRuns | null => {
  const tokens = said.match(TOKEN) ?? [];
  const found = runs.filter(({ id }) => tokens.some((token) => isIdOf(token, id.toLowerCase())));
  return toNamedRuns(found);
};
/** A prefix of an id must contain a digit, because words of a sentence are no ids. */
const isIdOf = (token: string, id: string): boolean =>
  token === id || (token.length >= 3 && /\d/.test(token) && id.startsWith(token));

const numberOf = (pull: string | null): string | null => /(\d+)\/?$/.exec(pull ?? '')?.[1] ?? null;

const linkIn = (said: string): RepoLink | null =>
  said
    .split(/\s+/)
    .map(parseRepoLink)
    .find((link) => link !== null) ?? null;

const byPull = (said: string, { runs }: PhraseScene): MeantRuns | null => {
  const link = linkIn(said);
  if (link?.pull)
    return toNamedRuns(
      runs.filter((run) => run.repo.toLowerCase() === link.repo && numberOf(run.pull) === link.pull),
    );
  const numbers = [...said.matchAll(/(?:#|\bprs? ?#?|\bpull(?: request)? ?#?|合并请求 ?#?)(\d+)/g)].map(
    (m) => m[1],
  );
  // Bare numbers of three or more digits are pull requests, not list positions.
  const bare = [...said.matchAll(/(?<![\w#./-])(\d{3,})(?![\w./-])/g)].map((m) => m[1]);
  return toNamedRuns(
    runs.filter(({ pull }) => pull !== null && [...numbers, ...bare].includes(numberOf(pull) ?? undefined)),
  );
};

const byRepository = (said: string, { which }: LanguagePhrases, { runs }: PhraseScene): MeantRuns | null => {
  const text = said.replace(/https?:\/\/[^/\s]+\//g, ' ');
  const hasName = (name: string): boolean =>
    new RegExp(`(?<![a-z0-9_/-])${escapeRegExp(name)}(?![a-z0-9_/]|-[a-z0-9])`).test(text);
  const whole = runs.filter(({ repo }) => hasName(repo.toLowerCase()));
  if (whole.length > 0) return toNamedRuns(liveFirst(whole));
  const short = runs.filter(({ repo }) => hasName(repo.toLowerCase().split('/')[1] ?? ''));
  if (short.length > 0) return toNamedRuns(liveFirst(short));
  const owner = runs.filter(
    ({ repo }) => (repo.split('/')[0] ?? '').length > 3 && hasName(repo.toLowerCase().split('/')[0] ?? ''),
  );
  const part = runs.filter(({ repo }) => nameParts(repo).some((p) => p.length > 3 && hasName(p)));
  if (owner.length > 0 && which.all.test(said))
    return toNamedRuns(owner.filter(({ stands }) => stands !== 'ended'));
  return (
    toNamedRuns(liveFirst(part)) ??
    (new Set(owner.map(({ repo }) => repo)).size === 1 ? toNamedRuns(liveFirst(owner)) : null)
  );
};

/** A repository that is named whole and has no run means no run of another repository. */
const ofAnotherRepository = (said: string, { runs, replied }: PhraseScene): MeantRuns | null => {
  const owners = new Set(runs.map(({ repo }) => repo.toLowerCase().split('/')[0]));
  const names = [...said.matchAll(/(?<![\w./-])([a-z0-9][\w-]*)\/[a-z0-9][\w.-]*/g)];
  return !replied && names.some(([, owner]) => owners.has(owner)) ? { kind: 'named', ids: [] } : null;
};

const nameParts = (repo: string): string[] => (repo.toLowerCase().split('/')[1] ?? '').split(/[-_.]/);
const escapeRegExp = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const CHINESE = '零一二三四五六七八九';
const byNumber = (said: string, { which }: LanguagePhrases, { runs }: PhraseScene): MeantRuns | null => {
  const listed = runs.filter(({ stands }) => stands !== 'ended');
  const written = [...said.matchAll(which.number)].flatMap(({ groups }) => groups?.n ?? groups?.m ?? []);
  const numbers = written.map((one) => (CHINESE.indexOf(one) > 0 ? CHINESE.indexOf(one) : Number(one)));
  const spoken = which.ordinals.flatMap((ordinal, i) => (ordinal.test(said) ? [i + 1] : []));
  const last = which.last.test(said) ? [listed.length] : [];
  const places = [numbers, spoken, last].find((found) => found.length > 0) ?? [];
  return toNamedRuns(places.flatMap((no) => listed[no - 1] ?? []));
};

const STOP = new Set(
  'this that with from the and for one run runs what which were have has had been test tests file files line change changed changes code repo branch please show when fix fixed add make more all not api'.split(
    ' ',
  ),
);
const wordsIn = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !STOP.has(word));
const isAlike = (word: string, other: string): boolean =>
  word === other ||
  (Math.min(word.length, other.length) >= 5 && (word.startsWith(other) || other.startsWith(word)));

const byContent = (said: string, { runs }: PhraseScene): MeantRuns | null => {
  const words = wordsIn(said).flatMap((word) =>
    word.split(/(?<=[a-z0-9])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[a-z0-9])/u),
  );
  const scored = runs.map((run) => ({
    run,
    score: wordsIn(run.what).filter((one) => words.some((word) => isAlike(one, word))).length,
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best === 0) return null;
  return toNamedRuns(liveFirst(scored.filter(({ score }) => score === best).map(({ run }) => run)));
};

const byState = (said: string, { which }: LanguagePhrases, { runs }: PhraseScene): MeantRuns | null => {
  const rows = [
    ['failed', which.failed],
    ['paused', which.paused],
    ['queued', which.queued],
    ['checked', which.checked],
    ['decision', which.decided],
  ] as const;
  const row = rows.find(([, pattern]) => pattern.test(said));
  const found = row ? toNamedRuns(runs.filter(({ stands }) => stands === row[0])) : null;
  return found && { ...found, by: 'state' };
};
