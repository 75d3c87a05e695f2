/** C10: voice notes become words on a card, and only the speaker's tap makes them input. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVoiceNotes, cleanTranscript, type VoiceLimits } from '../../bot/voice/voice-notes.ts';
import { createHttpTranscriber } from '../../bot/voice/transcribe-by-http.ts';
import { measureOpusSeconds } from '../../bot/voice/opus-duration.ts';
import { LANGUAGE_TEXTS } from '#language';
import { permissionsOf, permissionQuestionOf } from '#run';
import { toUpdateLane } from '../../bot/commands/update-lanes.ts';
import { createRecording } from '../../playground/telegram/recording.ts';
import { ANA, BO, createChatWorld, STRANGER, VIC, type Delivered } from '../support/chat-world.ts';
import { askingRun } from '../support/asking-run.ts';
import { createFakeTranscriber, type FakeTranscriber } from '../support/fake-transcriber.ts';

const GROUP = '-5';
const NOTE = createRecording({ says: '', seconds: 4 });
let server: FakeTranscriber;
beforeEach(async () => void (server = await createFakeTranscriber()));
afterEach(() => server.close());

type World = Awaited<ReturnType<typeof createChatWorld>>;
const heardWorld = ({
  limits = {},
  file = NOTE,
}: { limits?: Partial<VoiceLimits>; file?: Buffer | null } = {}): Promise<World> =>
  createChatWorld({
    voice: ({ ledger, clock }) =>
      createVoiceNotes({
        name: 'whisper-1',
        ask: createHttpTranscriber({ url: server.url, model: 'whisper-1', key: 'key-of-the-transcriber' }),
        limits: { maxSeconds: 60, minutesPerDay: 30, timeoutSeconds: 20, ...limits },
        sentFile: async (_, most) => (file && file.length <= most ? file : null),
        ledger,
        clock,
        closing: new AbortController().signal,
        log: { warn: () => undefined },
      }),
  });
const voice = (more: object = {}) => ({
  text: undefined,
  voice: {
    file_id: 'v1',
    file_unique_id: 'v1',
    duration: 4,
    mime_type: 'audio/ogg',
    file_size: NOTE.length,
    ...more,
  },
});
const labels = (m: Delivered | undefined): string[] => (m?.buttons ?? []).flat().map((b) => b.text);
const card = (w: World): Delivered | undefined => w.messages.findLast((m) => m.text.startsWith('🎙'));
const answers = ({ messageId, text }: Delivered) => ({
  reply_to_message: {
    message_id: Number(messageId),
    from: { id: 1, is_bot: true, first_name: 'b', username: 'agentpr_bot' },
    text,
  },
});

describe('a voice note', () => {
  it('C10: comes back as words with two buttons, and nothing acts on sound alone', async () => {
    const w = await heardWorld();
    server.says('In acme/api: fix the flaky retry');
    const [said = ''] = await w.says('', voice());
    expect(said).toMatch(
      /^🎙 I heard this\. Nothing happens until you tap\.\nIn acme\/api: fix the flaky retry$/,
    );
    expect(labels(card(w))).toEqual(['Use these words', 'No']);
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toEqual([]);
    expect(server.requests).toMatchObject([
      {
        path: '/v1/audio/transcriptions',
        authorization: 'Bearer key-of-the-transcriber',
        fields: { model: 'whisper-1', response_format: 'json' },
        file: { name: 'voice.ogg', mime: 'audio/ogg' },
      },
    ]);
    expect(server.requests[0]?.file?.content.equals(NOTE)).toBe(true);

    await w.taps('Use these words');
    expect(card(w)?.text).toMatch(/^🎙 Used:\nIn acme\/api/);
    expect(labels(card(w))).toEqual([]);
    // The same as for typed words: an order is proposed, and begins with a tap of its own.
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toEqual([]);
    const proposal = w.messages.at(-1) as Delivered;
    expect(proposal.text).toContain('fix the flaky retry');
    await w.taps(labels(proposal)[0] ?? '', { on: proposal });
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toMatchObject([
      { order: { repo: 'acme/api', goal: expect.stringContaining('flaky retry') as string } },
    ]);
  });

  it('C10: used words that name no repository may start a run, whose repository is asked for', async () => {
    const w = await heardWorld();
    await w.readyRun();
    server.says('The first delay has to be the base of the back-off');
    await w.says('', voice());
    await w.taps('Use these words');
    expect(w.messages.map(({ text }) => text).join()).not.toContain('I have changed nothing');
    await w.taps('Start a run with these words');
    await w.taps('acme/api');
    const orders = (await w.ledger.query.runs({ live: true, limit: 9 })).map(({ order }) => order);
    expect(orders.map(({ goal }) => goal)).toContain('The first delay has to be the base of the back-off');
  });

  it.each(['Ask for changes', 'Deny'])(
    'C10: after %s, its words go to the agent with the tap, not before',
    async (button) => {
      const w = await heardWorld();
      const { id } = await w.readyRun();
      await w.taps(button);
      server.says('Mention it in the changelog too.');
      await w.says('', voice());
      expect((await w.run(id)).gate.approval).not.toBeNull();
      await w.taps('Use these words');
      expect(await w.run(id)).toMatchObject({
        lifecycle: {
          state: 'IMPLEMENTING',
          reason: { kind: 'rejected', note: 'Mention it in the changelog too.' },
        },
      });
    },
  );

  it('C10: a reply by voice answers the question that it replies to', async () => {
    const w = await heardWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    const question = w.messages.at(-1) as Delivered;
    server.says('Use a constant');
    await w.says('', { ...voice(), ...answers(question) });
    await w.taps('Use these words');
    expect(await w.run(id)).toMatchObject({ lifecycle: { reason: { note: 'Use a constant' } } });
  });

  it('C10: No does nothing, and a second tap on either button does nothing more', async () => {
    const w = await heardWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    server.says('Use a constant');
    await w.says('', voice());
    const on = { ...(card(w) as Delivered) };
    expect(await w.taps('No', { on })).toBe('Not used:');
    const { version } = (await w.run(id)).lifecycle;
    expect(await w.taps('Use these words', { on })).toBe('That has been decided already.');
    expect((await w.run(id)).lifecycle.version).toBe(version);

    await w.says('', voice());
    const again = { ...(card(w) as Delivered) };
    await w.taps('Use these words', { on: again });
    const messages = w.messages.length;
    expect(await w.taps('Use these words', { on: again })).toBe('That has been decided already.');
    expect(w.messages.length).toBe(messages);
  });

  it('C10: words said to one card are not taken for another that asks meanwhile', async () => {
    const w = await heardWorld();
    const first = await w.readyRun();
    await w.taps('Ask for changes');
    server.says('Use a constant');
    await w.says('', voice());
    const heard = card(w) as Delivered;
    const second = await w.readyRun({ order: { repo: 'acme/web' } });
    await w.taps('Ask for changes');
    await w.taps('Use these words', { on: heard });
    for (const { id } of [first, second]) expect((await w.run(id)).gate.approval).not.toBeNull();
  });

  it.each([
    'approve',
    'Approve it, confirm, yes, open the pull request',
    '/approve_open_pr RUN --confirm',
    '／approve_open_pr RUN --confirm',
    '/ /approve_open_pr RUN --confirm',
  ])('C10: a transcript never approves: %s', async (text) => {
    const w = await heardWorld();
    const run = await w.readyRun();
    server.says(text.replace('RUN', run.id));
    await w.says('', voice());
    await w.taps('Use these words');
    for (const label of ['Yes, use these words', 'No, I meant something else'])
      if (labels(w.messages.at(-1)).includes(label)) await w.taps(label);
    const now = await w.run(run.id);
    expect(now.gate.approval?.signatures).toEqual([]);
    expect(now.lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C10: what changes something comes as a button at most', async () => {
    const w = await heardWorld();
    const run = await w.readyRun();
    server.says('cancel everything');
    await w.says('', voice());
    await w.taps('Use these words');
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
    expect(labels(w.messages.at(-1)).length).toBeGreaterThan(0);
  });

  it('C10: only its speaker may use the words, with the rights of that moment', async () => {
    const w = await heardWorld();
    const run = await w.readyRun({ order: { chat: GROUP } });
    const message = w.messages.findLast((m) => m.chat === GROUP) as Delivered;
    server.says('pause it');
    await w.says('', { ...voice(), ...answers(message), by: VIC, chat: GROUP });
    const on = card(w) as Delivered;
    expect(on.chat).toBe(GROUP);
    expect(await w.taps('Use these words', { on, by: ANA })).toBe('Only whoever said this may use it.');
    await w.taps('Use these words', { on, by: VIC });
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
    expect(w.messages.at(-1)?.text).toContain('Only operators');
  });

  it('C10: in a group, only a note that answers us is sent to a transcriber', async () => {
    const w = await heardWorld();
    await w.readyRun({ order: { chat: GROUP } });
    server.says('pause it');
    const other = {
      reply_to_message: {
        message_id: 3,
        from: { id: 5, is_bot: true, first_name: 'x', username: 'other_bot' },
        text: 'x',
      },
    };
    expect(await w.says('', { ...voice(), chat: GROUP })).toEqual([]);
    expect(await w.says('', { ...voice(), ...other, chat: GROUP })).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('C10: a stranger, a forwarded note, a channel and another bot are not heard', async () => {
    const w = await heardWorld();
    await w.says('', { ...voice(), by: STRANGER });
    expect((await w.says('', { ...voice(), forward_origin: { type: 'user' } })).join()).toMatch(/^Forwarded/);
    await w.says('', { ...voice(), sender_chat: { id: -9 } });
    await w.says('', { ...voice(), via_bot: { id: 9 } });
    expect(server.requests).toEqual([]);
  });

  it('C10: a viewer gets a card, too, and may do with the words what a viewer may', async () => {
    const w = await heardWorld();
    const run = await w.readyRun();
    server.says('what is going on?');
    await w.says('', { ...voice(), by: VIC });
    await w.taps('Use these words', { by: VIC });
    expect(w.messages.at(-1)).toMatchObject({
      chat: VIC,
      text: expect.stringContaining('acme/api') as string,
    });
    server.says('pause it');
    await w.says('', { ...voice(), by: VIC });
    await w.taps('Use these words', { by: VIC });
    expect(w.messages.at(-1)?.text).toContain('Only operators');
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C10: a no in words for what an agent asks is spoken as it would be written', async () => {
    const w = await heardWorld();
    const id = await askingRun(w);
    await w.taps('Deny with words');
    server.says('Use the lockfile');
    await w.says('', { ...voice(), ...answers(w.messages.at(-1) as Delivered) });
    await w.taps('Use these words');
    expect(permissionsOf(await w.run(id)).lastDecision).toMatchObject({
      allows: false,
      note: 'Use the lockfile',
    });
  });

  it.each(['as a reply', 'by itself'])(
    'C10: a command that an agent would run is written, never spoken: %s',
    async (how) => {
      const w = await heardWorld();
      const id = await askingRun(w, 'curl https://x.example', {}, true);
      await w.taps('Edit');
      const form = w.messages.at(-1) as Delivered;
      server.says('curl https://x.example -m 5');
      await w.says('', how === 'as a reply' ? { ...voice(), ...answers(form) } : voice());
      const said = await w.taps('Use these words');
      if (how === 'as a reply') expect(said).toContain('has to be written');
      expect(labels(w.messages.at(-1))).not.toContain('Yes, use these words');
      expect(permissionQuestionOf(await w.run(id))).not.toBeNull();
      expect(permissionsOf(await w.run(id)).grants).toEqual([]);
    },
  );

  it('C10: a leading slash of a transcript is no command', () => {
    expect(cleanTranscript('//approve_open_pr r1 --confirm')).toBe('approve_open_pr r1 --confirm');
    expect(cleanTranscript(' ／status')).toBe('status');
  });

  it('L8: waits in a lane of its own, so that what is typed meanwhile is answered', () => {
    const message = (more: object) => ({
      update_id: 1,
      message: { message_id: 1, from: { id: 7, first_name: 'A' }, chat: { id: 7, type: 'private' }, ...more },
    });
    expect(toUpdateLane(message(voice()))).toEqual({ lane: 'voice:7', urgent: false });
    expect(toUpdateLane(message({ text: 'hello' })).lane).toBe('chat:7');
  });
});

const clear = { en: LANGUAGE_TEXTS.en.voice.problems, zh: LANGUAGE_TEXTS.zh.voice.problems };
describe('a voice note that cannot be used', () => {
  const one = async (w: World, more: object = {}): Promise<string> => (await w.says('', voice(more))).join();

  it('C10: says how to set a transcriber up, where there is none', async () => {
    const w = await createChatWorld();
    expect(await one(w)).toContain('chat.voice');
    w.speaks(BO, 'zh-hans');
    expect((await w.says('', { ...voice(), by: BO })).join()).toContain('chat.voice');
    expect(w.messages.at(-1)?.text).toMatch(/语音/);
  });

  it('C10: an hour is refused by what Telegram says, and 20 MB are, before anything is fetched', async () => {
    const w = await heardWorld({ file: null });
    expect(await one(w, { duration: 3_600 })).toMatch(/too long: 60 minutes, and at most 60 seconds/);
    expect(await one(w, { file_size: 20_000_000 })).toMatch(/too large/);
    expect(server.requests).toEqual([]);
  });

  it('C10: an hour that says it is four seconds is refused by what came', async () => {
    const hour = createRecording({ says: '', seconds: 3_600 });
    expect(measureOpusSeconds(hour)).toBe(3_600);
    const w = await heardWorld({ file: hour });
    expect(await one(w)).toMatch(/too long: 60 minutes/);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['no sound', Buffer.from('GIF89a'.padEnd(200, 'x'))],
    ['empty', Buffer.alloc(0)],
    ['cut off', NOTE.subarray(0, NOTE.length - 3)],
    ['headers alone', NOTE.subarray(0, 100)],
    ['a page that lies', Buffer.concat([NOTE, Buffer.from('OggX'.padEnd(40, '\xff'), 'latin1')])],
  ])('C10: a broken file (%s) goes to no transcriber', async (_, file) => {
    const w = await heardWorld({ file });
    expect(await one(w)).toMatch(/cannot be read/);
    expect(server.requests).toEqual([]);
  });

  it('C10: a file that is gone, or larger than it said, is told', async () => {
    expect(await one(await heardWorld({ file: null }))).toMatch(/no longer has/);
  });

  it.each(['', '   ', '[BLANK_AUDIO]', '(silence)', '♪ ♪', '...'])(
    'C10: silence is told as such: %j',
    async (text) => {
      const w = await heardWorld();
      server.says(text);
      expect(await one(w)).toMatch(/heard no words/);
      expect(card(w)).toBeUndefined();
    },
  );

  it.each([
    ['an error', 500, '{"error":{"message":"overloaded"}}'],
    ['a wrong key', 401, '{"error":{"message":"bad key key-of-the-transcriber"}}'],
    ['something else than a transcript', 200, '<html>login</html>'],
    ['a transcript that is no text', 200, '{"text":{"toString":1}}'],
    ['10 MB', 200, JSON.stringify({ text: 'approve '.repeat(1_300_000) })],
  ] as const)('C10: an answer of %s is one sentence, and nothing of it is shown', async (_, status, body) => {
    const w = await heardWorld();
    server.answers(status, body);
    const said = await one(w);
    expect(said).toMatch(/The transcriber whisper-1 gave no transcript\. Nothing was done/);
    expect(said).not.toMatch(/approve|key-of|overloaded|login/);
    expect(card(w)).toBeUndefined();
  });

  it('C10: more words than the card can show are refused', async () => {
    const w = await heardWorld();
    server.says('word '.repeat(700));
    expect(await one(w)).toMatch(/more than 2500 characters/);
    server.says('&'.repeat(2_000));
    expect(await one(w)).toMatch(/heard no words/);
    server.says('a&'.repeat(1_000));
    expect(await one(w)).toMatch(/more than 3400 characters/);
    expect(card(w)).toBeUndefined();
  });

  it('C10: a transcriber that is not there, and one that never answers, are told apart', async () => {
    const slow = await heardWorld({ limits: { timeoutSeconds: 0.05 } });
    server.hangs();
    expect(await one(slow)).toMatch(/no transcript within/);
    const w = await heardWorld();
    await server.close();
    expect(await one(w)).toMatch(/gave no transcript/);
    server = await createFakeTranscriber();
  });

  it('C10: a day has its limit, counted by what was sent, and the next day begins anew', async () => {
    const w = await heardWorld({ limits: { minutesPerDay: 0.1 } });
    server.says('status');
    await one(w, { duration: 1 });
    expect(server.requests).toHaveLength(1);
    expect(await one(w, { duration: 1 })).toMatch(/used up today/);
    expect(server.requests).toHaveLength(1);
    w.passes(24 * 3_600_000);
    await one(w);
    expect(server.requests).toHaveLength(2);
  });

  it('C8: every sentence is there in both languages', () => {
    expect(Object.keys(clear.zh)).toEqual(Object.keys(clear.en));
  });
});
