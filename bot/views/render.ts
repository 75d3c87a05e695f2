/**
 * Renders a view of a run as Telegram HTML with buttons. Pure: the same scene gives the same
 * message.
 */
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Texts } from '../language/language.ts';
import { say } from '../text/catalogue.ts';
import { renderComment } from './comment.ts';
import { renderTriage } from './triage.ts';
import { headline, type Rendered, type Scene, type Shown } from './scene.ts';
import { renderGate } from './gate.ts';
import { renderHunks } from './hunks.ts';
import { renderAttention, renderEnded, renderProgress } from './run.ts';
import { renderUndone, renderWaiting, renderWarning } from './why.ts';
import { showBlock } from '../text/text.ts';

export type { Rendered, Scene, Shown };

/**
 * A message with a run behind it. Documents and answers carry their own words, what is blind is
 * about several runs, connections belong to no run.
 */
export const render = (
  view: Exclude<
    View,
    {
      view:
        | 'reply'
        | 'cluster'
        | 'campaign'
        | 'morning_summary'
        | 'document'
        | 'patch'
        | 'pictures'
        | 'report'
        | 'connection'
        | 'outage'
        | 'command_choice';
    }
  >,
  scene: Scene,
  words: Texts,
): Rendered => {
  switch (view.view) {
    case 'progress':
      return renderProgress(scene, words);
    case 'gate':
      return renderGate(view, scene, words);
    case 'attention':
      return renderAttention(view, scene, words);
    case 'ended':
      return renderEnded(scene, words);
    case 'comment':
      return renderComment(view, scene.run, words);
    case 'triage':
      return renderTriage(view, scene.run, words);
    case 'budget':
      return renderWarning(view, scene, words);
    case 'provider_wait':
      return renderWaiting(view, scene, words);
    case 'discarded_edits':
      return renderUndone(view, scene, words);
    case 'diff_page':
      return renderHunks(view, scene, words);
    case 'note':
      return {
        html: `${headline('ℹ', scene.run)}\n<code>${showBlock(say(words.notes, view.note), 3_000)}</code>`,
        buttons: [],
      };
    default:
      return view satisfies never;
  }
};

/** Marks a message that may have been sent before (L4). */
export const asRepeat = (html: string, words: Texts): string => `<i>${words.progress.repeat}</i> ${html}`;

/** Marks a message that was meant for another chat. */
export const asStray = (html: string, chat: string, words: Texts): string =>
  `<i>${words.progress.stray(chat)}</i>\n${html}`;
