/** Collects all Chinese texts of the bot. Plain text, not escaped. */
import { zhDatabaseFault } from './database-faults.ts';
import { composeTexts } from '../compose-texts.ts';
import { zhSentences } from './sentences.ts';
import { describeFailureInChinese } from './failure-details.ts';
import type { LanguageTexts } from '../en/en.ts';
import { zhFeedback } from './feedback.ts';
import { zhNotes } from './notes.ts';
import { zhHostRefusal } from './host-refusals.ts';
import { zhReasons } from './reasons.ts';
import { zhRefusals } from './refusals.ts';
import { zhJudgement } from './judgements.ts';
import { zhFindingNote, zhFindings } from './findings.ts';
import { zhCheckReasons } from './checks.ts';
import { zhOutages } from './outages.ts';
import { zhBudgets, zhWhy } from './failures.ts';
import { zhCard } from './card.ts';
import { zhCampaign } from './campaign.ts';
import { zhCommands } from './commands.ts';
import { hostChecks } from './host-checks.ts';
import { zhValidationIssue } from './validation-issues.ts';
import { zhProblems } from './problems.ts';
import { chineseSetup } from './setup.ts';
import { zhRepositoryTrial } from './repository-trial.ts';

export const zhTexts: LanguageTexts = {
  ...composeTexts(zhSentences),
  code: 'zh',
  name: '中文',
  calendar: {
    weekdays: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    date: (day, month) => `${month}月${day}日`,
    units: { s: ' 秒', m: ' 分钟', h: ' 小时', d: ' 天' },
  },
  judgement: zhJudgement,
  findings: zhFindings,
  findingNote: zhFindingNote,
  ...zhCard,
  campaign: zhCampaign,
  commands: zhCommands,
  hostChecks,
  misfit: zhValidationIssue,
  problems: zhProblems,
  sight: zhOutages,
  checkWhys: zhCheckReasons,
  budgets: zhBudgets,
  why: zhWhy,
  reasons: zhReasons,
  hostRefused: zhHostRefusal,
  failedInDetail: describeFailureInChinese,
  databaseFailed: zhDatabaseFault,
  refusals: zhRefusals,
  notes: zhNotes,
  feedback: zhFeedback,
  setup: chineseSetup,
  repositoryTrial: zhRepositoryTrial,
};
