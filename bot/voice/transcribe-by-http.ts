import { z } from 'zod';
import { MAX_TRANSCRIPT_BYTES, type AskTranscriber } from './voice-notes.ts';

const Answer = z.object({ text: z.string() });

const readBounded = async (response: Response): Promise<string | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // guard: C10-answer-bounded
    if (size > MAX_TRANSCRIPT_BYTES) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

export const readTranscript = (text: string): string | null => {
  try {
    return Answer.parse(JSON.parse(text)).text;
  } catch {
    return null;
  }
};

export const createHttpTranscriber =
  ({ url, model, key }: { url: string; model: string; key: string | null }): AskTranscriber =>
  async (recording, signal) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(recording)], 'voice.ogg', { type: 'audio/ogg' }));
    form.set('model', model);
    form.set('response_format', 'json');
    const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      signal,
      // Security: a redirect would take the key along.
      redirect: 'error',
      ...(key === null ? {} : { headers: { authorization: `Bearer ${key}` } }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { failed: `HTTP ${response.status}` };
    }
    const answer = await readBounded(response);
    const text = answer === null ? null : readTranscript(answer);
    return text === null ? { failed: 'an answer that is no transcript, or too long' } : { text };
  };
