/** The playground's exports: local Telegram and GitHub servers, and a sample repository. */
export * from './faults.ts';
export type { CheckReport } from './github/checks.ts';
export type { CheckRun, CiJob, Delivery, Hook, NewHook, Weather, WorkflowRun } from './github/state.ts';
export { secondaryLimit, startGitHub, type GitHub, type GitHubOptions } from './github.ts';
export type { PullView, RepoHandle } from './github/repo.ts';
export { createNews, type Look, type WaitOptions } from './news.ts';
export { sampleAgentCommand, type SampleAgentOptions } from './sample-agent.ts';
export { flakyCi, sampleCi, sampleDirectory, sampleGoal, sampleRemarks } from './sample.ts';
export { sampleReview, sampleTasks } from './sample.ts';
export type { Call, Moment } from './server.ts';
export { startStage, type Stage } from './side-by-side.ts';
export { startTelegram, tooManyRequests, type Telegram, type TelegramOptions } from './telegram.ts';
export type { ChatMessage } from './telegram/chats.ts';
export { parseHtml } from './telegram/entities.ts';
export { TELEGRAM_LIMITS } from './telegram/limits.ts';
export type { Person, Tap } from './telegram/person.ts';
export { createRecording, sampleTranscriberCommand } from './telegram/recording.ts';
