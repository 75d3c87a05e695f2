/** E7: which prompts a run gets while two sets are tried. */
import { describe, expect, it } from 'vitest';
import { USUAL_PROMPTS } from '../../app/runtime-settings.ts';
import { listSkillVersions } from '../../app/skills.ts';
import { drawPromptSet } from '#model/order';
import { promptExperimentOf } from '../../orchestrator/settings/runtime-setting-rows.ts';
import { runIdOf } from '#runtime';
import { at, created, order } from '../support/core.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';

const tried = (percent: number) => order({ promptVersion: 'v1', promptExperiment: { other: 'v2', percent } });
const share = (percent: number, runs = 4_000): number => {
  const ids = Array.from({ length: runs }, (_, i) => runIdOf(`goal ${i}`));
  return ids.filter((id) => drawPromptSet(id, tried(percent)).promptVersion === 'v2').length / runs;
};

describe('prompts on trial', () => {
  it.each([0, 1, 20, 50, 100])(
    'E7: %d of a hundred runs draw the other ones, whatever their ids are',
    (percent) => {
      expect(Math.abs(share(percent) - percent / 100)).toBeLessThan(0.025);
    },
  );

  it('E7: the same run draws the same, and ids that follow each other do not', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `r-${String(i).padStart(6, '0')}`);
    const draws = ids.map((id) => drawPromptSet(id, tried(50)).promptVersion);
    expect(ids.map((id) => drawPromptSet(id, tried(50)).promptVersion)).toEqual(draws);
    expect(draws.filter((one) => one === 'v2').length).toBeGreaterThan(70);
    expect(draws.filter((one) => one === 'v2').length).toBeLessThan(130);
  });

  it('E7: a run keeps what it drew, and without a trial what it was ordered with', () => {
    expect(at('IMPLEMENTING').run.order.promptVersion).toBe('1');
    const input = created({ promptVersion: 'v1', promptExperiment: { other: 'v2', percent: 100 } });
    const step = decideStep(null, input, { at: 1, seq: 1 } as never);
    expect(step).toMatchObject({ kind: 'moved', run: { order: { promptVersion: 'v2' } } });
  });

  it('E7: the usual set is compared with the one before it, which runs can still be ordered with', () => {
    const usual = { promptVersion: USUAL_PROMPTS, trialPercent: 20 };
    expect(listSkillVersions()).toEqual(['v1', 'v2', 'v3']);
    expect(promptExperimentOf(usual, { prompts: listSkillVersions() })).toEqual({ other: 'v2', percent: 20 });
  });

  it('E7: the newest other version is tried; none where there is no other', () => {
    const values = { promptVersion: 'v2', trialPercent: 10 };
    expect(promptExperimentOf(values, { prompts: ['v1', 'v2', 'v3'] })).toEqual({ other: 'v3', percent: 10 });
    expect(
      promptExperimentOf({ ...values, promptVersion: 'v3' }, { prompts: ['v1', 'v2', 'v3'] })?.other,
    ).toBe('v2');
    expect(promptExperimentOf(values, { prompts: ['v2'] })).toBeNull();
    expect(promptExperimentOf({ ...values, trialPercent: null }, { prompts: ['v1', 'v2'] })).toBeNull();
  });
});
