/** Collects all Chinese texts of the bot. Plain text, not escaped. */
import { zhDatabaseFault } from './database-faults.ts';
import { describeFailureInChinese } from './failure-details.ts';
import type { LanguageTexts } from '../en/en.ts';
import { zhAnswers } from './answers.ts';
import { zhBoard } from './board.ts';
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
import { zhRun } from './run.ts';
import { zhCard } from './card.ts';
import { zhCampaign } from './campaign.ts';
import { zhCluster } from './cluster.ts';
import { zhPeople } from './people.ts';
import { zhScreens } from './screens.ts';
import { zhCommands } from './commands.ts';
import { hostChecks } from './host-checks.ts';
import { zhInstallation } from './installation.ts';
import { zhValidationIssue } from './validation-issues.ts';
import { zhProblems } from './problems.ts';
import { zhViewer } from './viewer.ts';
import { zhDenials } from './denials.ts';
import { zhPermission } from './permission.ts';
import { zhProposers } from './proposers.ts';
import { zhInsights } from './insights.ts';
import { zhReport } from './report.ts';
import { zhModel } from './model.ts';
import { zhVoice } from './voice.ts';
import { zhReceiptPage } from './receipt-page.ts';
import { chineseGuesses } from './guesses.ts';
import { chineseSetup } from './setup.ts';
import { zhRepositoryTrial } from './repository-trial.ts';
import { zhSettingsProblems } from './settings-problems.ts';

export const zhTexts: LanguageTexts = {
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
  ...zhRun,
  ...zhCard,
  board: zhBoard,
  campaign: zhCampaign,
  cluster: zhCluster,
  ...zhPeople,
  ...zhScreens,
  ...zhAnswers,
  commands: zhCommands,
  hostChecks,
  installation: zhInstallation,
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
  viewer: zhViewer,
  denials: zhDenials,
  permission: zhPermission,
  turns: zhProposers,
  report: zhReport,
  insights: zhInsights,
  guesses: chineseGuesses,
  setup: chineseSetup,
  settingsProblems: zhSettingsProblems,
  repositoryTrial: zhRepositoryTrial,
  ...zhModel,
  ...zhVoice,
  ...zhReceiptPage,
};
