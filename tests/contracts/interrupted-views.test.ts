/** E17, C1: a long wait and edits that did not stay, as a phone shows them in each language. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { stripMarkup } from '#chat-text';
import { renderView } from '../../bot/views/render-view.ts';
import { toDiscardedEdits } from '../../orchestrator/kernel/rounds/record-discarded-edits.ts';
import { aRun } from '../support/ledger.ts';

const NOW = Date.UTC(2026, 0, 5, 12, 0);
const scene = { run: aRun('r1'), approval: null, attempts: [], patch: null, now: NOW };
const waiting = {
  view: 'provider_wait',
  class: 'model_unavailable',
  since: NOW - 60_000,
  until: NOW,
} as const;

describe('a phone', () => {
  it('E17: says since when a provider is waited for, and when it is asked again', () => {
    const text = stripMarkup(renderView(waiting, scene, LANGUAGE_TEXTS.en).html);
    expect(text).toContain('Waiting for the model provider since');
    expect(text).toContain('Next try:');
    expect(stripMarkup(renderView(waiting, scene, LANGUAGE_TEXTS.zh).html)).toContain('一直在等模型提供方');
  });

  it('F8: says since when the code host is waited for, and nothing of a model', () => {
    const host = { ...waiting, for: 'host', class: 'rate_limited' } as const;
    const text = stripMarkup(renderView(host, scene, LANGUAGE_TEXTS.en).html);
    expect(text).toContain('Waiting for the code host since');
    expect(text).toContain('Next try:');
    expect(text).not.toContain('model');
    const chinese = stripMarkup(renderView(host, scene, LANGUAGE_TEXTS.zh).html);
    expect(chinese).toContain('一直在等代码托管平台');
    expect(chinese).not.toContain('模型');
  });

  it.each(['guard', 'plan', 'disk', 'missing', 'fresh_workspace', 'taken_back'] as const)(
    'E17: says which edits were undone, and why (%s), with every name escaped',
    (why) => {
      const view = {
        view: 'discarded_edits',
        discardedEdits: { ...toDiscardedEdits(why, ['~ <b>.ts']), more: 2 },
      } as const;
      for (const words of Object.values(LANGUAGE_TEXTS)) {
        const { html } = renderView(view, scene, words);
        expect(html).toContain('&lt;b&gt;.ts');
        expect(stripMarkup(html)).toContain(words.why.undone[why]);
        expect(stripMarkup(html)).toContain(words.why.undone.more(2));
      }
    },
  );
});
