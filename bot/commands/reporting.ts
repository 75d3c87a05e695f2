/** O4: what runs took, on a screen whose buttons lead to other times and groups, or as a file. */
import type { GivenTo } from '../../orchestrator/commands/rows.ts';
import { renderReport } from '../views/report.ts';
import { plain, screen, settle, showing, type Context } from './context.ts';

export const report = async (c: Context, { file, ...about }: GivenTo<'report'>['about']): Promise<void> => {
  if (!c.report) return settle(c, 'report', plain(c.words.replies.noneFits));
  if (file) return settle(c, 'report', showing({ view: 'report', ...about }, null));
  const { report: found, late } = await c.report(about);
  const { html, buttons } = renderReport(found, late, c.words);
  await settle(c, 'report', screen(c, html, buttons));
};
