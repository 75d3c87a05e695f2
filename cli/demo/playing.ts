/** What the people of the story share: the stage, and how what they see is told. */
import type { App } from '../../app/start.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { ChatMessage, GitHub, Person } from '#playground';
import type { Transcript } from '../transcript.ts';

/** A remark of the maintainer on a line, and what Ana does about it: words are her answer. */
export type PlayedRemark = {
  path: string;
  line: number;
  body: string;
  does: 'fix' | 'ignore' | { says: string };
};
/** What the maintainer asks for before merging. */
export type PlayedWish = string | readonly PlayedRemark[];
/** `wish` is null when the maintainer wants nothing. */
export type Story = { repo: string; goal: string; check: string[]; wish: PlayedWish | null };
export type Playing = {
  app: App;
  ana: Person;
  github: GitHub;
  transcript: Transcript;
  states: Run[];
  story: Story;
  /** Every card is tapped, as in a film; else the story waits for whoever holds the phone. */
  plays: boolean;
  /** The visitor leaves. */
  signal: AbortSignal;
};

export const show = (transcript: Transcript, message: ChatMessage): void =>
  transcript.says(
    'bot',
    message.text,
    message.buttons.map((line) => line.map((b) => b.text)),
  );

/** The newest message with such a button. */
export const withButton = (person: Person, like: (text: string) => boolean): ChatMessage | null =>
  person.messages().findLast((m) => m.from !== person.name && m.buttons.flat().some((b) => like(b.text))) ??
  null;
