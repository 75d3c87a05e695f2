/**
 * Pages of one playground that are shown together: the one that frames the others, and the cookies
 * that open all of them to a browser that was told the key of one.
 */
import type { Answer } from '../server.ts';

export type Neighbours = {
  /** The origin of the page that may frame this one. */
  frame: string;
  /** What `set-cookie` says for each of them. */
  cookies: () => readonly string[];
};

/** `opens` when the browser has just been given the key of this page. */
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
