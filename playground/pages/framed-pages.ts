/** Lets the pages of one playground be framed together and opened by one key. */
import type { Answer } from '../server.ts';

export type Neighbours = {
  /** The origin that may frame this page. */
  frame: string;
  cookies: () => readonly string[];
};

export const amongNeighbours = (answer: Answer, neighbours: Neighbours | undefined): Answer => {
  if (!neighbours) return answer;
  const headers = { ...answer.headers };
  const policy = headers['content-security-policy'];
  if (typeof policy === 'string')
    headers['content-security-policy'] = policy.replace(
      "frame-ancestors 'none'",
      `frame-ancestors ${neighbours.frame}`,
    );
  if ('set-cookie' in headers) headers['set-cookie'] = [...neighbours.cookies()];
  return { ...answer, headers };
};
