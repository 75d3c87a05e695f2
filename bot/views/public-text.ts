/** Renders all text that a tap would publish (G8). */
import { headName } from '#model/pull';
import type { PullSetup } from '#model/opening';
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { toReadableText } from '../text/visible-patch.ts';
import { MESSAGE_LIMIT, escapeHtml, proseLines } from '../text/telegram-html.ts';
import { runHeadline } from './run-lines.ts';

type PublicPart = readonly [heading: string, text: string];

/** F13: each label and each account that a tap would name in public. */
const listSetup = ({ labels, reviewers, teams, assignees, milestone }: PullSetup): string =>
  [
    ...labels.map((one) => `label ${one}`),
    ...[...reviewers, ...teams].map((one) => `reviewer ${one}`),
    ...assignees.map((one) => `assignee ${one}`),
    ...(milestone === null ? [] : [`milestone ${milestone}`]),
  ].join('\n');

/** `publicName` is that of the reader, whose tap would sign it. */
export const publicParts = (
  run: Run,
  messages: readonly string[],
  words: LanguageTexts,
  publicName?: string,
): PublicPart[] => {
  const { text } = words;
  const {
    change: { commit },
    gate: { proposal },
  } = run;
  if (!commit) return [];
  const fields = proposal?.fields;
  const said = messages.length > 0 ? messages : [commit.message];
  const parts: PublicPart[] = [
    ...(fields
      ? ([
          [text.branch, headName(run.target.fork, fields.branch)],
          [text.author, fields.author],
          ...(fields.signer === undefined ? [] : [[text.signer, fields.signer] as const]),
        ] as const)
      : []),
    ...said.map((message, i): PublicPart => [text.commit(i + 1, said.length), message]),
    ...(fields?.action === 'open_pr'
      ? ([
          [text.title, fields.title],
          ...(fields.setup ? [[text.opens, listSetup(fields.setup)] as const] : []),
          [text.body, `${fields.body}\n\n${text.receipt(publicName)}`],
        ] as const)
      : []),
    ...(fields?.pullBody === undefined
      ? []
      : [[text.newBody, `${fields.pullBody}\n\n${text.receipt(publicName)}`] as const]),
  ];
  return parts.map(([heading, whole]) => [heading, toReadableText(whole)]);
};

export const renderParts = (run: Run, parts: readonly PublicPart[], words: LanguageTexts): string | null => {
  const html = [
    runHeadline(words.text.heading, run),
    ...parts.map(([heading, text]) => `<b>${escapeHtml(heading)}</b>\n${proseLines(text)}`),
  ].join('\n\n');
  return html.length <= MESSAGE_LIMIT ? html : null;
};
