/** C8: what a run tells a chat by itself, and what one of a campaign leaves to the campaign's card. */
import { describe, expect, it } from 'vitest';
import type { MessageView } from '#effects';
import { bounds, cancel, failed, given, implemented, pull, ways, type Story } from '../support/core.ts';

const views = ({ effects }: Story): MessageView['view'][] =>
  effects.flatMap((e) => (e.do.kind === 'chat_message' ? [e.do.content.view] : []));
const alone = (state: keyof typeof ways): Story => given({ bounds: bounds({}) }, ...ways[state]);
const inCampaign = (state: keyof typeof ways): Story =>
  given({ bounds: bounds({}), campaign: 'c-abcdef' }, ...ways[state]);
type From = typeof alone;

describe('a run of a campaign', () => {
  const silent: Record<string, (from: From) => Story> = {
    begins: (from) => from('QUEUED'),
    'is checked': (from) => from('IMPLEMENTING').when(implemented('a')),
    fails: (from) => from('DISCOVERY').when(failed('repository_empty', { step: 'discover' })),
    'is cancelled': (from) => from('IMPLEMENTING').when(cancel),
    'is merged': (from) => from('REVIEW_WAIT').when(pull({ merged: true })),
    'is closed by a maintainer': (from) => from('CI_WAIT').when(pull({ closed: true })),
  };
  it.each(Object.entries(silent))('C8: says nothing by itself when it %s', (_, story) => {
    expect(views(story(alone))).toContain('progress');
    expect(views(story(inCampaign))).not.toContain('progress');
    expect(views(story(inCampaign))).not.toContain('ended');
    expect(story(inCampaign).run.lifecycle.state).toBe(story(alone).run.lifecycle.state);
  });

  it('C8, S6: shows its card, and calls for whoever it needs, like any other', () => {
    expect(views(inCampaign('PUSHED'))).toEqual(['gate']);
    expect(views(inCampaign('NEEDS_HUMAN_REVIEW'))).toEqual(['attention']);
    expect(views(inCampaign('PAUSED'))).toEqual(views(alone('PAUSED')).filter((view) => view !== 'progress'));
  });
});
