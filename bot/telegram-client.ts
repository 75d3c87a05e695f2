/** Makes grammY use the process's `fetch` with its proxy and certificates (`grammy/web`). */
import type { ApiClientOptions } from 'grammy/web';

/** Security: errors name only the host, because the URL contains the bot token. */
const fetchNamed = async (address: string, options: RequestInit): Promise<Response> => {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { request: { url: new URL(address).origin } });
    throw error;
  }
};

export const createClientOptions = (apiRoot: string, timeoutSeconds?: number): ApiClientOptions => ({
  apiRoot,
  fetch: fetchNamed,
  ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
});
