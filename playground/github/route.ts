/** What a REST route is given and what it answers. */
import type { Identity } from './state.ts';

export type RouteCall = {
  /** Of the path, decoded. */
  at: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  identity: Identity | null;
  /** The header: an App signs its own. */
  authorization: string | undefined;
};
export type RouteAnswer = {
  status: number;
  value: unknown;
  headers?: Record<string, string>;
};
export type Route = (call: RouteCall) => Promise<RouteAnswer> | RouteAnswer;

export const ok = (value: unknown): RouteAnswer => ({ status: 200, value });

/** Epoch ms of the `since` parameter; GitHub's times have no parts of a second. */
export const sinceOf = ({ query }: RouteCall): number =>
  Math.floor((Date.parse(query.get('since') ?? '') || 0) / 1000) * 1000;
