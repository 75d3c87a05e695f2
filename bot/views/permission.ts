/** E10: what an agent asks to be allowed, as it would hand it to its tool, and the buttons that answer. */
import { permissionsOf, questionOf } from '../../orchestrator/core/machine/permissions.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import type { ReasonOf } from '../../orchestrator/core/machine/reasons.ts';
import type { Texts } from '../language/language.ts';
import { visibleCommand } from '../../orchestrator/core/lookalikes.ts';
import { fit, relative, said, show, showCut } from '../text/text.ts';
import { tellingOf } from './policy.ts';
import { headline, type Rendered, type Scene, type Shown } from './scene.ts';

type Question = ReasonOf<'permission_asked'>;

const Input = (input: string): Record<string, unknown> => JSON.parse(input) as Record<string, unknown>;
/** The command alone where the input is just that; all of it otherwise. */
export const askedText = ({ input }: Pick<Question, 'input'>): { command: boolean; text: string } => {
  const members = Input(input);
  const { command } = members;
  if (typeof command !== 'string') return { command: false, text: input };
  // guard: P6-odd-characters-shown
  return Object.keys(members).length === 1
    ? { command: true, text: visibleCommand(command) }
    : { command: false, text: visibleCommand(input) };
};

/** With its hidden characters written out; nobody allows what they cannot see all of. */
const MOST = 3_000;

const whyAsked = ({ objections }: Question, words: Texts): string[] =>
  objections.length === 0
    ? [`${words.permission.why}: ${show(words.permission.nobodySaid)}`]
    : tellingOf(objections)
        .slice(0, 3)
        .map((o) => `⚠ <code>${show(o.policy, 60)}</code> ${said(words.judgement(o.reason), 160)}`);

/** Null where the question is over: the run then says what it is at. */
export const renderPermission = ({ run, now }: Scene, words: Texts): Rendered | null => {
  const question = questionOf(run);
  if (!question) return null;
  const { permission, buttons: b } = words;
  const { command, text } = askedText(question);
  const { sort } = question;
  const { html, omitted } = showCut(text, MOST);
  const lines = [
    headline(permission.title, run),
    said(run.order.title ?? run.order.goal, 120),
    show(command ? permission.asks.command : permission.asks.tool(question.tool)),
    `<pre>${html}</pre>`,
    sort && omitted === 0 ? said(permission.sortMeans(sort.words), 200) : '',
    omitted > 0 ? `⚠ ${show(permission.tooLong)}` : '',
    ...whyAsked(question, words),
    show(permission.waits),
    relative(run.lifecycle.stateEnteredAt, now, words.calendar),
  ];
  const allow: Shown[] = omitted > 0 ? [] : [{ verb: 'permit', text: permission.allow, style: 'success' }];
  const all: Shown[] =
    omitted > 0 || !sort ? [] : [{ verb: 'permitall', text: permission.allowSort(sort.words) }];
  const edit: Shown[] =
    omitted === 0 && question.editable ? [{ verb: 'permitas', text: permission.edit }] : [];
  return {
    html: fit(lines.filter((line) => line !== '')),
    buttons: [
      [...allow, { verb: 'forbid', text: permission.deny, style: 'danger' }],
      ...(all.length > 0 ? [all] : []),
      [...edit, { verb: 'forbidas', text: permission.denyWords }],
      [
        { verb: 'detail', text: b.detail },
        { verb: 'cancel', text: b.cancel, style: 'danger' },
      ],
    ],
  };
};

/** What was allowed for the rest of the run, and by whom. */
export const standingLines = (run: Run, words: Texts): string[] =>
  permissionsOf(run).standingGrants.map(({ sort, by }) => said(words.permission.stands(sort.words, by), 120));

export const revokeButton = (run: Run, words: Texts): Shown[] =>
  permissionsOf(run).standingGrants.length > 0 && !isTerminal(run.lifecycle.state)
    ? [{ verb: 'revoke', text: words.permission.revoke }]
    : [];
