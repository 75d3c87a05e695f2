/** Gives words as they were meant where an input method offered a character of the same sound or shape (C4). */

type Slips = {
  /** What is typed in place of the first character of each. */
  typedFor: readonly string[];
  words: ReadonlySet<string>;
  /** Real words that look like slips; they stay as they are. */
  real: ReadonlySet<string>;
  /** Characters that may stand there, besides those of other scripts. */
  before: string;
  after: string;
};

export const createSlipRepair = ({
  typedFor,
  words,
  real,
  before,
  after,
}: Slips): ((said: string) => string) => {
  const meant = new Map<string, string>();
  for (const word of words)
    [...word].forEach((right, at) => {
      const others = typedFor.find(([first]) => first === right) ?? '';
      for (const wrong of [...others].slice(1)) {
        const typed = [...word].map((one, i) => (i === at ? wrong : one)).join('');
        if (!words.has(typed) && !real.has(typed)) meant.set(typed, word);
      }
    });
  if (meant.size === 0) return (said) => said;
  const slip = new RegExp(
    `(?<=^|[^\\p{Script=Han}]|[${before}])(?:${[...meant.keys()].join('|')})(?=$|[^\\p{Script=Han}]|[${after}])`,
    'gu',
  );
  return (said) => said.replace(slip, (typed) => meant.get(typed) ?? typed);
};
