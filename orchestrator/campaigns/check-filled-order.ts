/** Fills in a campaign's order for one repository, or says why it cannot be one there (F5). */
import { z } from 'zod';
import { fillVariables, MisplacedVariable } from '#model/settings';
import { orderForTarget, variablesOfTarget, type CampaignOrder, type CampaignTarget } from '#model/campaign';
import type { ExclusionReason } from '#model/targets';
import { cutText } from '#model/values';

const INVALID: Readonly<Record<string, ExclusionReason>> = {
  branch: 'invalid_branch',
  base: 'invalid_base',
  title: 'invalid_title',
  goal: 'invalid_goal',
  script: 'invalid_command',
  engineArgs: 'invalid_command',
  checks: 'invalid_command',
};

export type UnfitTarget = { why: ExclusionReason; by: string | null };

export const checkFilledOrder = (
  id: string,
  order: Pick<CampaignOrder, 'run' | 'undoes'>,
  target: CampaignTarget,
): UnfitTarget | null => {
  try {
    orderForTarget(id, order, target);
    return null;
  } catch (error) {
    if (error instanceof MisplacedVariable) return { why: 'invalid_command', by: `{{${error.variable}}}` };
    const key =
      error instanceof z.ZodError ? error.issues[0]?.path.findLast((one) => typeof one === 'string') : '';
    const why = INVALID[key ?? ''];
    // The campaign itself is wrong, in every repository.
    if (why === undefined) throw error;
    const name = key === 'branch' || key === 'base' ? order.run[key] : null;
    return { why, by: name === null ? null : cutText(fillVariables(name, variablesOfTarget(target)), 100) };
  }
};
