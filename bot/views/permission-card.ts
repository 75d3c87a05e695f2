/** Renders an agent's permission question, as passed to its tool, and the answer buttons (E10). */
import { permissionsOf, permissionQuestionOf, type Run, type ReasonOf } from '#run';
import type { QuestionsView } from '#effects';
import { isTerminal } from '#model/run';
import { cutText } from '#model/values';
import type { LanguageTexts } from '../language/languages.ts';
import { visibleCommand } from '#text-safety';
import {
  fitLines,
  relativeTimeHtml,
  codeLine,
  escapeLine,
  MESSAGE_LIMIT,
  showCut,
} from '../text/telegram-html.ts';
import { selectMainObjections } from './policy-lines.ts';
import { runHeadline, runName } from './run-lines.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';

type Question = ReasonOf<'permission_asked'>;

const Input = (input: string): Record<string, unknown> => JSON.parse(input) as Record<string, unknown>;
/** Returns only the command when the input has no other field; what cannot be seen is made visible. */
export const readPermissionInput = ({
  input,
}: Pick<Question, 'input'>): { command: boolean; text: string } => {
  const members = Input(input);
  const { command } = members;
  // guard: P6-odd-characters-shown
  return typeof command === 'string' && Object.keys(members).length === 1
    ? { command: true, text: visibleCommand(command) }
    : { command: false, text: visibleCommand(input) };
};

/** Maximum length (characters); longer questions are not shown whole, so cannot be allowed. */
const MAX_REQUEST_LENGTH = 3_000;

const MAX_SHARED_LENGTH = 2_000;
const isShownWhole = (text: string): boolean => showCut(text, MAX_SHARED_LENGTH).omitted === 0;

const objectionLines = ({ objections }: Pick<Question, 'objections'>, words: LanguageTexts): string[] =>
  selectMainObjections(objections)
    .slice(0, 3)
    .map((o) => `⚠ <code>${escapeLine(o.policy, 60)}</code> ${codeLine(words.judgement(o.reason), 160)}`);

const whyAsked = (question: Question, words: LanguageTexts): string[] =>
  question.objections.length === 0
    ? [`${words.permission.why}: ${escapeLine(words.permission.nobodySaid)}`]
    : objectionLines(question, words);

/** Longer alternatives are not shown whole, so cannot be picked. */
const MAX_ALTERNATIVE_LENGTH = 600;
const MAX_ALTERNATIVES = 3;
/** A button offers no proposal whose text the message cuts off. */
const MAX_CARD_LENGTH = MESSAGE_LIMIT - 16;

type ShownAlternative = { lines: string[]; button: ViewButton | null };

const renderAlternatives = (
  { alternatives = [] }: Question,
  words: LanguageTexts,
  room: number,
): ShownAlternative[] => {
  const { permission, board } = words;
  let left = room;
  return alternatives.slice(0, MAX_ALTERNATIVES).flatMap((one, index) => {
    const { proposer, tool, risk } = one;
    const { command, text } = readPermissionInput(one);
    const { html, omitted } = showCut(text, MAX_ALTERNATIVE_LENGTH);
    const lines = [
      escapeLine(permission.alternatives(cutText(proposer, 60), command ? null : tool, board.risk[risk])),
      `<pre>${html}</pre>`,
      ...objectionLines(one, words),
    ];
    left -= lines.join('\n').length + 1;
    if (left < 0) return [];
    const pick = permission.pick(cutText(proposer, 24));
    // guard: E9-picked-whole
    const isWhole = omitted === 0;
    return [{ lines, button: isWhole ? { verb: 'permission.pick', text: pick, index } : null }];
  });
};

export const renderPermission = ({ run, now }: ViewScene, words: LanguageTexts): RenderedMessage | null => {
  const question = permissionQuestionOf(run);
  if (!question) return null;
  const { permission, buttons: b } = words;
  const { command, text } = readPermissionInput(question);
  const { sort } = question;
  const { html, omitted } = showCut(text, MAX_REQUEST_LENGTH);
  const lines = [
    runHeadline(permission.title, run),
    codeLine(run.order.title ?? run.order.goal, 120),
    escapeLine(command ? permission.asks.command : permission.asks.tool(question.tool)),
    `<pre>${html}</pre>`,
    sort && omitted === 0 ? codeLine(permission.sortMeans(sort.words), 200) : '',
    omitted > 0 ? `⚠ ${escapeLine(permission.tooLong)}` : '',
    ...whyAsked(question, words),
  ].filter((line) => line !== '');
  const last = [
    escapeLine(permission.waits),
    relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar),
  ];
  const others = renderAlternatives(question, words, MAX_CARD_LENGTH - [...lines, ...last].join('\n').length);
  const allow: ViewButton[] =
    omitted > 0 ? [] : [{ verb: 'permission.allow', text: permission.allow, style: 'success' }];
  const all: ViewButton[] =
    omitted > 0 || !sort ? [] : [{ verb: 'permission.allow_sort', text: permission.allowSort(sort.words) }];
  const edit: ViewButton[] =
    omitted === 0 && question.editable ? [{ verb: 'permission.edit', text: permission.edit }] : [];
  return {
    html: fitLines([...lines, ...others.flatMap((one) => one.lines), ...last]),
    buttons: [
      [...allow, { verb: 'permission.deny', text: permission.deny, style: 'danger' }],
      ...(all.length > 0 ? [all] : []),
      ...others.flatMap(({ button }) => (button === null ? [] : [[button]])),
      [...edit, { verb: 'permission.deny_in_words', text: permission.denyWords }],
      [
        { verb: 'detail', text: b.detail },
        { verb: 'cancel', text: b.cancel, style: 'danger' },
      ],
    ],
  };
};

const MAX_NAMED_RUNS = 12;

export const renderQuestions = (
  { members, answered }: QuestionsView,
  runs: readonly (Run | null)[],
  words: LanguageTexts,
): RenderedMessage => {
  const { permission } = words;
  const open = runs.flatMap((run, i) => {
    const question = run && permissionQuestionOf(run);
    const member = members[i];
    return question && question.id === member?.question && question.digest === member.digest
      ? [{ run, question }]
      : [];
  });
  const [first] = open;
  if (!first)
    return {
      html: escapeLine(
        answered === undefined
          ? permission.over
          : permission.answeredEach(answered, members.length - answered),
      ),
      buttons: [],
    };
  const { command, text } = readPermissionInput(first.question);
  const n = open.length;
  const named = open.slice(0, MAX_NAMED_RUNS).map(({ run }) => `· ${runName(run)}`);
  const lines = [
    `<b>${permission.title}</b> · ${n}`,
    escapeLine(command ? permission.asksEach.command(n) : permission.asksEach.tool(n, first.question.tool)),
    `<pre>${showCut(text, MAX_SHARED_LENGTH).html}</pre>`,
    ...whyAsked(first.question, words),
    ...named,
    ...(n > named.length ? [words.fleet.more(n - named.length)] : []),
    escapeLine(permission.waits),
  ];
  const allow: ViewButton[] = isShownWhole(text)
    ? [{ verb: 'permission.allow_each', text: permission.allowEach(n), style: 'success' }]
    : [];
  return {
    html: fitLines(lines),
    buttons: [[...allow, { verb: 'permission.deny_each', text: permission.denyEach(n), style: 'danger' }]],
  };
};

export const standingGrantLines = (run: Run, words: LanguageTexts): string[] =>
  permissionsOf(run).standingGrants.map(({ sort, by }) =>
    codeLine(words.permission.stands(sort.words, by), 120),
  );

export const revokeButton = (run: Run, words: LanguageTexts): ViewButton[] =>
  permissionsOf(run).standingGrants.length > 0 && !isTerminal(run.lifecycle.state)
    ? [{ verb: 'revoke', text: words.permission.revoke }]
    : [];
