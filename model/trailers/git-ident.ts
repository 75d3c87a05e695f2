/** Checks names and emails by git's rule (ident.c): it trims punctuation and drops `<>`. */

/** Newer gits keep full stops; older ones refuse a name of full stops alone. */
const ONLY_CUT_OFF = /^[\u0000-\u0020.,:;<>"\\']*$/;
const LEFT_OUT_OR_UNSEEN = /[<>\p{C}]/u;

type NameProblem = 'punctuation' | 'signs';
export const findIdentNameProblem = (name: string): NameProblem | null => {
  if (ONLY_CUT_OFF.test(name)) return 'punctuation';
  return LEFT_OUT_OR_UNSEEN.test(name) ? 'signs' : null;
};

/** An address that git keeps unchanged, such as `1+app[bot]@noreply.example.org`. */
export const EMAIL_ADDRESS =
  /^(?![.:'])[^\s<>@,;"\\\p{C}]{1,64}@(?=.{1,190}$)(?:(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)$/u;
