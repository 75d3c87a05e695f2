/** S9: a failure of which no record exists is told in the language of who reads it, and its own words as a quotation. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { FailureClass, FailureDetail } from '#model/failure';
import { toFailedReason } from '../../orchestrator/kernel/run/reasons.ts';

const WORDS = 'git push was stopped on request.';
/** Three English words in a row, outside of a quotation. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/;
const QUOTED = `英文原文：“${WORDS}”`;

describe('a failure of each class', () => {
  it.each(FailureClass.options)('S9: %s, of which nothing more is known, is told in each language', (one) => {
    const reason = toFailedReason({ class: one, message: WORDS });
    const [en, zh] = [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh].map(({ reasons }) => sayRecord(reasons, reason));
    expect(en).toContain(WORDS);
    expect(zh).toContain(QUOTED);
    expect(zh?.replace(QUOTED, '')).not.toMatch(ENGLISH);
    expect(zh).toMatch(/\p{Script=Han}/u);
  });

  it('S9: quotes nothing where nothing was said', () => {
    const reason = toFailedReason({ class: 'cancelled', message: '' });
    expect(sayRecord(LANGUAGE_TEXTS.zh.reasons, reason)).not.toContain('英文原文');
  });
});

it('S9: each stored kind of a failure has words in both languages', () => {
  for (const { shape } of FailureDetail.options)
    for (const kind of 'options' in shape.kind ? shape.kind.options : [shape.kind.value])
      for (const { knowsFailure } of Object.values(LANGUAGE_TEXTS))
        expect(knowsFailure({ kind }), kind).toBe(true);
});
