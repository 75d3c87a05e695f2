/** English: every sentence that the bot says. Plain text, not escaped. */
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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type Language = 'en' | 'zh';

export const en = {
  code: 'en' as Language,
  /** Its own name. */
  name: 'English',
  calendar: {
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    date: (day: number, month: number) => `${day} ${MONTHS[month - 1] ?? ''}`,
    units: { s: 's', m: 'm', h: 'h', d: 'd' },
  },
  /** Why a policy, the risk or a grade judges as it does. */
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

/** What a language has to say; another one joins by giving a table of this type. */
export type Texts = typeof en;
