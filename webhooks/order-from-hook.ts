/** Reads an order out of a payload of another program, by a mapping that a person can write. Pure (F5). */

/** Templates such as `{data.title}`; conditions by path, each of which must have one of these values. */
export type HookMapping = {
  /** The header with the HMAC-SHA256 of the body in hexadecimal, and what stands before it. */
  header: string;
  prefix: string;
  when: Readonly<Record<string, readonly string[]>>;
  title: string;
  text: string;
  link: string;
  /** What tells this item from others of the same webhook. */
  id: string;
};

/** Their own labels or rules say what is meant for AgentPR. What is done or removed is no order. */
export const HOOK_SOURCES = {
  linear: {
    header: 'linear-signature',
    prefix: '',
    when: {
      action: ['create', 'update'],
      type: ['Issue'],
      'data.labels.name': ['agentpr'],
      'data.state.type': ['triage', 'backlog', 'unstarted', 'started'],
    },
    title: '{data.title}',
    text: '{data.description}',
    link: '{url}',
    id: '{data.id}',
  },
  jira: {
    header: 'x-hub-signature',
    prefix: 'sha256=',
    when: {
      webhookEvent: ['jira:issue_created', 'jira:issue_updated'],
      'issue.fields.labels': ['agentpr'],
      // The category of a status that has none is called `undefined`.
      'issue.fields.status.statusCategory.key': ['new', 'indeterminate', 'undefined'],
    },
    title: '{issue.key} {issue.fields.summary}',
    text: '{issue.fields.description}',
    link: '{issue.self}',
    id: '{issue.id}',
  },
  sentry: {
    header: 'sentry-hook-signature',
    prefix: '',
    when: { action: ['triggered'] },
    title: '{data.event.title}',
    text: '{data.event.culprit}\n{data.event.message}\n{data.triggered_rule}',
    link: '{data.event.web_url}',
    id: '{data.event.issue_id}',
  },
  /** Everything is said in the settings. */
  any: { header: '', prefix: '', when: {}, title: '', text: '', link: '', id: '' },
} as const satisfies Record<string, HookMapping>;

type MappedPayload =
  | { kind: 'order'; title: string; text: string; link: string; id: string }
  | { kind: 'ignored'; why: string }
  | { kind: 'unfit'; why: string };

const MAX_MAPPED_VALUES = 50;
const MAX_SHOWN_LENGTH = 120;

/** Lists on the way give every value; only own properties count. */
const valuesAt = (payload: unknown, path: string): string[] => {
  let found: unknown[] = [payload];
  for (const name of path.split('.'))
    found = found.flatMap((one) => {
      const all: unknown[] = Array.isArray(one) ? one.slice(0, MAX_MAPPED_VALUES) : [one];
      return all.flatMap((each): unknown[] =>
        typeof each === 'object' && each !== null && Object.hasOwn(each, name)
          ? [(each as Record<string, unknown>)[name]]
          : [],
      );
    });
  return found
    .flat()
    .slice(0, MAX_MAPPED_VALUES)
    .flatMap((one) => (['string', 'number', 'boolean'].includes(typeof one) ? [String(one)] : []));
};

const fillTemplate = (template: string, payload: unknown): string =>
  template.replace(/\{([\w.-]{1,100})\}/g, (_, path: string) => valuesAt(payload, path).join(', ')).trim();

const isLink = (text: string): boolean =>
  text.length <= 500 && URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);

export const readHookOrder = (mapping: HookMapping, payload: unknown): MappedPayload => {
  for (const [path, wanted] of Object.entries(mapping.when)) {
    const values = valuesAt(payload, path);
    if (values.some((one) => wanted.includes(one))) continue;
    const is = values.length === 0 ? 'missing' : values.join(', ').slice(0, MAX_SHOWN_LENGTH);
    return { kind: 'ignored', why: `${path} is ${is}, and not ${wanted.join(' or ')}` };
  }
  const [title, text, link, id] = (['title', 'text', 'link', 'id'] as const).map((part) =>
    fillTemplate(mapping[part], payload),
  ) as [string, string, string, string];
  if (title === '') return { kind: 'unfit', why: `${mapping.title} gives no title` };
  if (id === '') return { kind: 'unfit', why: `${mapping.id} gives no id` };
  if (!isLink(link))
    return { kind: 'unfit', why: `${mapping.link} gives no link, but “${link.slice(0, MAX_SHOWN_LENGTH)}”` };
  return { kind: 'order', title, text, link, id };
};
