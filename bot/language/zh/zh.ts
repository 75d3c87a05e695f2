/** Chinese: every sentence that the bot says. Plain text, not escaped. */
import type { Texts } from '../en/en.ts';
import { answers } from './answers.ts';
import { feedback } from './feedback.ts';
import { notes } from './notes.ts';
import { hostRefused } from './host-refusals.ts';
import { reasons } from './reasons.ts';
import { refusals } from './refusals.ts';
import { judgement } from './judgements.ts';
import { findingNote, findings } from './findings.ts';
import { checkWhys } from './checks.ts';
import { sight } from './sight.ts';
import { budgets, why } from './why.ts';
import { run } from './run.ts';
import { card } from './card.ts';
import { campaign } from './campaign.ts';
import { cluster } from './cluster.ts';
import { people } from './people.ts';
import { screens } from './screens.ts';
import { commands } from './commands.ts';
import { house } from './house.ts';
import { misfit } from './misfits.ts';
import { problems } from './problems.ts';
import { viewer } from './viewer.ts';
import { denials } from './denials.ts';
import { permission } from './permission.ts';
import { turns } from './turns.ts';
import { insights } from './insights.ts';
import { report } from './report.ts';
import { model } from './model.ts';
import { guesses } from './guesses.ts';
import { setup } from './setup.ts';

export const zh: Texts = {
  code: 'zh',
  name: '中文',
  calendar: {
    weekdays: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    date: (day, month) => `${month}月${day}日`,
    units: { s: ' 秒', m: ' 分钟', h: ' 小时', d: ' 天' },
  },
  judgement,
  findings,
  findingNote,
  ...run,
  ...card,
  campaign,
  cluster,
  ...people,
  ...screens,
  ...answers,
  commands,
  house,
  misfit,
  problems,
  sight,
  checkWhys,
  budgets,
  why,
  reasons,
  hostRefused,
  refusals,
  notes,
  feedback,
  viewer,
  denials,
  permission,
  turns,
  report,
  insights,
  guesses,
  setup,
  ...model,
};
