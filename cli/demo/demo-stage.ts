/** What the people of the story share: the stage, and what they find on it. */
import { setTimeout } from 'node:timers/promises';
import type { RunningApp } from '../../app/start-app.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { ChatMessage, GitHub, Person } from '#playground';
import type { DemoTranscript } from '../transcript.ts';

/** A remark of the maintainer on a line, and what Ana does about it: words are her answer. */
export type PlayedRemark = {
  path: string;
  line: number;
  body: string;
  does: 'fix' | 'ignore' | { says: string };
};
/** What the maintainer asks for before merging. */
export type ScriptedRequest = string | readonly PlayedRemark[];
/** `wish` is null when the maintainer wants nothing. */
export type DemoStory = { repo: string; goal: string; check: string[]; wish: ScriptedRequest | null };
export type DemoStage = {
  app: RunningApp;
  ana: Person;
  github: GitHub;
  transcript: DemoTranscript;
  states: Run[];
  story: DemoStory;
  /** Every card is tapped, as in a film; else the story waits for whoever holds the phone. */
  plays: boolean;
  /** How long a step stands before the next, so that somebody who watches can follow (ms). */
  paceMs: number;
  /** The visitor leaves. */
  signal: AbortSignal;
};

/** The newest message with such a button. */
export const withButton = (person: Person, like: (text: string) => boolean): ChatMessage | null =>
  person.messages().findLast((m) => m.from !== person.name && m.buttons.flat().some((b) => like(b.text))) ??
  null;

/** Leaves somebody who watches the time to read what was just shown. */
export const standStill = ({ paceMs, signal }: Pick<DemoStage, 'paceMs' | 'signal'>): Promise<void> =>
  paceMs === 0 ? Promise.resolve() : setTimeout(paceMs, undefined, { signal }).catch(() => undefined);

const LOOK_MS = 100;
/** Whatever changes on the phone wakes the story; a look now and then finds the rest. */
export const awaitPhoneChange = async ({ ana }: Pick<DemoStage, 'ana'>): Promise<void> => {
  await ana
    .waitFor((person) => person.lastMessage() !== null && null, { deadlineMs: LOOK_MS })
    .catch(() => null);
};
