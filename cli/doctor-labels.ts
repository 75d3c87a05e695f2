/** F5: checks the labels of issues that request changes. */
import { listWatchedRepositories } from '../app/watched-repositories.ts';
import { goodLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import type { ControlConfig } from '../app/config.ts';
import { forgeIn } from '../app/forges.ts';
import { createClient, repositoryHasLabel } from '#forge';
import { OutsideFailure } from '#ports/forge';

const MAX_REPOSITORIES = 30;

/** Returns nothing when GitHub is unreachable, which other checks report. */
export const labelChecks = async (config: ControlConfig): Promise<DoctorCheck[]> => {
  const { token } = forgeIn(config, systemClock).credentials;
  const { apiUrl } = config.github;
  const client = createClient({ apiUrl, token, userAgent: 'agentpr', clock: systemClock });
  const missing: { repo: string; label: string | null }[] = [];
  let seen = 0;
  for (const { repo: fullName, label } of listWatchedRepositories(config).slice(0, MAX_REPOSITORIES)) {
    const [owner = '', repo = ''] = fullName.split('/');
    try {
      if (!(await repositoryHasLabel(client, { owner, repo }, label)))
        missing.push({ repo: fullName, label });
      seen += 1;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      if (error.class === 'repository_missing') missing.push({ repo: fullName, label: null });
    }
  }
  if (missing.length > 0)
    return [
      warningLine('labels', {
        kind: 'labels_missing',
        missing: missing.sort((a, b) => (a.repo < b.repo ? -1 : 1)),
      }),
    ];
  return seen === 0 ? [] : [goodLine('labels', { kind: 'labels', repositories: seen })];
};
