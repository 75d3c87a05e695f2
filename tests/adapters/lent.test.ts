/** C5, E16: what was lent to an agent is hidden in everything that people read. */
import { describe, expect, it } from 'vitest';
import {
  createHidingChat,
  createHidingChecks,
  createHidingExecutor,
  createHidingNotes,
} from '../../executors/sandbox/hide-exposed-secrets.ts';
import { createExposedSecrets } from '../../executors/sandbox/exposed-secrets.ts';
import { NO_USAGE } from '#model/reports';

const KEY = ['sk-ant', 'api03-Zk9_QwErTy-1234567890abcdefGHIJ_klmnOPQrs-tuvWX'].join('-');
const bytes = Buffer.from(KEY);
const escaped = [...bytes].map((code) => `\\x${code.toString(16).padStart(2, '0')}`).join('');

const lentKey = () => {
  const lent = createExposedSecrets();
  lent.add('ANTHROPIC_API_KEY', [KEY]);
  return lent;
};

describe('hiding', () => {
  it('C5: hides it raw and encoded, inside one line only', () => {
    const lent = lentKey();
    expect(lent.hide(`before ${KEY} after\nnext`)).toBe('before [secret] after\nnext');
    expect(lent.hide(`a\n${escaped}\nb`)).toBe('a\n[secret]\nb');
    for (const form of [bytes.toString('base64'), bytes.toString('hex'), [...KEY].reverse().join('')])
      expect(lent.hide(`x = ${form}`)).toMatch(/^x = \[secret\].{0,3}$/);
    expect(lent.hide('nothing\nof it')).toBe('nothing\nof it');
  });

  it('C5: finds it in pieces, half of it escaped, and where the search went on twice', () => {
    const half = KEY.length >> 1;
    const percent = [...bytes.subarray(half)].map((code) => `%25${code.toString(16)}`).join('');
    const forms = [KEY, escaped, KEY.slice(0, half) + percent, `=3d%20${KEY}`, [...bytes].join(', ')];
    for (const form of forms)
      for (const size of [1, 5, 64]) {
        let search = lentKey().search();
        const text = Buffer.from(`${'plain words, '.repeat(9)}${form} `);
        for (let from = 0; from < text.length; from += size) {
          const abandoned = search;
          search = search.fork();
          abandoned.add(Buffer.from('other words'));
          search.add(text.subarray(from, from + size));
        }
        expect(search.end()).toEqual(['ANTHROPIC_API_KEY']);
      }
  });

  it('C5: hides it in what an agent says and prints, in checks, notes and the chat', async () => {
    const lent = lentKey();
    const end = {
      exitCode: 0,
      ended: 'exited',
      signal: null,
      ms: 1,
      stdout: KEY,
      stderr: `e ${KEY}`,
    } as const;
    const heard: string[] = [];
    const executor = createHidingExecutor(lent, {
      run: async (input) => {
        input.onEvent({ type: 'progress', kind: 'says', text: `at ${KEY}`, lines: [`line ${KEY}`] });
        input.onEvent({ type: 'repeated', call: `$ curl ${KEY}`, times: 8, of: 12 });
        const claims = { status: 'done', ran: [{ command: `echo ${KEY}`, passed: true }] } as const;
        const failure = { class: 'crashed', message: `no ${KEY}`, retryAt: null } as const;
        const told = { summary: KEY, failure, claims: { ...claims, ran: [...claims.ran] }, end };
        return {
          outcome: 'failed',
          session: null,
          usage: NO_USAGE,
          containment: 'group',
          model: null,
          ...told,
        };
      },
    });
    const input = {
      runId: 'r',
      engineArgs: [],
      prompt: '',
      workspace: '/',
      home: '/',
      session: null,
      timeoutMs: 1,
    };
    const done = await executor.run({
      ...input,
      writes: 'change',
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.type === 'progress') heard.push(event.text, ...event.lines);
        if (event.type === 'repeated') heard.push(event.call);
      },
    });
    const checks = createHidingChecks(lent, {
      run: () =>
        Promise.resolve({
          result: { name: 'n', command: 'c', exitCode: 0, outcome: 'passed', ms: 1, tail: KEY },
          end,
          containment: 'group',
        }),
    });
    const check = {
      runId: 'r',
      kind: 'check',
      name: 'n',
      command: 'c',
      dir: '/',
      folder: '',
      home: '/',
      timeoutMs: 1,
    } as const;
    const checked = await checks.run({ ...check, signal: new AbortController().signal, onStart: () => {} });
    const notes = createHidingNotes(lent, {
      write: () => Promise.resolve(),
      read: () => Promise.resolve(KEY),
    });
    const sent: unknown[] = [];
    const keep = (message: unknown) => {
      sent.push(message);
      return Promise.resolve({ chat: '1', messageId: '1' });
    };
    const chat = createHidingChat(lent, {
      send: keep,
      edit: keep,
      document: keep,
      album: keep,
      pin: async () => true,
    });
    await chat.send({ chat: '1', html: KEY, buttons: [], silent: true });
    await chat.edit({ chat: '1', messageId: '1', html: KEY, buttons: [] });
    await chat.document({ chat: '1', name: KEY, content: KEY, caption: KEY, silent: true });
    const picture = { name: KEY, content: Buffer.from(''), caption: KEY, wide: 1, high: 1 };
    await chat.album({ chat: '1', pictures: [picture, picture], silent: true });
    const all = JSON.stringify([done, heard, checked, await notes.read('r', 'PLAN.md'), sent]);
    expect(all).not.toContain(KEY.slice(0, 24));
    expect(all).toContain('echo [secret]');
  });
});
