/** Finds what sends contributions elsewhere: a mirror, a review system, a mailing list. */
import { findAllMatches } from '#model/values';
import { wordGroup, wordPatterns } from '#tools/words';
import type { FoundRule, OwnAddress, RulePassage } from './rule-passage.ts';

const PLACE_WORDS = wordPatterns('discovery/rules', 'elsewhere', [
  ...[
    'ofOtherPeople',
    'clauses',
    'hasVerb',
    'allOfThem',
    'concludes',
    'onCondition',
    'refusesPulls',
    'notHere',
  ],
  ...['notOpen', 'ofOthers', 'untold', 'open', 'using', 'namesSystem', 'isOutside', 'welcomed', 'denied'],
] as const);
const PLACES = wordGroup('discovery/rules', 'places').map(([, pattern]) => pattern);

const refusesPulls = (plain: string): boolean =>
  !PLACE_WORDS.onCondition.test(plain) &&
  [
    { index: 0, end: 0 },
    ...findAllMatches(plain, PLACE_WORDS.clauses).map(({ index, 0: border }) => ({
      index,
      end: index + border.length,
    })),
  ].some(({ index, end }, i, all) => {
    const before = plain.slice(all[i - 1]?.end ?? 0, index).trim();
    return (
      (before === '' ||
        [PLACE_WORDS.hasVerb, PLACE_WORDS.allOfThem].some((one) => one.test(before)) ||
        PLACE_WORDS.concludes.test(plain.slice(end))) &&
      PLACE_WORDS.refusesPulls.test(plain.slice(end))
    );
  });

const OUTRIGHT = 'not here';

const withOwnHost = (text: string, { host = 'github.com' }: OwnAddress): string =>
  text.replace(/[\w-]+(?:\.[\w-]+)+/g, (name) => (name === host ? 'github.com' : name));
const normaliseName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
/** A guide may name others for comparison: `SQLite is open source, not open contribution.` */
const isNotOpen = (plain: string, { repo = '' }: OwnAddress): boolean => {
  const found = PLACE_WORDS.notOpen.exec(plain);
  if (!found) return false;
  const [, name] = found;
  return name === undefined || repo.split('/').some((part) => normaliseName(part) === normaliseName(name));
};

export const findElsewhereRule = ({
  plain: said,
  heading,
  forAgents,
  own,
}: RulePassage): FoundRule | null => {
  const plain = withOwnHost(said, own);
  if (PLACE_WORDS.ofOthers.test(`${heading} ${plain}`) || plain.length > 400) return null;
  if (forAgents && PLACE_WORDS.untold.test(plain)) return null;
  const refuses = (): boolean =>
    refusesPulls(plain) || isNotOpen(plain, own) || PLACE_WORDS.notHere.test(plain);
  if (!PLACE_WORDS.ofOtherPeople.test(plain) && refuses()) return { kind: 'elsewhere', value: OUTRIGHT };
  const system = PLACES.map((says) => says.exec(plain)?.slice(1).find(Boolean)).find(
    (name) => name !== undefined,
  );
  return system === undefined || PLACE_WORDS.open.test(plain.replace(PLACE_WORDS.using, ''))
    ? null
    : { kind: 'elsewhere', value: system.toLowerCase().replace('mailing-list', 'mailing list') };
};

export const welcomesPulls = (file: string, value: string | undefined, own: OwnAddress): boolean => {
  if (value === OUTRIGHT) return false;
  const text = withOwnHost(file.replace(/\s+/g, ' '), own);
  return findAllMatches(text, PLACE_WORDS.welcomed).some(
    ({ index, 0: said }) =>
      !PLACE_WORDS.denied.test(text.slice(Math.max(0, index - 30), index)) &&
      ![PLACE_WORDS.namesSystem, PLACE_WORDS.isOutside].some((one) =>
        one.test(text.slice(index, index + said.length + 60)),
      ),
  );
};
