/**
 * F9: the lines at the end of a commit message: only those that the repository asks for, each said
 * by whom it names.
 */
import { z } from 'zod';
import type { Contract } from './contract.ts';
import { EMAIL_ADDRESS, nameProblem } from './git-ident.ts';
import type { OrderedEngineName } from './order.ts';

/** What of a sign-off is wrong: how it is written, its name or its address. */
export type SignOffProblem = 'form' | 'name' | 'address';

const MAX_SIGN_OFF_LENGTH = 200;
export const signOffProblem = (text: string): SignOffProblem | null => {
  const [, name, address] = /^(\S(?:[^<>\n]*[^<>\s])?) <([^<>\n]*)>$/.exec(text) ?? [];
  if (name === undefined || address === undefined || text.length > MAX_SIGN_OFF_LENGTH) return 'form';
  if (name.includes('@') || nameProblem(name) !== null) return 'name';
  return EMAIL_ADDRESS.test(address) ? null : 'address';
};

/** Brackets at the end, also full-width ones: it is no advice to an agent, however wrong it is. */
export const isMeantAsSignOff = (text: string): boolean =>
  /^[^\n<>＜＞]*(?: [<＜][^\n<>＜＞]*|[<＜][^\n<>＜＞]*@[^\n<>＜＞]*)[>＞]$/u.test(text);

/** A person's own `Name <email>`, as it stands in a sign-off. */
export const SignOff = z.string().refine((text) => signOffProblem(text) === null);

/** The setting in which somebody's sign-off is kept; theirs alone. */
export const signOffKey = (person: string): string => `signoff:${person}`;

type Rules = Pick<Contract, 'rules'>;
const has = ({ rules }: Rules, value: string): boolean =>
  rules.some((r) => r.kind === 'trailer' && r.value === value);

const SIGN_OFF = 'Signed-off-by: ';

/** A certificate of origin is asked for, and no rule keeps sign-offs out of what an agent makes. */
export const asksSignOff = (contract: Rules): boolean =>
  contract.rules.some((r) => r.kind === 'dco') && !has(contract, 'no_sign_off');

export const isSignedOff = (trailers: readonly string[]): boolean =>
  trailers.some((line) => line.startsWith(SIGN_OFF));

type Named = {
  /** What whoever asked for the change said once of themselves; null when they said nothing. */
  signOff: string | null;
  engine: z.infer<typeof OrderedEngineName>;
  /** How the agent calls itself; null for one that has no name and address of its own. */
  coAuthor: string | null;
};

/** Nobody is named by default: what is not asked for, or was said by nobody, is left out. */
export const trailersFor = (contract: Rules, { signOff, engine, coAuthor }: Named): string[] => [
  ...(has(contract, 'assisted_by') ? [`Assisted-by: ${engine} (AgentPR)`] : []),
  ...(has(contract, 'co_author') && !has(contract, 'no_co_author') && coAuthor !== null
    ? [`Co-authored-by: ${coAuthor}`]
    : []),
  ...(asksSignOff(contract) && signOff !== null ? [`${SIGN_OFF}${signOff}`] : []),
];

export const withTrailers = (message: string, trailers: readonly string[]): string =>
  trailers.length === 0 ? message : `${message.trimEnd()}\n\n${trailers.join('\n')}\n`;

/** The message without exactly these lines at its end. */
export const withoutTrailers = (message: string, trailers: readonly string[]): string => {
  const end = `\n\n${trailers.join('\n')}\n`;
  return trailers.length > 0 && message.endsWith(end) ? `${message.slice(0, -end.length)}\n` : message;
};
