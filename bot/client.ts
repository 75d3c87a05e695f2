/** How grammY asks: with the agents of this process, which know its proxy. Its own know none. */
import type { ApiClientOptions } from 'grammy';

export const clientTo = (apiRoot: string, timeoutSeconds?: number): ApiClientOptions => ({
  apiRoot,
  baseFetchConfig: { agent: () => undefined },
  ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
});
