/** Collects all English texts of the bot. Plain text, not escaped. */
import type { DatabaseFault } from '../../../orchestrator/model/database-fault.ts';
import { composeTexts } from '../compose-texts.ts';
import { enSentences } from './sentences.ts';
import { describeFailureInEnglish } from './failure-details.ts';
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
import { enCard } from './card.ts';
import { enCampaign } from './campaign.ts';
import { enCommands } from './commands.ts';
import { hostChecks } from './host-checks.ts';
import { enValidationIssue } from './validation-issues.ts';
import { enProblems } from './problems.ts';
import { englishSetup } from './setup.ts';
import { enRepositoryTrial } from './repository-trial.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type LanguageCode = 'en' | 'zh';

export const enTexts = {
  ...composeTexts(enSentences),
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
  ...enCard,
  campaign: enCampaign,
  commands: enCommands,
  hostChecks,
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
  setup: englishSetup,
  repositoryTrial: enRepositoryTrial,
};

/** Every language must provide a table of this type. */
export type LanguageTexts = typeof enTexts;
