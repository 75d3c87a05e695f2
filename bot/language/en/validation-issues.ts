/** English messages for invalid configuration and input values. Plain text, not escaped. */
import {
  issueLocation,
  type ExpectedValue,
  type ValidationIssue,
} from '../../../orchestrator/model/validation-issue.ts';
import { groupDigits, sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

const OF = { number: '', text: ' characters', list: ' entries' } as const;

export const enExpectedValues: SentenceCatalogue<ExpectedValue> = {
  text: () => 'must be text, in "quotation marks"',
  number: () => 'must be a number',
  whole: () => 'must be a whole number',
  list: () => 'must be a list: [one, two]',
  table: () => 'must have keys of its own: { key: value }',
  yes_no: () => 'must be true or false',
  name: () => 'must be a name of letters, digits and _, a letter first',
  email: () => 'must be an email address',
  address: () => 'must be an address that begins with https://',
  every: () =>
    'must be a day, a time and a time zone, like monday 09:00 Europe/Berlin; also mon-fri, day, or month for its first day',
  hours: () => 'must be days, hours and a time zone, like mon-fri 09:00-17:00 Europe/Berlin',
  one_of: ({ all }) => `must be one of these: ${all}`,
  least: ({ of, n }) =>
    of !== 'number' && n === 1
      ? 'must not be empty'
      : `must ${of === 'number' ? 'be' : 'have'} ${groupDigits(n)}${OF[of]} or more`,
  most: ({ of, n }) => `must ${of === 'number' ? 'be' : 'have'} ${groupDigits(n)}${OF[of]} at most`,
  either: ({ some }) => some.map((one) => sayRecord(enExpectedValues, one)).join(', or '),
  said: ({ says }) => `cannot be used. ${says.replace(/\.$/, '')}`,
  other: () => 'cannot be used',
};

export const enValidationIssue = (it: ValidationIssue, where: string): string => {
  const at = issueLocation(it.path);
  if (it.kind === 'unknown')
    return `${at === '' ? where : `${at} in ${where}`} has no key ${it.key.slice(0, 60)}.`;
  const must = sayRecord(enExpectedValues, it.may);
  if (at === '') return it.found === null ? `${where} is empty.` : `${where} ${must}; it is ${it.found}.`;
  return it.found === null ? `${at} is missing: it ${must}.` : `${at} is ${it.found}; it ${must}.`;
};
