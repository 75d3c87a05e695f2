/** Creates a GitHub App with one click (GitHub, "Registering a GitHub App from a manifest") (F1). */
import { z } from 'zod';
import { OutsideFailure } from '#ports/forge';
import type { SystemClock } from '#ports/processes';
import { createOctokit } from './octokit.ts';
import { toGitHubFailure, unreadableAnswerFailure } from './github-failures.ts';
import { APP_PERMISSIONS } from './required-permissions.ts';

/** `installation` needs no subscription; events on protected branches would need more rights. */
export const APP_WEBHOOK_EVENTS = [
  'check_run',
  'check_suite',
  'issue_comment',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'release',
  'repository',
  'status',
  'workflow_run',
] as const;

export type AppManifest = {
  name: string;
  url: string;
  redirect_url: string;
  public: boolean;
  default_permissions: Record<string, string>;
  default_events: readonly string[];
  hook_attributes?: { url: string; active: boolean };
};

/** `hook`: webhook URL; null when GitHub cannot reach us. */
export const createAppManifest = (wish: {
  name: string;
  home: string;
  redirect: string;
  hook: string | null;
}): AppManifest => ({
  name: wish.name,
  url: wish.home,
  redirect_url: wish.redirect,
  public: false,
  default_permissions: {
    metadata: 'read',
    ...Object.fromEntries(APP_PERMISSIONS.map(({ name, level }) => [name, level])),
  },
  // GitHub rejects events without a URL.
  default_events: wish.hook === null ? [] : APP_WEBHOOK_EVENTS,
  ...(wish.hook === null ? {} : { hook_attributes: { url: wish.hook, active: true } }),
});

export const appCreationUrl = (serverUrl: string, organisation: string | null, state: string): string => {
  const path =
    organisation === null
      ? '/settings/apps/new'
      : `/organizations/${encodeURIComponent(organisation)}/settings/apps/new`;
  return `${serverUrl}${path}?state=${state}`;
};

const Made = z.object({
  id: z.number(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullable(),
});
export type CreatedGitHubApp = z.infer<typeof Made>;

/** Exchanges the code for the App's keys, which works once. Throws OutsideFailure. */
export const exchangeManifestCode = async (
  apiUrl: string,
  code: string,
  clock: SystemClock,
): Promise<CreatedGitHubApp> => {
  const octokit = createOctokit(apiUrl);
  try {
    const request = { signal: AbortSignal.timeout(15_000), redirect: 'manual' as const };
    const { data, status } = await octokit.request('POST /app-manifests/{code}/conversions', {
      code,
      request,
    });
    const made = Made.safeParse(data);
    if (status !== 201 || !made.success) throw unreadableAnswerFailure();
    return made.data;
  } catch (error) {
    const failure = toGitHubFailure(error, clock.now());
    if (failure instanceof OutsideFailure && failure.class === 'repository_missing')
      throw new OutsideFailure('forge_refused', 'GitHub does not know that code, or it was used already');
    throw failure;
  }
};
