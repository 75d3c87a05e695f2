/**
 * How grammY asks: by the `fetch` of this process, which knows its proxy and its certificates. That
 * is grammY's build for the web; the one for Node brings an HTTP client of its own.
 */
import type { ApiClientOptions } from 'grammy/web';

/** An error names the host that was asked, and not the address, because that holds the token. */
const fetchNamed = async (address: string, options: RequestInit): Promise<Response> => {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { request: { url: new URL(address).origin } });
    throw error;
  }
};

export const clientTo = (apiRoot: string, timeoutSeconds?: number): ApiClientOptions => ({
  apiRoot,
  fetch: fetchNamed,
  ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
});
