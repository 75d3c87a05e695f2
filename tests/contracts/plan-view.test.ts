/**
 * E8, C3: a run that keeps a plan shows how far it is, and its steps, with text of the agent as
 * code.
 */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { renderView } from '../../bot/views/render-view.ts';
import { renderPlan } from '../../bot/views/plan-screen.ts';
import { baseChecked, discovered, given, planOfTwo, startDiscovery, startWork } from '../support/core.ts';

const { run } = given({ flow: 'plan' }, startDiscovery, discovered(), baseChecked(), startWork(), planOfTwo);
const scene = { run, approval: null, attempts: [], patch: null, now: run.lifecycle.updatedAt };

it.each(['en', 'zh'] as const)('E8: progress names the step that is being done (%s)', (language) => {
  const { html } = renderView({ view: 'progress' }, scene, LANGUAGE_TEXTS[language]);
  expect(html).toMatch(/0.{1,4}2/);
  expect(html).toContain('<code>001 do 001</code>');
});

it('E8: /plan lists the steps in their order, escaped', () => {
  const plan = run.agent.plan && {
    ...run.agent.plan,
    plan: { ...run.agent.plan.plan, notes: '', backlog: [{ id: '002', text: '<b>x' }] },
  };
  const html = renderPlan({ ...run, agent: { ...run.agent, plan } }, LANGUAGE_TEXTS.en) ?? '';
  expect(html.indexOf('▸ <code>001')).toBeLessThan(html.indexOf('· <code>002 &lt;b&gt;x'));
});
