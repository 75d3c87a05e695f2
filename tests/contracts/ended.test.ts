/** S10: an end that a person chose, on either side, is not called a failure. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { stripMarkup } from '#chat-text';
import type { MessageView } from '#effects';
import { renderView } from '../../bot/views/render-view.ts';
import { renderRuns } from '../../bot/views/fleet-screen.ts';
import { at, cancel, deny, failed, later, pull, type Story } from '../support/core.ts';

const shown = (
  view: MessageView['view'] & ('ended' | 'progress'),
  { run }: Story,
  language: 'en' | 'zh',
): string =>
  stripMarkup(
    renderView(
      { view },
      { run, approval: null, attempts: [], patch: null, now: run.lifecycle.updatedAt },
      LANGUAGE_TEXTS[language],
    ).html,
  );
const sounds = ({ effects }: Story): boolean[] =>
  effects.flatMap((e) => (e.do.kind === 'chat_message' && e.do.content.view === 'ended' ? [e.do.sound] : []));

const ends = {
  cancelled: at('IMPLEMENTING').when(cancel),
  'cancelled with a pull request': at('REVIEW_WAIT').when(cancel),
  'cancelled while it needed somebody': at('NEEDS_HUMAN_REVIEW').when(later(90_000, cancel)),
  denied: at('PUSHED').when(deny('Not wanted.', true)),
  closed: at('CI_WAIT').when(pull({ closed: true })),
};

describe('an end that somebody chose', () => {
  it.each(Object.entries(ends))('S10: is told as what it is, and not as a failure: %s', (_, story) => {
    for (const view of ['ended', 'progress'] as const) {
      expect(shown(view, story, 'en')).not.toMatch(/fail/i);
      expect(shown(view, story, 'zh')).not.toMatch(/失败|FAILED/);
    }
    const { html } = renderRuns([story.run], story.run.lifecycle.updatedAt, LANGUAGE_TEXTS.en);
    expect(html).not.toMatch(/fail/i);
  });

  it('S10: has its heading, in each language', () => {
    expect(shown('ended', ends.cancelled, 'en')).toMatch(/^CANCELLED ·/);
    expect(shown('ended', ends['cancelled with a pull request'], 'en')).toContain('#7 stays open');
    expect(shown('ended', ends.denied, 'en')).toMatch(/^DENIED ·[^]*Not wanted\./);
    expect(shown('ended', ends.closed, 'en')).toMatch(/^CLOSED BY maintainer ·/);
    expect(shown('ended', ends.cancelled, 'zh')).toMatch(/^已取消 ·[^]*由 Ana 取消。/);
    expect(shown('ended', ends.closed, 'zh')).toMatch(/^已被 maintainer 关闭 ·/);
  });

  it('S10: rings for nobody who chose it, and for everybody else', () => {
    expect(sounds(ends.cancelled)).toEqual([false]);
    expect(sounds(ends['cancelled with a pull request'])).toEqual([false]);
    expect(sounds(ends.denied)).toEqual([false]);
    expect(sounds(ends.closed)).toEqual([true]);
    const failure = at('DISCOVERY').when(failed('repository_empty', { step: 'discover' }));
    expect(sounds(failure)).toEqual([true]);
    expect(shown('ended', failure, 'en')).toMatch(/^FAILED ·/);
  });
});
