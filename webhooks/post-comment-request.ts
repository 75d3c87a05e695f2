/** The request that posts a comment on an item of another program. Pure (F5). */

export type CommentForm = {
  url: string;
  /** The scheme before the token in `Authorization`; `basic` encodes `user:token`. */
  scheme: 'plain' | 'bearer' | 'basic';
  body: Readonly<Record<string, unknown>>;
};

export const COMMENT_FORMS = {
  linear: {
    url: 'https://api.linear.app/graphql',
    scheme: 'plain',
    body: {
      query:
        'mutation ($id: String!, $text: String!) { commentCreate(input: { issueId: $id, body: $text }) { success } }',
      variables: { id: '{id}', text: '{text}' },
    },
  },
  jira: { url: '', scheme: 'basic', body: { body: '{text}' } },
  sentry: {
    url: 'https://sentry.io/api/0/issues/{id}/comments/',
    scheme: 'bearer',
    body: { text: '{text}' },
  },
  any: { url: '', scheme: 'bearer', body: {} },
} as const satisfies Record<string, CommentForm>;

type Values = { id: string; text: string };
const fillText = (template: string, values: Values): string =>
  template.replace(/\{(id|text)\}/g, (_, name: keyof Values) => values[name]);

const fillBody = (part: unknown, values: Values): unknown => {
  if (typeof part === 'string') return fillText(part, values);
  if (Array.isArray(part)) return part.map((one) => fillBody(one, values));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, fillBody(one, values)]));
};

const signIn = (scheme: CommentForm['scheme'], token: string): string => {
  if (scheme === 'plain') return token;
  return scheme === 'bearer' ? `Bearer ${token}` : `Basic ${Buffer.from(token).toString('base64')}`;
};

export const createPostCommentRequest = (
  { url, scheme, body }: CommentForm,
  { id, text }: Values,
  token: string,
): { url: string; headers: Record<string, string>; body: string } => ({
  // Security: an item's id leads to no other place of the program.
  url: fillText(url, { id: encodeURIComponent(id), text: '' }),
  headers: { authorization: signIn(scheme, token), 'content-type': 'application/json' },
  body: JSON.stringify(fillBody(body, { id, text })),
});
