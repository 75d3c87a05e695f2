import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHttpTranscriber } from '../bot/voice/transcribe-by-http.ts';
import {
  createVoiceNotes,
  MAX_TRANSCRIPT_BYTES,
  type AskTranscriber,
  type VoiceNotes,
} from '../bot/voice/voice-notes.ts';
import { toPathVariable, spawnProcess } from '#process';
import type { ControlConfig } from './config.ts';

type Way = { command: readonly string[]; tools: readonly string[]; dataDir: string; timeoutMs: number };

const createCommandTranscriber = ({ command, tools, dataDir, timeoutMs }: Way): AskTranscriber => {
  const place = path.join(dataDir, 'voice');
  // A process that was killed leaves its recording behind.
  rmSync(place, { recursive: true, force: true });
  let before: Promise<unknown> = Promise.resolve();
  const runProgram = async (recording: Uint8Array, signal: AbortSignal): ReturnType<AskTranscriber> => {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(path.join(place, 'note-'));
    const file = path.join(folder, 'voice.ogg');
    try {
      await writeFile(file, recording, { mode: 0o600 });
      const [program = '', ...args] = command.map((part) => part.replaceAll('{file}', file));
      const end = await spawnProcess({
        argv: [program, ...args],
        cwd: folder,
        env: { PATH: toPathVariable(tools), HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
        timeoutMs,
        signal,
        maxOutputBytes: MAX_TRANSCRIPT_BYTES,
      });
      signal.throwIfAborted();
      if (end.ended === 'exited' && end.exitCode === 0) return { text: end.stdout };
      return {
        failed: `${end.ended}, exit code ${end.exitCode ?? 'none'}: ${end.stderr.trim().slice(-200)}`,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return (recording, signal) => {
    const mine = before.then(() => runProgram(recording, signal));
    before = mine.catch(() => undefined);
    return mine;
  };
};

type Parts = Omit<Parameters<typeof createVoiceNotes>[0], 'name' | 'ask' | 'limits'> & {
  config: Pick<ControlConfig, 'voice' | 'dataDir' | 'file'>;
};

export const createConfiguredVoiceNotes = ({ config, ...parts }: Parts): VoiceNotes | null => {
  if (config.voice === null) return null;
  const { way, ...limits } = config.voice;
  if ('url' in way)
    return createVoiceNotes({ ...parts, limits, name: way.model, ask: createHttpTranscriber(way) });
  const [program = ''] = way.command;
  const timeoutMs = (limits.timeoutSeconds + 5) * 1_000;
  const { dataDir, file } = config;
  const ask = createCommandTranscriber({ command: way.command, tools: file.tools, dataDir, timeoutMs });
  return createVoiceNotes({ ...parts, limits, name: path.basename(program), ask });
};
