/** What chats say about commands, clusters and notes. */
export type { ChatNote } from './chat-notes.ts';
export {
  CLUSTER_PAGE,
  ClusterMember,
  ClusterView,
  MAX_CLUSTER_MEMBERS,
  isClusterArmed,
  redrawClusterView,
} from './cluster-view.ts';
export {
  type CommandProblem,
  MAX_ARGUMENT_LENGTHS,
  type WrongArgument,
  isWrongArgument,
  unknownChoice,
  tooLongArgument,
  unusableArgument,
  toWrongArgument,
} from './command-problems.ts';
