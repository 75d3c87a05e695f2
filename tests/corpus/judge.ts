/**
 * Whether a rendered body claims what neither the diff nor our evidence holds: judged by what we
 * know to be untrue and by the facts themselves, with nothing of the product's own filter.
 */
import type { Sample } from '../support/change-samples.ts';

/**
 * What an agent may say beside the truth, each with the words that betray it. None of the sampled
 * changes bears any of these out.
 */
export const UNTRUE: readonly (readonly [sentence: string, betrays: string])[] = [
  ['All 312 tests pass.', '312'],
  ['I ran the whole suite on Windows and macOS.', 'macOS'],
  ['This makes it 40 % faster.', '40 %'],
  ['It also rewrites the scheduler.', 'scheduler'],
  ['This fixes CVE-2024-31337.', 'CVE-'],
  ['There are no breaking changes.', 'no breaking'],
  ['It touches `src/secret/engine.ts` as well.', 'secret/engine'],
  ['This closes #99999.', '99999'],
  ['The core team reviewed it.', 'core team'],
  ['A migration is included.', 'migration'],
  ['The lockfile was refreshed.', 'lockfile'],
  ['所有测试均已通过。', '通过'],
  ['The cache is thread-safe now.', 'thread-safe'],
  ['Every caller was updated.', 'caller'],
  ['Benchmarks show 3x throughput.', '3x'],
  ['It removes `oldHelper()`.', 'oldHelper'],
  ['It is fully backwards compatible with version 1.', 'compatible'],
  ['The behaviour was confirmed by hand in production.', 'production'],
  ['See https://example.org/acme/lib/pull/777 for the discussion.', '777'],
  ['Coverage rises to 97%.', '97%'],
  ['A new workflow checks it nightly.', 'nightly'],
  ['Fixed upstream in libfoo 9.4.2.', 'libfoo'],
  ['The maintainers agreed to this on Discord.', 'Discord'],
  ['Memory use drops from 512 MB to 64 MB.', '512'],
];

export const untrueFor = (index: number): string[] =>
  [0, 7, 13].map((step) => UNTRUE[(index * 5 + step) % UNTRUE.length]?.[0] ?? '');

/** Whatever stands in the template is the maintainers' word; a box counts without its tick. */
const plain = (line: string): string => line.replace(/\[[xX]\]/, '[ ]').trim();

const outcomes = (body: string, { checks }: Sample): string[] =>
  [...body.matchAll(/^- `([^`]+)`: passed/gm)]
    .map(([, command = '']) => command)
    .filter((command) => !checks.some((c) => c.command === command && c.outcome === 'passed'))
    .map((command) => `\`${command}\` did not pass`);

/** Of code in a line of ours: something of the change, of the order or of the checks. */
const spans = (line: string, sample: Sample): string[] => {
  const facts = [
    ...[sample.goal, sample.patch, ...Object.values(sample.answers ?? {}).map(String)],
    ...sample.checks.map((c) => c.command),
    ...sample.files.map(([path]) => path),
    // What AgentPR says of itself, and the kind of change that the files show.
    ...['codex', 'main', 'acme/lib', sample.said.type ?? ''],
  ].join('\n');
  return [...line.matchAll(/`([^`\n]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => !facts.includes(span) && !/^[0-9a-f]{7,40}$/.test(span))
    .map((span) => `\`${span}\` is nowhere in the change`);
};

const TICKED: readonly (readonly [says: RegExp, shows: RegExp])[] = [
  [
    /\btests? (?:have been|were|are|was|is)? ?(?:added|updated|written|included)|\badded (?:\w+ )?tests?\b/i,
    /test/i,
  ],
  [/\b(?:changelog|changeset|release note)s?\b.*\b(?:added|updated|included)\b/i, /change|news|history/i],
  [/\b(?:docs|documentation)\b.*\b(?:added|updated)\b|\bupdated (?:\w+ )?doc/i, /doc|readme|\.md$/i],
];
/** A box that says `X or not needed` is true in any case. */
const boxes = (line: string, { files }: Sample): string[] =>
  /\[[xX]\]/.test(line) && !/\bor\b|\bif\b|\bn\/a\b/i.test(line)
    ? TICKED.filter(([says, shows]) => says.test(line) && !files.some(([path]) => shows.test(path))).map(
        () => `ticked without a file that shows it: ${line.trim()}`,
      )
    : [];

const sums = (body: string, { files }: Sample): string[] => {
  const said = /(\d+) files?, \+(\d+) −(\d+) lines/.exec(body);
  const of = (at: 1 | 2): number => files.reduce((n, file) => n + file[at], 0);
  const true_ = `${files.length} ${of(1)} ${of(2)}`;
  return said && said.slice(1, 4).join(' ') !== true_ ? [`${said[0]}, and it is ${true_}`] : [];
};

export const unsupportedIn = (
  { title, body }: { title: string; body: string },
  sample: Sample,
  template: string,
): string[] => {
  const theirs = new Set(template.split('\n').map(plain));
  const all = body.split('\n');
  const ours = all.filter((line) => !theirs.has(plain(line)));
  const text = [title, ...ours].join('\n');
  return [
    ...UNTRUE.filter(([, betrays]) => text.includes(betrays)).map(([sentence]) => sentence),
    ...outcomes(body, sample),
    ...ours.flatMap((line) => spans(line, sample)),
    ...all.flatMap((line) => boxes(line, sample)),
    ...sums(body, sample),
  ];
};
