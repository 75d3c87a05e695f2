/** Turns a voice note into words, within limits of length, bytes and seconds a day (C10). */
import { z } from 'zod';
import type { Ledger } from '#ports/ledger';
import type { LogPort, SystemClock } from '#ports/processes';
import { cutText } from '#model/values';
import { showInvisible } from '#text-safety';
import { measureOpusSeconds } from './opus-duration.ts';

export type SentRecording = { id: string; seconds: number; size: number | null };
type Transcription = { text: string } | { failed: string };
export type AskTranscriber = (recording: Uint8Array, signal: AbortSignal) => Promise<Transcription>;

export type VoiceProblem =
  | { kind: 'off' }
  | { kind: 'long'; seconds: number; most: number }
  | { kind: 'big'; most: number }
  | { kind: 'spent'; minutes: number }
  | { kind: 'gone' }
  | { kind: 'broken' }
  | { kind: 'silent' }
  | { kind: 'wordy'; most: number }
  | { kind: 'down'; name: string }
  | { kind: 'slow'; name: string; seconds: number };
type HeardVoice = { words: string } | { problem: VoiceProblem };
export type VoiceLimits = { maxSeconds: number; minutesPerDay: number; timeoutSeconds: number };
export type VoiceNotes = { hear(recording: SentRecording): Promise<HeardVoice> };

const MAX_RECORDING_BYTES = 10_000_000;
export const MAX_TRANSCRIPT_BYTES = 64_000;
const MAX_SPOKEN_LENGTH = 2_500;
const SENT = 'chat.voice';
const Sent = z.object({ day: z.string(), seconds: z.number() });

const NO_WORDS = /\[[^\]]{0,60}\]|\([^)]{0,60}\)|\*[^*]{0,60}\*|♪/gu;

export const cleanTranscript = (text: string): string => {
  const plain = showInvisible(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')).trim();
  if (!/[\p{L}\p{N}]/u.test(plain.replace(NO_WORDS, ''))) return '';
  // guard: C10-no-command
  return plain.replace(/^[\s/\uff0f]+/u, '');
};

export const createVoiceNotes = (parts: {
  name: string;
  ask: AskTranscriber;
  limits: VoiceLimits;
  sentFile: (id: string, most: number) => Promise<Uint8Array | null>;
  ledger: Pick<Ledger, 'changeSetting'> & { query: Pick<Ledger['query'], 'setting'> };
  clock: SystemClock;
  closing: AbortSignal;
  log: Pick<LogPort, 'warn'>;
}): VoiceNotes => {
  const { name, ledger, clock } = parts;
  const { maxSeconds, minutesPerDay, timeoutSeconds } = parts.limits;
  const toProblem = (one: VoiceProblem): HeardVoice => ({ problem: one });
  const currentDay = (): string => new Date(clock.now()).toISOString().slice(0, 10);
  const secondsIn = (stored: string | null): number => {
    const read = Sent.safeParse(JSON.parse(stored ?? '{}')).data;
    return read?.day === currentDay() ? read.seconds : 0;
  };

  const transcribeRecording = async (recording: Uint8Array): Promise<HeardVoice> => {
    const limit = AbortSignal.timeout(timeoutSeconds * 1_000);
    let answer: Transcription;
    try {
      answer = await parts.ask(recording, AbortSignal.any([parts.closing, limit]));
    } catch (error) {
      if (parts.closing.aborted) throw error;
      if (limit.aborted) return toProblem({ kind: 'slow', name, seconds: timeoutSeconds });
      answer = { failed: error instanceof Error ? error.message : String(error) };
    }
    if ('failed' in answer) {
      parts.log.warn({ says: cutText(answer.failed, 300) }, 'the transcriber gave no transcript');
      return toProblem({ kind: 'down', name });
    }
    const words = cleanTranscript(answer.text);
    if (words === '') return toProblem({ kind: 'silent' });
    return words.length > MAX_SPOKEN_LENGTH
      ? toProblem({ kind: 'wordy', most: MAX_SPOKEN_LENGTH })
      : { words };
  };

  return {
    async hear({ id, seconds: stated, size }) {
      // guard: C10-length-stated
      if (stated > maxSeconds) return toProblem({ kind: 'long', seconds: stated, most: maxSeconds });
      if ((size ?? 0) > MAX_RECORDING_BYTES) return toProblem({ kind: 'big', most: MAX_RECORDING_BYTES });
      const spent = secondsIn(await ledger.query.setting(SENT));
      if (spent >= minutesPerDay * 60) return toProblem({ kind: 'spent', minutes: minutesPerDay });
      const recording = await parts.sentFile(id, MAX_RECORDING_BYTES);
      if (!recording) return toProblem({ kind: 'gone' });
      const seconds = measureOpusSeconds(recording);
      if (seconds === null) return toProblem({ kind: 'broken' });
      // guard: C10-length-measured
      if (seconds > maxSeconds) return toProblem({ kind: 'long', seconds, most: maxSeconds });
      // Counted before it is sent: whoever dies in between pays at most once more.
      const isWithin = await ledger.changeSetting(SENT, (before) => {
        const all = secondsIn(before) + Math.max(1, Math.ceil(seconds));
        // guard: C10-daily-limit
        if (all > minutesPerDay * 60) return { to: null, answer: false };
        return { to: JSON.stringify({ day: currentDay(), seconds: all }), answer: true };
      });
      if (!isWithin) return toProblem({ kind: 'spent', minutes: minutesPerDay });
      return transcribeRecording(recording);
    },
  };
};
