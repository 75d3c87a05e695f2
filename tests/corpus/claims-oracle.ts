/**
 * F11: judges a rendered body by its bytes and by the facts of the sample, and imports nothing of
 * what fills templates. What it cannot prove by its own short list is a finding.
 */
import type { Sample } from '../support/change-samples.ts';

type Proof = (sample: Sample, label: string) => boolean;

const touched = (sample: Sample, is: RegExp): boolean =>
  sample.files.some(([path, added]) => added > 0 && is.test(path));
const TEST_PATH = /(?:^|\/)(?:tests?|__tests__|spec)\/|test_|[._-]test\.|\.spec\./;
const DOC_PATH = /\.(?:md|rst|txt|adoc)$|(?:^|\/)docs?\//i;
const CHANGELOG_PATH = /(?:^|\/)(?:CHANGE|HISTORY|NEWS)/i;

const good = ({ outcome, onBase }: Sample['checks'][number]): boolean =>
  outcome === 'passed' && onBase?.outcome !== 'flaky';
const kindPassed = ({ checks }: Sample, kinds: RegExp): boolean => {
  const such = checks.filter(({ name, command }) => kinds.test(`${name} ${command}`));
  return such.length > 0 && such.every(good);
};
const everyPassed = ({ checks }: Sample): boolean => checks.length > 0 && checks.every(good);
const wasRed = ({ checks }: Sample): boolean => checks.some((c) => c.withTestsOnBase === 'fails');
const wasGreen = ({ checks }: Sample): boolean => checks.some((c) => c.withTestsOnBase === 'passes');
const closedByPerson = ({ goal }: Sample, number: string): boolean =>
  new RegExp(
    `(?<!not |not to |never |partly |partially |n't )\\b(?:close|fix|resolve)[sd]?(?:es)? ${number}\\b`,
    'i',
  ).test(goal);

/** What a person alone knows, or what nobody measured: no box with it may be ticked. */
const NOBODY_KNOWS =
  /\b(?:i|we|my|you) (?:have |am |agree|understand|read|wrote|signed?|follow|search|review|listed)?.*\b(?:read|understand|agree|follow|review|search|guide|author|myself|manual|locally|staging|production|employer)\b|windows|linux|macos|safari|firefox|chrome|browser|platform|\d ?%|coverage|integration|e2e|end-to-end|edge case|benchmark|performance|accessib|translat|rebased|no new warning|compatib|security|threat|audited|monitoring|feature flag|maintainer|not needed|not required|unchanged|website|https?:|手动|手動|浏览器|で動作|localmente|guia|getestet/i;

/** Whole labels that tests of the change prove once they were red without the rest of it. */
const TESTED_HERE = /^\W*(?:i have tested (?:this|my changes) locally|tested locally|testei localmente)\W*$/i;

const typeOf = ({ said, goal }: Sample): string | null => said.type ?? (/^fix\b/i.test(goal) ? 'fix' : null);
const isOther = (s: Sample): boolean => !['fix', 'feature'].includes(typeOf(s) ?? '');
const HARMLESS_PATH = /^\.github\//;

/** A number in the text is no proof of what a title, a commit or people say of it. */
const MORE_THAN_A_NUMBER =
  /\btitles?\b|\bcommits?\b|\bmessages?\b|\bdiscuss|\bproposal|\baccept|\bapprov|\bmarked\b|\blabel|\bassigned|\bfield\b|\boriginal\b|\bsearch/i;
/** `NEWS.md` in a label is that file and no other. */
const namesOtherFile = (label: string, { files }: Sample): boolean =>
  [
    ...label
      .replace(/https?:\S+/g, '')
      .matchAll(/(?<![\w/.:-])[\w/-]+\.(?:md|rst|txt|json|toml|ya?ml|[jt]s|py|rb)\b/gi),
  ].some(([name]) => !files.some(([path]) => `/${path}`.toLowerCase().endsWith(`/${name.toLowerCase()}`)));

/** A condition under which nobody ran anything. */
const UNDER_CONDITIONS =
  /\b(?:pass|passes|passing|green|added)\b (?:in|on|with|under|against|using|at|twice|for)\b(?! least\b)(?! (?:my|the|this|changed|all|an?)? ?(?:changes?|code|pr\b|pull|bug|feature))|\bdone\b.*\band\b/i;

const PROOFS: readonly (readonly [RegExp, Proof])[] = [
  [/generation$/i, (s, label) => (/^\W*(?:test|doc)/i.test(label) ? touched(s, /test|doc/i) : true)],
  [/breaking|^\W*yes\b/i, ({ said }) => (said.breaking ?? null) !== null],
  [/^\W*(?:others?|chores?|misc)\b|其他/i, isOther],
  [/^\W*dependency (?:upgrade|update|bump)/i, (s) => typeOf(s) === 'dependencies'],
  [/^\W*ci(?:\/cd)?\b/i, (s) => typeOf(s) === 'ci'],
  [/^\W*(?:\W*bug ?-?fix|bug|fix\b|correção|日常 bug 修复)/i, (s) => typeOf(s) === 'fix'],
  [
    /^\W*(?:new )?(?:feature|functionality)|^\W*(?:nova )?funcionalidade|新特性/i,
    (s) => typeOf(s) === 'feature',
  ],
  [/^\W*(?:refactor|(?:code )?clean-?up|code quality|style|重构)/i, (s) => typeOf(s) === 'refactor'],
  [
    /^\W*no\b/i,
    ({ files, said }) =>
      (said.breaking ?? null) === null &&
      files.every(([p]) => TEST_PATH.test(p) || DOC_PATH.test(p) || HARMLESS_PATH.test(p)),
  ],
  [/prove.*(?:effective|works)|fail.*without/i, (s) => wasRed(s) && touched(s, TEST_PATH)],
  [
    /\b(?:ai|copilot|llm|generated|assisted)\b/i,
    (_, label) => !/\b(?:no|not|without|reviewed|human|only|copilot|myself|partially)\b/i.test(label),
  ],
  [
    /change.*\blink.*\bissue/i,
    (s) => touched(s, CHANGELOG_PATH) && /#\d/.test(`${s.goal} ${s.answers?.issue ?? ''}`),
  ],
  [
    /change ?log|`CHANGES|release note|news ?fragment|changeset|history|\bnews\b/i,
    (s) => touched(s, CHANGELOG_PATH),
  ],
  [/\bran the linter\b/i, (s) => kindPassed(s, /lint|ruff|clippy|pre-commit/i)],
  [
    /\bissues?\b/i,
    ({ goal, answers }, label) =>
      !MORE_THAN_A_NUMBER.test(label) && /#\d/.test(`${goal} ${answers?.issue ?? ''}`),
  ],
  [/\bmain\b/i, (_, label) => !/not `?main/i.test(label)],
  [/\bdocs?\b|document|readme|文档|ドキュメント/i, (s) => touched(s, DOC_PATH)],
  [
    /\btests?\b.*\b(?:pass|passed|passing|green|run|ok)\b|\b(?:pass|ran|run)\b.*\btests?\b|测试已通过/i,
    (s) => kindPassed(s, /test|pytest|tox|verify/i),
  ],
  [/\b(?:tests?|specs?)\b|テスト|测试/i, (s) => touched(s, TEST_PATH) && kindPassed(s, /test|pytest/i)],
  [/\blint|eslint|ruff|flake8|clippy|pre-commit/i, (s) => kindPassed(s, /lint|ruff|clippy|pre-commit/i)],
  [/\bformat|prettier|black|fmt/i, (s) => kindPassed(s, /format|fmt|prettier|black/i)],
  [/\btypes?\b|tsc|mypy/i, (s) => kindPassed(s, /types|tsc|mypy/i)],
  [/\bchecks?\b.*\bpass/i, everyPassed],
  [/\bcommit\b|squash/i, () => true],
];

const commandHolds = ({ checks }: Sample, span: string): boolean =>
  checks.some((c) => good(c) && c.command.split('&&').some((one) => one.trim() === span.trim()));

/** What stands in brackets explains, and an address is no word. */
const headOf = (label: string): string =>
  label
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\([^)]*\)/g, ' ')
    .trim();

const boxFindings = (line: string, sample: Sample): string[] => {
  const whole = line.replace(/^\s*(?:[-*+]|\d+[.)])\s*\[[xX]\]\s*/, '');
  const label = headOf(whole);
  const number = /#\d+/.exec(label)?.[0];
  if (number !== undefined && /\b(?:close|fix|resolve)/i.test(label))
    return closedByPerson(sample, number) ? [] : [`closes unasked: ${label}`];
  if (TESTED_HERE.test(label) && wasRed(sample) && kindPassed(sample, /test/i)) return [];
  const spans = [...label.matchAll(/`([^`]+)`/g)]
    .map(([, inner = '']) => inner)
    .filter((one) => one !== 'main');
  if (
    !/generation$/i.test(label) &&
    NOBODY_KNOWS.test(label.replace(/`[^`]*`/g, '')) &&
    !(wasRed(sample) && /prove|fail.*without/i.test(label))
  )
    return [`nobody measured: ${label}`];
  const isPath = (one: string): boolean => /[./]\w+$|^\/\/\//.test(one) && !one.includes(' ');
  const commands = spans.filter((one) => !isPath(one));
  if (commands.length > 0 && /pass|green|run|ran|success/i.test(label))
    return commands.every((one) => commandHolds(sample, one)) ? [] : [`did not run as a whole: ${label}`];
  if (UNDER_CONDITIONS.test(label) && !(wasRed(sample) && /fail.*without/i.test(label)))
    return [`says under which conditions: ${label}`];
  if (/^\W*(?:please )?(?:generate|either|does this)\b/i.test(label)) return [`is no statement: ${label}`];
  if (namesOtherFile(label, sample)) return [`names another file: ${label}`];
  const proof = PROOFS.find(([says]) => says.test(label));
  return proof?.[1](sample, label) ? [] : [`no proof: ${label}`];
};

const outcomeFindings = (line: string, { checks }: Sample): string[] => {
  const [, command = '', says = ''] = /^- `([^`]+)`: (.*)$/.exec(line) ?? [];
  if (says === '') return [];
  const check = checks.find((c) => c.command === command);
  if (!check) return [`nothing ran it: ${line}`];
  if (/^passed/.test(says)) return check.outcome === 'passed' ? [] : [`did not pass: ${line}`];
  if (/base branch/.test(says))
    return check.onBase?.excused === true && !check.onBase.environmentGap ? [] : [`blames the base: ${line}`];
  return [];
};

const PROSE_CLAIMS: readonly RegExp[] = [
  /\ball tests pass\b/i,
  /\b(?:verified|confirmed|reproduced|benchmarked)\b/i,
  /\bbackwards? compatible\b/i,
  /\b(?:on|in) (?:Windows|macOS|production)\b/i,
  /\b(?:reviewed|approved) by (?:the )?(?:maintainers?|core team)\b/i,
];

/** Said in the name of whoever sends it, though it stood in the template. */
const SENDER_SAYS =
  /^\W*(?:I|we) (?:have )?(?:tested|wrote|written|read|reviewed|ran)\b|^\W*all tests pass|^\W*no AI\b/i;
const ANSWERS_UNASKED = /^\|.*\b(?:reviewed|security|tested)\b.*\|\s*(?:yes|no|✅)\s*\|$/i;
const LINES_OF_A_TICKED_BOX = /^(\s*(?:[-*+]|\d+[.)])\s*\[[xX]\].*)((?:\n {2}(?! *[-*+] ).*)+)/gm;

export const findUnprovenClaims = (body: string, sample: Sample, template: string): string[] => {
  const plain = (line: string): string => line.replace(/\[[ xX]?\]/, '[]').trim();
  const theirs = new Set(template.split('\n').map(plain));
  const whole = body.replace(
    LINES_OF_A_TICKED_BOX,
    (_, box: string, more: string) => `${box} ${more.replace(/\s+/g, ' ').trim()}`,
  );
  return whole.split('\n').flatMap((line) => {
    if (/^\s*(?:[-*+]|\(?\w{1,2}[.)])\s*\[[xX]\]/.test(line)) return boxFindings(line, sample);
    const branch = /^\|\s*(?:target |base )?branch\??\s*\|\s*(.*?)\s*\|?$/i.exec(line)?.[1] ?? 'main';
    if (branch !== 'main') return [`goes elsewhere: ${line}`];
    if (ANSWERS_UNASKED.test(line)) return [`answers unasked: ${line}`];
    if (theirs.has(plain(line)))
      return SENDER_SAYS.test(line) && !/\[ \]/.test(line) ? [`says for the sender: ${line}`] : [];
    const closing = [...line.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[:*\s|]{1,6}(#\d+)/gi)];
    const unasked = closing.filter(([, ref = '']) => !closedByPerson(sample, ref));
    const [, shown] = /tests of this change alone.*?\b(fail|pass)(?:e?s)? on\b/.exec(line) ?? [];
    const red = shown === 'fail' && !wasRed(sample) ? [`was never red: ${line}`] : [];
    const green = shown === 'pass' && !wasGreen(sample) ? [`was not green before: ${line}`] : [];
    return [
      ...unasked.map(([words]) => `closes unasked: ${words}`),
      ...outcomeFindings(line, sample),
      ...PROSE_CLAIMS.filter((one) => one.test(line)).map(() => `says: ${line}`),
      ...red,
      ...green,
    ];
  });
};
