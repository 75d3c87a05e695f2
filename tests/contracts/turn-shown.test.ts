/** F5: whoever waits for a signed opening reads when it comes, on the run's message and in /status. */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { stripMarkup } from '#chat-text';
import { renderStatus } from '../../bot/views/fleet-screen.ts';
import { renderProgress } from '../../bot/views/run-messages.ts';
import { at } from '../support/core.ts';
import { confirm, turn } from '../support/core-acts.ts';
import { HOUR, MINUTE } from '#model/values';

it.each([
  ['en', 'pace', 'Opens at ', ', third in line.'],
  ['zh', 'pace', '创建拉取请求', '排在第 3 位'],
  ['en', 'retry_after', 'Opens at ', 'GitHub asked us to write nothing until then.'],
  ['zh', 'retry_after', '创建拉取请求', 'GitHub 要求在此之前不要写入'],
] as const)('F5: says so in %s, for a wait of its %s', (language, why, ...says) => {
  const words = LANGUAGE_TEXTS[language];
  const story = at('PUSHED').when(confirm(), (run) =>
    turn({ why, readyAt: run.lifecycle.updatedAt + HOUR })(run),
  );
  const { run } = story;
  const now = run.lifecycle.updatedAt + MINUTE;
  const shown = stripMarkup(
    renderProgress({ run, attempts: [], approval: null, patch: null, now }, words).html,
  );
  const listed = stripMarkup(renderStatus([run], { PUSHED: 1 }, now, words).html);
  for (const text of [shown, listed]) for (const part of says) expect(text).toContain(part);
});

it('F5: is said once as long as it stays so, and is no step of the run', () => {
  const signed = at('PUSHED').when(confirm());
  const waits = signed.when(turn({ readyAt: 5 }));
  expect(waits.effects.map(({ do: { kind } }) => kind)).toEqual(['chat_message']);
  expect(waits.when(turn({ readyAt: 5 })).effects).toEqual([]);
  expect(waits.when(turn({ readyAt: 6 })).effects.map(({ do: { kind } }) => kind)).toEqual(['chat_message']);
  expect([waits.run.lifecycle.state, waits.run.lifecycle.counts]).toEqual([
    'PUSHED',
    signed.run.lifecycle.counts,
  ]);
});
