/** Renders a run's view as Telegram HTML with buttons. Pure: equal scenes give equal messages. */
import type { MessageView } from '#effects';
import type { LanguageTexts } from '../language/languages.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { renderComment } from './comment-card.ts';
import { renderOpenRemarks } from './open-remarks-card.ts';
import { renderTriage } from './review-triage-card.ts';
import { runHeadline } from './run-lines.ts';
import type { RenderedMessage, ViewScene, ViewButton } from './scene.ts';
import { renderNoteOffer } from './note-screens.ts';
import { renderGate } from './gate-card.ts';
import { renderHunks } from './change-viewer.ts';
import { renderAttention, renderEnded, renderProgress } from './run-messages.ts';
import {
  renderAgentAnswer,
  renderDiscardedEdits,
  renderRepeatedCall,
  renderProviderWait,
  renderBudgetWarning,
} from './reason-messages.ts';
import { escapeBlock } from '../text/telegram-html.ts';

export type { RenderedMessage, ViewScene, ViewButton };

/** Other views are rendered elsewhere, because they do not belong to exactly one run. */
export const renderView = (
  view: Exclude<
    MessageView,
    {
      view:
        | 'reply'
        | 'cluster'
        | 'questions'
        | 'campaign'
        | 'morning_summary'
        | 'document'
        | 'patch'
        | 'pictures'
        | 'report'
        | 'connection'
        | 'spending'
        | 'outage'
        | 'command_choice'
        | 'transcript';
    }
  >,
  scene: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
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
    case 'open_remarks':
      return renderOpenRemarks(view, scene, words);
    case 'budget':
      return renderBudgetWarning(view, scene, words);
    case 'provider_wait':
      return renderProviderWait(view, scene, words);
    case 'discarded_edits':
      return renderDiscardedEdits(view, scene, words);
    case 'note_offer':
      return renderNoteOffer(view, words);
    case 'repeated_call':
      return renderRepeatedCall(view, scene, words);
    case 'answer':
      return renderAgentAnswer(view, scene, words);
    case 'diff_page':
      return renderHunks(view, scene, words);
    case 'note':
      return {
        html: `${runHeadline('ℹ', scene.run)}\n<code>${escapeBlock(sayRecord(words.notes, view.note), 3_000)}</code>`,
        buttons: [],
      };
    default:
      return view satisfies never;
  }
};

/** L4: marks a message that may have been sent before. */
export const markRepeated = (html: string, words: LanguageTexts): string =>
  `<i>${words.progress.repeat}</i> ${html}`;

export const markMisdirected = (html: string, chat: string, words: LanguageTexts): string =>
  `<i>${words.progress.stray(chat)}</i>\n${html}`;
