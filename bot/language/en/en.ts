/** Collects all English texts of the bot. Plain text, not escaped. */
import { enComposed } from './sentences.ts';
import type { DatabaseFault } from '../../../orchestrator/model/database-fault.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type LanguageCode = 'en' | 'zh';

export const enTexts = {
  ...enComposed,
  code: 'en' as LanguageCode,
  name: 'English',
  calendar: {
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    date: (day: number, month: number) => `${day} ${MONTHS[month - 1] ?? ''}`,
    units: { s: 's', m: 'm', h: 'h', d: 'd' },
  },
  /** English is what the error itself says. */
  databaseFailed: (_fault: DatabaseFault, says: string): string => says,
};

/** Every language must provide a table of this type. */
export type LanguageTexts = typeof enTexts;
