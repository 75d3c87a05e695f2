/** Gives the sentences of one language from its Fluent file, with their parameters filled in. */
import { FluentBundle, FluentNone, FluentNumber, FluentResource, type FluentValue } from '@fluent/bundle';
import { readSentenceFile } from './read-sentence-file.ts';
import parameters from './sentence-parameters.json' with { type: 'json' };
import type { SentenceTree } from './sentence-tree.ts';

const PART = /\{ *(\w+Parts-\w+) *\}/g;
const BEGINNING = /^([A-Za-z][\w-]*) *=/gm;

type Listed = readonly (string | number)[];
type Countable = FluentValue & { entries: Listed };
/** Fluent alone would group the digits of every number; here only NUMBER() does. A list counts as its length. */
const toCountable = (count: number, shown: string, entries: Listed = []): Countable =>
  Object.assign(new FluentNumber(count), { toString: () => shown, entries });

const entriesOf = (value: unknown): Listed =>
  typeof value === 'object' && value !== null && 'entries' in value ? (value as Countable).entries : [];

const FUNCTIONS = {
  GIVEN: ([value]: unknown[]): string => (value instanceof FluentNone ? 'no' : 'yes'),
  /** An empty text or list counts as not filled. */
  FILLED: ([value]: unknown[]): string => {
    const text = value instanceof FluentNumber ? String(value) : value;
    return value instanceof FluentNone || text === '' ? 'no' : 'yes';
  },
  COUNT: ([value]: unknown[]): FluentValue => String(entriesOf(value).length),
  LIST: ([value]: unknown[], { by }: Record<string, unknown>): string => entriesOf(value).join(String(by)),
};

const toFluent = (value: unknown, separator: string): FluentValue => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return toCountable(value, String(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? toCountable(value.length, value.join(separator), value) : new FluentNone();
};

type Speaker = {
  ids: readonly string[];
  has: (id: string) => boolean;
  say: (id: string, parameters?: object) => string;
};

/** A sentence is parsed when it is first said: all of them would take longer than most processes need. */
const createSpeaker = (language: string, text: string): Speaker => {
  const bundle = new FluentBundle(language, { useIsolating: false, functions: FUNCTIONS });
  const found = [...text.matchAll(BEGINNING)];
  const sources = new Map(
    found.map(({ 1: id = '', index }, at) => [id, text.slice(index, found[at + 1]?.index)]),
  );
  const loadMessage = (id: string): void => {
    if (bundle.hasMessage(id)) return;
    const source = sources.get(id) ?? '';
    bundle.addResource(new FluentResource(source));
    for (const [, part = ''] of source.matchAll(PART)) loadMessage(part);
  };
  const patternOf = (id: string) => {
    loadMessage(id);
    return bundle.getMessage(id)?.value ?? '';
  };
  let separator: string | null = null;
  const say = (id: string, parameters: object = {}): string => {
    const pattern = patternOf(id);
    if (typeof pattern === 'string') return pattern;
    separator ??= bundle.formatPattern(patternOf('listSeparator'));
    const values: Record<string, FluentValue> = {};
    for (const [name, value] of Object.entries(parameters)) values[name] = toFluent(value, separator);
    return bundle.formatPattern(pattern, values, []);
  };
  return { ids: [...sources.keys()], has: (id) => sources.has(id), say };
};

/** Other sentences refer to it; code does not say it. */
export const isSentencePart = (id: string): boolean => /^\w+Parts-/.test(id);

/** Names each sentence's parameters in their order; * stands for one record with its fields. */
export type SentenceParameters = Readonly<Record<string, string>>;
export const SENTENCE_PARAMETERS: SentenceParameters = parameters;

type Branch = { [key: string]: Branch | string | ((...given: never[]) => string) };

/** Words of an order are names of parameters; * is one record with its fields. */
const sentenceOf = ({ say }: Speaker, id: string, order: string): PropertyDescriptor => {
  const shown = { enumerable: true, configurable: true };
  if (order === '') return { ...shown, get: () => say(id, {}) };
  if (order === '*') return { ...shown, value: (record: object = {}) => say(id, record) };
  const names = order.split(' ');
  return {
    ...shown,
    value: (...given: unknown[]) => say(id, Object.fromEntries(names.map((name, at) => [name, given[at]]))),
  };
};

export const parseSentences = (
  language: string,
  text: string,
  order: SentenceParameters = SENTENCE_PARAMETERS,
): SentenceTree => {
  const speaker = createSpeaker(language, text);
  const root: Branch = {};
  for (const id of speaker.ids.filter((one) => !isSentencePart(one))) {
    const path = id.split('-');
    const last = path.pop() ?? '';
    const branch = path.reduce((above, key) => (above[key] ??= {}) as Branch, root);
    Object.defineProperty(branch, last, sentenceOf(speaker, id, order[id] ?? ''));
  }
  return root as SentenceTree;
};

export const loadSentences = (language: string): SentenceTree =>
  parseSentences(language, readSentenceFile(language));

/** English stands where commands and options are declared. */
export const loadCommandLineSentences = (language: string): Speaker =>
  createSpeaker(language, readSentenceFile(`command-line-${language}`));
