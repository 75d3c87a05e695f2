/**
 * Names and email addresses that git puts into a commit as they were given. git's rule (ident.c): both
 * ends lose blanks and some punctuation, a name with nothing else is refused, and `<`, `>` and ends of
 * lines are left out without a word.
 */

/** Newer gits keep full stops; a name of full stops alone is refused for the older ones. */
const ONLY_CUT_OFF = /^[\u0000-\u0020.,:;<>"\\']*$/;
const LEFT_OUT_OR_UNSEEN = /[<>\p{C}]/u;

/** Why git would refuse a name, or would write another one. */
export type NameProblem = 'punctuation' | 'signs';
export const nameProblem = (name: string): NameProblem | null => {
  if (ONLY_CUT_OFF.test(name)) return 'punctuation';
  return LEFT_OUT_OR_UNSEEN.test(name) ? 'signs' : null;
};

/**
 * One address with a domain, which git writes as it is: that of a program may have brackets
 * (`1+app[bot]@noreply.example.org`), and others have letters of any language.
 */
export const EMAIL_ADDRESS =
  /^(?![.:'])[^\s<>@,;"\\\p{C}]{1,64}@(?=.{1,190}$)(?:(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)$/u;
