/** What a process of the product loads before its own code. */

/** Ends the process right before its first request of that kind. */
export const diesBefore = (request: RegExp): string => `
import http from 'node:http';
import { subscribe } from 'node:diagnostics_channel';
const look = (method, url) => { if (${request}.test(method + ' ' + url)) process.kill(process.pid, 'SIGKILL'); };
const { request } = http;
http.request = (url, ...more) => { look(more[0]?.method, String(url)); return request(url, ...more); };
subscribe('undici:request:create', ({ request: { method, origin, path } }) => look(method, origin + path));`;
