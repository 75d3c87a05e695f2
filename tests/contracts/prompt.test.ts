/** E7, P4, P5: what stands in the one prompt of a round, and in which form. */
import { expect, it } from 'vitest';
import { renderPrompt } from '../../orchestrator/effects/prompt.ts';
import { english } from '../../bot/language/english.ts';
import { ana, at, deny, retry } from '../support/core.ts';

const skill = (name: string, version: string): string => `(${name} ${version})`;

it('P4: tells the agent what people said when they let the run go on, and why they denied a card', () => {
  const { run } = at('PUSHED').when(deny('Too long.'), retry('IMPLEMENTING', 'Keep it\nto one file.'));
  const prompt = renderPrompt(run, run.round, [], { skill, wording: english });
  expect(prompt).toContain(`## Goal\n\n${run.order.goal}\n`);
  expect(prompt).toContain('## What was decided since, the newest last\n\nKeep it\nto one file.\n');
  expect(prompt).toContain('## Why your last change was rejected\n\n```\nToo long.\n```\n');
  expect(prompt).toContain(`(implement-and-validate ${run.order.promptVersion})`);
});

it('has no heading for what nobody said', () => {
  const { run } = at('IMPLEMENTING');
  expect(run.order.requester).toEqual(ana);
  expect(renderPrompt(run, run.round, [], { skill, wording: english })).not.toMatch(/decided since|rejected/);
});
