/** O4, O7: what runs took and what cost attention, on screens whose buttons lead to others. */
import type { GivenTo } from '../../orchestrator/commands/rows.ts';
import type { Days } from '../../orchestrator/core/reported.ts';
import { renderInsights } from '../views/insights.ts';
import { renderReport } from '../views/report.ts';
import { plain, screen, settle, showing, type Context } from './context.ts';

export const report = async (c: Context, { file, ...about }: GivenTo<'report'>['about']): Promise<void> => {
  if (!c.reports) return settle(c, 'report', plain(c.words.replies.noneFits));
  if (file) return settle(c, 'report', showing({ view: 'report', ...about }, null));
  const { report: found, late } = await c.reports.report(about);
  const { html, buttons } = renderReport(found, late, c.words);
  await settle(c, 'report', screen(c, html, buttons));
};

export const insights = async (c: Context, days: Days): Promise<void> => {
  if (!c.reports) return settle(c, 'insights', plain(c.words.replies.noneFits));
  const { html, buttons } = renderInsights(await c.reports.insights(days), c.role, c.words);
  await settle(c, 'insights', screen(c, html, buttons));
};
