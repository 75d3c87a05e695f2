/** Defines the stage that the people of the story share. */
import { setTimeout } from 'node:timers/promises';
import type { RunningApp } from '../../app/running-app.ts';
import type { Run } from '#run';
import type { LanguageTexts } from '#language';
import type { ChatMessage, GitHub, Person } from '#playground';
import type { DemoTranscript } from './demo-transcript.ts';

export type DemoWords = LanguageTexts['commandLine']['demo'];

export type PlayedRemark = {
  path: string;
  line: number;
  body: string;
  does: 'fix' | 'ignore' | { says: string };
};
type ScriptedRequest = string | readonly PlayedRemark[];
export type DemoStory = { repo: string; goal: string; check: string[]; wish: ScriptedRequest | null };
export type DemoStage = {
  app: RunningApp;
  ana: Person;
  github: GitHub;
  transcript: DemoTranscript;
  states: Run[];
  story: DemoStory;
  plays: boolean;
  paceMs: number;
  signal: AbortSignal;
  words: DemoWords;
};

export const findMessageWithButton = (person: Person, like: (text: string) => boolean): ChatMessage | null =>
  person.messages().findLast((m) => m.from !== person.name && m.buttons.flat().some((b) => like(b.text))) ??
  null;

export const waitForPace = ({ paceMs, signal }: Pick<DemoStage, 'paceMs' | 'signal'>): Promise<void> =>
  paceMs === 0 ? Promise.resolve() : setTimeout(paceMs, undefined, { signal }).catch(() => undefined);

const LOOK_MS = 100;
/** Wakes on changes, and polls for those that were missed. */
export const awaitPhoneChange = async ({ ana }: Pick<DemoStage, 'ana'>): Promise<void> => {
  await ana
    .waitFor((person) => person.lastMessage() !== null && null, { deadlineMs: LOOK_MS })
    .catch(() => null);
};
