/** What a round is given of the picture that came with an order. */
import { findSentPicture } from '../../orchestrator/briefing/brief-agent.ts';
import type { Run } from '#run';
import type { PictureWay, RunPicture } from '#ports/processes';
import type { WorkspacePort } from '#ports/workspaces';
import type { createChatWorld } from './chat-world.ts';

export const pictureOf = (
  { ledger }: Pick<Awaited<ReturnType<typeof createChatWorld>>, 'ledger'>,
  run: Run,
  way: PictureWay | null = 'file',
): Promise<RunPicture | null> => {
  const places: WorkspacePort['places'] = (id) => ({
    workspace: `/runs/${id}/ws`,
    home: `/runs/${id}/home`,
    pictures: `/runs/${id}/pictures`,
  });
  return findSentPicture({ ledger, workspaces: { places } }, run, way);
};
