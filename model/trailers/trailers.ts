/** Trailers of commit messages: only required ones, each stated by the person it names (F9). */
import { z } from 'zod';
import type { Contract } from '#model/contract';
import type { OrderedEngineName } from '#model/order';
import { EMAIL_ADDRESS, findIdentNameProblem } from './git-ident.ts';

export type SignOffProblem = 'form' | 'name' | 'address';

const MAX_SIGN_OFF_LENGTH = 200;
export const signOffProblem = (text: string): SignOffProblem | null => {
  const [, name, address] = /^(\S(?:[^<>\n]*[^<>\s])?) <([^<>\n]*)>$/.exec(text) ?? [];
  if (name === undefined || address === undefined || text.length > MAX_SIGN_OFF_LENGTH) return 'form';
  if (name.includes('@') || findIdentNameProblem(name) !== null) return 'name';
  return EMAIL_ADDRESS.test(address) ? null : 'address';
};

/** A trailing bracket marks it as a sign-off attempt, and not as advice to an agent. */
export const isMeantAsSignOff = (text: string): boolean =>
  /^[^\n<>＜＞]*(?: [<＜][^\n<>＜＞]*|[<＜][^\n<>＜＞]*@[^\n<>＜＞]*)[>＞]$/u.test(text);

export const SignOff = z.string().refine((text) => signOffProblem(text) === null);

export const signOffKey = (person: string): string => `signoff:${person}`;

type Rules = Pick<Contract, 'rules'>;
const hasTrailerRule = ({ rules }: Rules, value: string): boolean =>
  rules.some((r) => r.kind === 'trailer' && r.value === value);

const SIGN_OFF = 'Signed-off-by: ';

/** A DCO is required, and no rule forbids it for agents. */
export const isSignOffRequired = (contract: Rules): boolean =>
  contract.rules.some((r) => r.kind === 'dco') && !hasTrailerRule(contract, 'no_sign_off');

export const isSignedOff = (trailers: readonly string[]): boolean =>
  trailers.some((line) => line.startsWith(SIGN_OFF));

const MADE_WITH = /\b((?:[A-Z][\w]*-)?(?:[Aa]ssisted|[Gg]enerated)-[Bb]y)\b/;
const assistanceTrailerOf = ({ rules }: Rules): string => {
  const asked = rules.find((r) => r.kind === 'trailer' && r.value === 'assisted_by');
  const name = MADE_WITH.exec(asked?.quote ?? '')?.[1] ?? 'Assisted-by';
  // guard: F9-trailer-form
  return name.charAt(0).toUpperCase() + name.slice(1);
};

const PLACEHOLDER = String.raw`[<[{\`*_"']{0,3}[A-Za-z][\w. -]{1,30}[>\]}\`*_"']{0,3}`;
const NAME_AND_MODEL = new RegExp(
  String.raw`(?:assisted|generated)-by:\s*${PLACEHOLDER}\s?:\s?${PLACEHOLDER}`,
  'i',
);
export const isModelNameRequired = ({ kind, value, quote }: Rules['rules'][number]): boolean =>
  kind === 'trailer' && value === 'assisted_by' && NAME_AND_MODEL.test(quote);

const MODEL_NAME = /^[\w.@/+-]{1,100}$/;
const formatAgentName = ({ rules }: Rules, { engine, model }: Pick<Named, 'engine' | 'model'>): string =>
  rules.some(isModelNameRequired) && model !== null && MODEL_NAME.test(model)
    ? `${engine}:${model}`
    : `${engine} (AgentPR)`;

type Named = {
  signOff: string | null;
  engine: z.infer<typeof OrderedEngineName>;
  model: string | null;
  coAuthor: string | null;
  /** The same in every commit of a change, as Gerrit wants it. */
  changeId: string;
};

/** Nobody is named unless it is required and stated. */
export const requiredTrailers = (
  contract: Rules,
  { signOff, engine, model, coAuthor, changeId }: Named,
): string[] => [
  ...(hasTrailerRule(contract, 'assisted_by')
    ? [`${assistanceTrailerOf(contract)}: ${formatAgentName(contract, { engine, model })}`]
    : []),
  ...(hasTrailerRule(contract, 'co_author') && !hasTrailerRule(contract, 'no_co_author') && coAuthor !== null
    ? [`Co-authored-by: ${coAuthor}`]
    : []),
  ...(hasTrailerRule(contract, 'change_id') ? [`Change-Id: ${changeId}`] : []),
  ...(isSignOffRequired(contract) && signOff !== null ? [`${SIGN_OFF}${signOff}`] : []),
];

export const withTrailers = (message: string, trailers: readonly string[]): string =>
  trailers.length === 0 ? message : `${message.trimEnd()}\n\n${trailers.join('\n')}\n`;

export const withoutTrailers = (message: string, trailers: readonly string[]): string => {
  const end = `\n\n${trailers.join('\n')}\n`;
  return trailers.length > 0 && message.endsWith(end) ? `${message.slice(0, -end.length)}\n` : message;
};
