/** O4, O7: shows the report and insights screens. */
import type { ArgumentsOf } from '#commands';
import type { ReportDays } from '../../orchestrator/model/report-scope.ts';
import { renderInsights } from '../views/insights-screen.ts';
import { renderReport } from '../views/report-screen.ts';
import { plainReply, screenReply, settleUpdate, viewReply, type CommandContext } from './command-context.ts';

export const showReport = async (
  c: CommandContext,
  { file, ...about }: ArgumentsOf<'report'>['about'],
): Promise<void> => {
  if (!c.reports) return settleUpdate(c, 'report', plainReply(c.words.replies.noneFits));
  if (file) return settleUpdate(c, 'report', viewReply({ view: 'report', ...about }, null));
  const { report: found, late } = await c.reports.report(about);
  const { html, buttons } = renderReport(found, late, c.words);
  await settleUpdate(c, 'report', screenReply(c, html, buttons));
};

export const showInsights = async (c: CommandContext, days: ReportDays): Promise<void> => {
  if (!c.reports) return settleUpdate(c, 'insights', plainReply(c.words.replies.noneFits));
  const { html, buttons } = renderInsights(await c.reports.insights(days), c.role, c.words);
  await settleUpdate(c, 'insights', screenReply(c, html, buttons));
};
