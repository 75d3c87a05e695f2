/** Collects all English texts of the bot. Plain text, not escaped. */
import type { DatabaseFault } from '../../../orchestrator/model/database-fault.ts';
import { describeFailureInEnglish } from './failure-details.ts';
import { enAnswers } from './answers.ts';
import { enBoard } from './board.ts';
import { enFeedback } from './feedback.ts';
import { enNotes } from './notes.ts';
import { enHostRefusal } from './host-refusals.ts';
import { enReasons } from './reasons.ts';
import { enRefusals } from './refusals.ts';
import { enJudgement } from './judgements.ts';
import { enFindingNote, enFindings } from './findings.ts';
import { enCheckReasons } from './checks.ts';
import { enOutages } from './outages.ts';
import { enBudgets, enWhy } from './failures.ts';
import { enRun } from './run.ts';
import { enCard } from './card.ts';
import { enCampaign } from './campaign.ts';
import { enCluster } from './cluster.ts';
import { enPeople } from './people.ts';
import { enScreens } from './screens.ts';
import { enCommands } from './commands.ts';
import { hostChecks } from './host-checks.ts';
import { enInstallation } from './installation.ts';
import { enValidationIssue } from './validation-issues.ts';
import { enProblems } from './problems.ts';
import { enViewer } from './viewer.ts';
import { enDenials } from './denials.ts';
import { enPermission } from './permission.ts';
import { enProposers } from './proposers.ts';
import { enInsights } from './insights.ts';
import { enReport } from './report.ts';
import { enModel } from './model.ts';
import { enVoice } from './voice.ts';
import { enReceiptPage } from './receipt-page.ts';
import { englishGuesses } from './guesses.ts';
import { englishSetup } from './setup.ts';
import { enRepositoryTrial } from './repository-trial.ts';
import { enSettingsProblems } from './settings-problems.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type LanguageCode = 'en' | 'zh';

export const enTexts = {
  code: 'en' as LanguageCode,
  name: 'English',
  calendar: {
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    date: (day: number, month: number) => `${day} ${MONTHS[month - 1] ?? ''}`,
    units: { s: 's', m: 'm', h: 'h', d: 'd' },
  },
  judgement: enJudgement,
  findings: enFindings,
  findingNote: enFindingNote,
  ...enRun,
  ...enCard,
  board: enBoard,
  campaign: enCampaign,
  cluster: enCluster,
  ...enPeople,
  ...enScreens,
  ...enAnswers,
  commands: enCommands,
  hostChecks,
  installation: enInstallation,
  misfit: enValidationIssue,
  problems: enProblems,
  sight: enOutages,
  checkWhys: enCheckReasons,
  budgets: enBudgets,
  why: enWhy,
  reasons: enReasons,
  hostRefused: enHostRefusal,
  failedInDetail: describeFailureInEnglish,
  /** English is what the error itself says. */
  databaseFailed: (_fault: DatabaseFault, says: string): string => says,
  refusals: enRefusals,
  notes: enNotes,
  feedback: enFeedback,
  viewer: enViewer,
  denials: enDenials,
  permission: enPermission,
  turns: enProposers,
  report: enReport,
  insights: enInsights,
  guesses: englishGuesses,
  setup: englishSetup,
  settingsProblems: enSettingsProblems,
  repositoryTrial: enRepositoryTrial,
  ...enModel,
  ...enVoice,
  ...enReceiptPage,
};

/** Every language must provide a table of this type. */
export type LanguageTexts = typeof enTexts;
