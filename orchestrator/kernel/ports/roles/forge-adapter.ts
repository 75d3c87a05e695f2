/** A code host as this installation has it: its roles, and what belongs to it besides them. */
import type { ResponseCache, WriteLimiter } from '#ports/forge';
import type { ForgePort, GivenForgeRoles } from './forge-roles.ts';
import type { ForgeCapabilities } from './fill-missing-roles.ts';

export type ForgeAdapter = {
  /** For people. */
  name: string;
  /** True for a name, perhaps with a host, that is a repository there. */
  isRepository: (name: string, host?: string | null) => boolean;
  credentials: ForgeAccess;
  connect: (parts: ForgeParts) => ConnectedForge;
};

export type ForgeAccess = {
  /** Token for a repository or in general. `refused`: a rejected token, replaced if possible. */
  token: (repo: string | null, refused?: string) => Promise<string>;
  /** Identity of the rate limit. */
  identity: (repo: string | null) => Promise<string>;
  /** True when we have an account or an installation that may work there. */
  mayWork: (repo: string) => Promise<boolean>;
  /** Rights that were read are read again. */
  forget: () => void;
};

type ForgeParts = {
  limiter?: WriteLimiter;
  answers?: ResponseCache;
  onTrouble?: () => void;
};

export type ConnectedForge = {
  /** Each as far as the host has it. */
  roles: GivenForgeRoles;
  capabilities: ForgeCapabilities;
  /** All roles: what the host lacks is refused there. */
  port: ForgePort;
  /** The newest commit of a branch; null when it is gone. */
  branchHead: (fullName: string, branch: string) => Promise<string | null>;
};
